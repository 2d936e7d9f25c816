// The grid of a document's lines: type to add, then quantity, price or total, Enter for the next line.

import { Text } from '@mantine/core'
import { type ReactNode, type RefObject, useEffect, useMemo, useRef } from 'react'
import { useSeesMoney } from '../session.tsx'
import { words } from '../words.ts'
import { type Line, type LineStock, neededOf, nextKey, roundMoney } from './line.ts'
import classes from './line-grid.module.css'
import { type LineColumn, LineRow } from './line-row.tsx'
import { type FoundItem, LineSearch, type LineSource } from './line-search.tsx'

type Props = {
  readonly lines: readonly Line[]
  readonly onChange: (lines: Line[]) => void
  /** Where items to add are looked for. */
  readonly sources: readonly LineSource[]
  /** With price and total; always off for workers. */
  readonly isPriced?: boolean
  /** The price a new line starts with; the item's own by default. */
  readonly priceOf?: (item: FoundItem) => number
  /** With what is on hand, reserved and available, and the mark. */
  readonly withStock?: boolean
  /** What is there of a line's item; by default what was known when the line was added. */
  readonly stockOf?: (line: Line) => LineStock | undefined
  readonly isReadOnly?: boolean
  /** More columns, such as what is left to ship. */
  readonly columns?: readonly LineColumn[]
  /** Position of the line an error speaks of, and the words. */
  readonly wrongLine?: number
  readonly error?: string | undefined
  /** Sums. */
  readonly footer?: ReactNode
  /** The field that adds lines, for a page that leads there. */
  readonly searchField?: RefObject<HTMLInputElement | null>
}

const said = words.kit.lines

export function LineGrid(props: Props) {
  const { lines, onChange, sources, withStock = false, isReadOnly = false, columns = [] } = props
  const isPriced = useSeesMoney() && (props.isPriced ?? true)
  const own = useRef<HTMLInputElement>(null)
  const search = props.searchField ?? own
  const table = useRef<HTMLTableElement>(null)
  const added = useRef<number>(undefined)
  const latest = useRef(lines)
  latest.current = lines

  const needed = useMemo(() => neededOf(lines), [lines])

  const add = (item: FoundItem): void => {
    const price = props.priceOf ? props.priceOf(item) : (item.price ?? 0)
    const line: Line = {
      key: nextKey(),
      type: item.kind,
      id: item.id,
      sku: item.sku,
      name: item.name,
      unit: item.unit,
      amount: 1,
      price,
      total: roundMoney(price),
      unitCost: item.cost,
      on_hand: item.on_hand,
      reserved: item.reserved,
      available: item.available,
    }
    added.current = line.key
    onChange([...lines, line])
  }

  // The quantity of a line just added is where typing goes on.
  useEffect(() => {
    if (added.current === undefined) return
    const row = table.current?.querySelector(`[data-line="${added.current}"]`)
    added.current = undefined
    row?.querySelector<HTMLInputElement>('input')?.focus()
  })

  const stable = useRef({
    change: (_line: Line): void => {},
    remove: (_key: number): void => {},
    next: (): void => {},
  })
  stable.current.change = (line) => onChange(latest.current.map((one) => (one.key === line.key ? line : one)))
  stable.current.remove = (key) => onChange(latest.current.filter((one) => one.key !== key))
  stable.current.next = () => search.current?.focus()

  return (
    <div className={classes['grid']}>
      <div className={classes['scroll']}>
        <table className={classes['table']} ref={table}>
          <thead>
            <tr>
              <th>{said.item}</th>
              {withStock && <th>{said.stock}</th>}
              <th data-right>{said.amount}</th>
              {isPriced && <th data-right>{said.price}</th>}
              {isPriced && <th data-right>{said.total}</th>}
              {columns.map(({ key, title, isRight }) => (
                <th key={key} data-right={isRight || undefined}>
                  {title}
                </th>
              ))}
              {!isReadOnly && <td />}
            </tr>
          </thead>
          <tbody>
            {lines.map((line, at) => (
              <LineRow
                key={line.key}
                line={line}
                stock={props.stockOf?.(line)}
                needed={needed.get(line.id) ?? line.amount}
                isPriced={isPriced}
                withStock={withStock}
                isReadOnly={isReadOnly}
                wrong={props.wrongLine === at ? (props.error ?? '') : undefined}
                columns={columns}
                acts={stable.current}
              />
            ))}
          </tbody>
        </table>
      </div>
      {lines.length === 0 && (
        <Text c="dimmed" size="sm" p="sm">
          {said.none}
        </Text>
      )}
      {!isReadOnly && (
        <div className={classes['add']}>
          <LineSearch sources={sources} onPick={add} field={search} />
        </div>
      )}
      {props.footer && <div className={classes['footer']}>{props.footer}</div>}
    </div>
  )
}
