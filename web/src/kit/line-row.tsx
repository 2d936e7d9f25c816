// One line of a grid: its item, what is there of it, and the cells one types in.

import { ActionIcon, Text } from '@mantine/core'
import { IconTrash } from '@tabler/icons-react'
import { memo, type ReactNode } from 'react'
import { Link } from 'react-router'
import { money, quantity } from '../format.ts'
import { words } from '../words.ts'
import { type Line, type LineStock, markOf, withAmount, withPrice, withTotal } from './line.ts'
import classes from './line-grid.module.css'
import { NumberCell } from './number-cell.tsx'
import { Availability, Quantity } from './state-badge.tsx'

const said = words.kit.lines

export type LineColumn = {
  readonly key: string
  readonly title: string
  readonly show: (line: Line) => ReactNode
  readonly isRight?: boolean
}

type RowProps = {
  readonly line: Line
  readonly stock: LineStock | undefined
  /** Of its item, over all lines. */
  readonly needed: number
  readonly isPriced: boolean
  readonly withStock: boolean
  readonly isReadOnly: boolean
  /** What is wrong with it, in the server's words. */
  readonly wrong: string | undefined
  readonly columns: readonly LineColumn[]
  readonly acts: { change: (line: Line) => void; remove: (key: number) => void; next: () => void }
}

/** Kept while its line is the same: a sale of 200 lines stays quick to type in. */
export const LineRow = memo(function LineRow(props: RowProps) {
  const { line, isPriced, withStock, isReadOnly, wrong, columns, acts } = props
  const stock: LineStock = props.stock ?? line
  const mark = markOf(line, props.needed, stock) ?? line.mark
  const cell = (name: 'amount' | 'price' | 'total', decimals: number, change: (typed: number) => Line): ReactNode => (
    <NumberCell
      name={name}
      label={`${said[name]}: ${line.name}`}
      value={line[name]}
      decimals={decimals}
      isWrong={name === 'amount' && line.amount <= 0}
      onChange={(typed) => acts.change(change(typed))}
      onEnter={() => acts.next()}
    />
  )
  return (
    <tr data-line={line.key} data-wrong={wrong !== undefined || undefined}>
      <td className={classes['item']}>
        {line.type === 'resource' ? (
          <Text size="sm">{line.name}</Text>
        ) : (
          <Link to={`/${line.type}s/${line.id}`} className={classes['name']} tabIndex={-1}>
            {line.name}
          </Link>
        )}
        <Text size="xs" c="dimmed">
          {line.sku}
        </Text>
        {wrong && (
          <Text size="xs" c="var(--mantine-color-error)">
            {wrong}
          </Text>
        )}
      </td>
      {withStock && (
        <td className={classes['stock']} data-label={said.stock}>
          {line.type !== 'resource' && (
            <>
              <div className={classes['available']}>
                <Availability mark={mark} />
                <span>
                  <Quantity value={stock.available} unit={line.unit} /> {said.available}
                </span>
              </div>
              <div className={classes['levels']}>
                <Quantity value={stock.on_hand} /> {said.onHand}, {quantity(stock.reserved)} {said.reserved}
                {stock.own ? ` ${said.own(quantity(stock.own))}` : ''}
              </div>
            </>
          )}
        </td>
      )}
      <td data-right data-label={`${said.amount}, ${line.unit}`}>
        {isReadOnly ? quantity(line.amount) : cell('amount', 3, (typed) => withAmount(line, typed))}{' '}
        <Text span size="xs" c="dimmed" className={classes['unit'] ?? ''}>
          {line.unit}
        </Text>
      </td>
      {isPriced && (
        <td data-right data-label={said.price}>
          {isReadOnly ? money(line.price) : cell('price', 2, (typed) => withPrice(line, typed))}
        </td>
      )}
      {isPriced && (
        <td data-right data-label={said.total}>
          {isReadOnly ? money(line.total) : cell('total', 2, (typed) => withTotal(line, typed))}
        </td>
      )}
      {columns.map(({ key, title, show, isRight }) => (
        <td key={key} data-right={isRight || undefined} data-label={title}>
          {show(line)}
        </td>
      ))}
      {!isReadOnly && (
        <td className={classes['remove']}>
          <ActionIcon aria-label={said.remove(line.name)} onClick={() => acts.remove(line.key)}>
            <IconTrash size={15} stroke={1.6} />
          </ActionIcon>
        </td>
      )}
    </tr>
  )
})
