// One line of a grid: its item, its stock, and the editable cells.

import { ActionIcon, Text } from '@mantine/core'
import { IconTrash } from '@tabler/icons-react'
import { memo, type ReactNode, startTransition, useOptimistic } from 'react'
import { Link } from 'react-router'
import { money, quantity, unitPrice } from '../format.ts'
import { messages } from '../messages.ts'
import { isEqual, type Line, type LineStock, withAmount, withPrice, withTotal } from './line.ts'
import classes from './line-grid.module.css'
import { NumberCell } from './number-cell.tsx'
import { Availability, Quantity } from './state-badge.tsx'

const texts = messages.kit.lines

const moneyDecimals = 2
/** A screw costs a fraction of a cent. Documents store totals, so only these are rounded to cents. */
const priceDecimals = 4

export type LineColumn = {
  readonly key: string
  readonly title: string
  readonly show: (line: Line) => ReactNode
  readonly isRight?: boolean
}

type RowProps = {
  readonly line: Line
  readonly stock: LineStock | undefined
  readonly mark: Line['mark']
  /** The quantity free for this document, shown instead of the quantity left for others, which may be negative. */
  readonly held?: number
  readonly isPriced: boolean
  readonly withStock: boolean
  readonly isReadOnly: boolean
  /** The server's error message about the line. */
  readonly wrong: string | undefined
  readonly columns: readonly LineColumn[]
  readonly callbacks: { change: (line: Line) => void; remove: (key: number) => void; next: () => void }
}

/** Memoised per line, so that typing in a sale of 200 lines stays fast. */
export const LineRow = memo(function LineRow(props: RowProps) {
  const { mark, held, isPriced, withStock, isReadOnly, wrong, columns, callbacks } = props
  const { line, setLine } = useLineAhead(props)
  const stock: LineStock = props.stock ?? line
  const cell = (
    name: 'amount' | 'price' | 'total',
    decimals: number,
    change: (typed: number) => Line,
    least?: number,
  ): ReactNode => (
    <NumberCell
      name={name}
      label={`${texts[name]}: ${line.name}`}
      value={line[name]}
      decimals={decimals}
      least={least}
      isWrong={name === 'amount' && line.amount <= 0}
      onChange={(typed) => setLine(change(typed))}
      onEnter={() => callbacks.next()}
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
        <td className={classes['stock']} data-label={texts.stock}>
          {line.type !== 'resource' && (
            <>
              <div className={classes['available']}>
                <Availability mark={mark} />
                <span>
                  {held === undefined ? (
                    <>
                      <Quantity value={stock.available} unit={line.unit} /> {texts.available}
                    </>
                  ) : (
                    `${quantity(held, line.unit)} ${texts.forSale}`
                  )}
                </span>
              </div>
              <div className={classes['levels']}>
                <Quantity value={stock.on_hand} /> {texts.onHand}, {quantity(stock.reserved)} {texts.reserved}
                {stock.own ? ` ${texts.own(quantity(stock.own))}` : ''}
              </div>
            </>
          )}
        </td>
      )}
      <td data-right data-label={`${texts.amount}, ${line.unit}`}>
        {isReadOnly ? quantity(line.amount) : cell('amount', 3, (typed) => withAmount(line, typed))}{' '}
        <Text span size="xs" c="dimmed" className={classes['unit'] ?? ''}>
          {line.unit}
        </Text>
      </td>
      {isPriced && (
        <td data-right data-label={texts.price}>
          {isReadOnly
            ? unitPrice(line.price)
            : cell('price', priceDecimals, (typed) => withPrice(line, typed), moneyDecimals)}
        </td>
      )}
      {isPriced && (
        <td data-right data-label={texts.total}>
          {isReadOnly ? money(line.total) : cell('total', moneyDecimals, (typed) => withTotal(line, typed))}
        </td>
      )}
      {columns.map(({ key, title, show, isRight }) => (
        <td key={key} data-right={isRight || undefined} data-label={title}>
          {show(line)}
        </td>
      ))}
      {!isReadOnly && (
        <td className={classes['remove']}>
          <ActionIcon aria-label={texts.remove(line.name)} onClick={() => callbacks.remove(line.key)}>
            <IconTrash size={15} stroke={1.6} />
          </ActionIcon>
        </td>
      )}
    </tr>
  )
}, isSameRow)

/** Rendering every row of a sale of 500 lines on each key takes a third of a second. */
function isSameRow(
  { line, stock, ...rest }: RowProps,
  { line: nextLine, stock: nextStock, ...next }: RowProps,
): boolean {
  return isEqual(line, nextLine) && isEqual(stock, nextStock) && isEqual(rest, next)
}

/** The row shows what is typed at once; the page around it, its totals and the other rows follow when no key waits. */
function useLineAhead({ line: rendered, callbacks }: Pick<RowProps, 'line' | 'callbacks'>) {
  const [line, showLine] = useOptimistic(rendered)
  const setLine = (changed: Line): void =>
    startTransition(() => {
      showLine(changed)
      callbacks.change(changed)
    })
  return { line, setLine }
}
