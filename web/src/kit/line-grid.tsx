// The grid of a document's lines: type to add, then quantity, price or total, Enter for the next line.

import { Text } from '@mantine/core'
import { type ReactNode, type RefObject, useDeferredValue, useEffect, useLayoutEffect, useMemo, useRef } from 'react'
import { messages } from '../messages.ts'
import { textOf } from '../server/call.ts'
import { useSeesMoney } from '../session.tsx'
import { lineOf } from './field-errors.ts'
import type { FoundItem } from './found-item.ts'
import { coverOf, type Line, type LineStock, neededOf, nextKey, partsOf, roundMoney, withOneMore } from './line.ts'
import classes from './line-grid.module.css'
import { LinePart } from './line-part.tsx'
import { type LineColumn, LineRow } from './line-row.tsx'
import { LineScan } from './line-scan.tsx'
import { LineSearch, type LineSearchHandle } from './line-search.tsx'
import type { LineSource } from './scanned-item.ts'

type Props = {
  readonly lines: readonly Line[]
  /** Takes how the lines change, because they may have changed since they were rendered. */
  readonly onChange: (change: (now: readonly Line[]) => Line[]) => void
  /** The kinds of items that the search finds. */
  readonly sources: readonly LineSource[]
  /** Shows price and total; always off for workers. */
  readonly isPriced?: boolean
  /** The initial price of a new line; by default the item's own price. */
  readonly priceOf?: (item: FoundItem) => number
  /** Shows on hand, reserved and available, and the shortage mark. */
  readonly withStock?: boolean
  /** The stock of a line's item; by default as loaded when the line was added. */
  readonly stockOf?: (line: Line) => LineStock | undefined
  readonly isReadOnly?: boolean
  /** Additional columns, such as the quantity left to ship. */
  readonly columns?: readonly LineColumn[]
  /** The error from the server: the line it is about is marked. */
  readonly error?: unknown
  /** Whether a line is sent in the array named by an error, where that is not the array of its kind. */
  readonly isIn?: Parameters<typeof lineOf>[2]
  /** Totals. */
  readonly footer?: ReactNode
  /** The search that adds lines, for pages that move the focus to it. */
  readonly search?: RefObject<LineSearchHandle | null>
}

const texts = messages.kit.lines
const partSize = 10
const noColumns: readonly LineColumn[] = []

export function LineGrid(props: Props) {
  const { lines, onChange, sources, withStock = false, isReadOnly = false, columns = noColumns } = props
  const isPriced = useSeesMoney() && (props.isPriced ?? true)
  const own = useRef<LineSearchHandle>(null)
  const search = props.search ?? own
  const table = useRef<HTMLTableElement>(null)
  const focusAdded = useFocusOfAdded(table)
  const callbacks = useLineCallbacks(onChange, () => search.current?.focus())
  const needed = useNeeded(lines)
  const wrong = lineOf(props.error, lines, props.isIn)
  useShownError(table, wrong)

  const { add, scan } = addingTo(props, focusAdded)
  const rowOf = (line: Line, at: number): ReactNode => (
    <LineRow
      key={line.key}
      line={line}
      {...stockShown(line, props.stockOf?.(line), needed.get(line.id))}
      isPriced={isPriced}
      withStock={withStock}
      isReadOnly={isReadOnly}
      wrong={wrong === at ? textOf(props.error) : undefined}
      columns={columns}
      callbacks={callbacks}
    />
  )

  return (
    <div className={classes['grid']}>
      <div className={classes['scroll']}>
        <table className={classes['table']} ref={table}>
          <Heads isPriced={isPriced} withStock={withStock} isReadOnly={isReadOnly} columns={columns} />
          {partsOf(lines, partSize).map((part, at, parts) => {
            const first = at * partSize
            const isWrong = wrong >= first && wrong < first + partSize
            return (
              <LinePart
                // biome-ignore lint/suspicious/noArrayIndexKey: a part is a range of positions
                key={at}
                rows={part.length}
                isNeeded={at === 0 || at === parts.length - 1 || isWrong}
              >
                {() => part.map((line, place) => rowOf(line, first + place))}
              </LinePart>
            )
          })}
        </table>
      </div>
      {lines.length === 0 && (
        <Text c="dimmed" size="sm" p="sm">
          {texts.none}
        </Text>
      )}
      {!isReadOnly && (
        <div className={classes['add']}>
          <LineSearch
            sources={sources}
            onPick={add}
            button={<LineScan sources={sources} onScan={scan} onSearch={(code) => search.current?.search(code)} />}
            handle={search}
          />
        </div>
      )}
      {props.footer && <div className={classes['footer']}>{props.footer}</div>}
    </div>
  )
}

/** What a row shows of the stock. It does not get the quantity of its item: then all rows of the item would be rendered again with every key. */
const stockShown = (line: Line, stock: LineStock | undefined, needed = line.amount) => ({
  stock,
  ...coverOf(line, needed, stock),
})

type HeadsProps = Required<Pick<Props, 'isPriced' | 'withStock' | 'isReadOnly' | 'columns'>>

function Heads({ isPriced, withStock, isReadOnly, columns }: HeadsProps) {
  return (
    <thead>
      <tr>
        <th>{texts.item}</th>
        {withStock && <th>{texts.stock}</th>}
        <th data-right>{texts.amount}</th>
        {isPriced && <th data-right>{texts.price}</th>}
        {isPriced && <th data-right>{texts.total}</th>}
        {columns.map(({ key, title, isRight }) => (
          <th key={key} data-right={isRight || undefined}>
            {title}
          </th>
        ))}
        {!isReadOnly && <td />}
      </tr>
    </thead>
  )
}

/** What adds a line: an item that was picked, or one that was scanned. */
function addingTo({ onChange, priceOf }: Pick<Props, 'onChange' | 'priceOf'>, focusAdded: (key: number) => void) {
  const lineFor = (item: FoundItem): Line => newLine(item, priceOf ? priceOf(item) : (item.price ?? 0))
  const add = (item: FoundItem): void => {
    const line = lineFor(item)
    focusAdded(line.key)
    onChange((lines) => [...lines, line])
  }
  /** An item that is scanned again is added to its line. No field is focused: the scanner stays open. Returns the quantity of the line. */
  const scan = (item: FoundItem): number => {
    let amount = 0
    onChange((lines) => {
      const changed = withOneMore(lines, lineFor(item))
      amount = changed.find(({ id }) => id === item.id)?.amount ?? 0
      return changed
    })
    return amount
  }
  return { add, scan }
}

const newLine = (item: FoundItem, price: number): Line => ({
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
})

/** Scrolls to the line that the error is about. */
function useShownError(table: RefObject<HTMLTableElement | null>, wrong: number): void {
  useEffect(() => {
    if (wrong >= 0) table.current?.querySelector('[data-wrong]')?.scrollIntoView({ block: 'nearest' })
  }, [table, wrong])
}

/** The quantity of each item. Other rows of an item follow after the key is shown. */
const useNeeded = (lines: readonly Line[]) => useDeferredValue(useMemo(() => neededOf(lines), [lines]))

/** Focus the quantity of a line just added, before the next key is handled. */
function useFocusOfAdded(table: RefObject<HTMLTableElement | null>): (key: number) => void {
  const added = useRef<number>(undefined)
  useLayoutEffect(() => {
    if (added.current === undefined) return
    const row = table.current?.querySelector(`[data-line="${added.current}"]`)
    added.current = undefined
    row?.querySelector<HTMLInputElement>('input')?.focus()
  })
  return (key) => {
    added.current = key
  }
}

/** The row callbacks: one object for all renders, so that a row is rendered again only when its own line changes. */
function useLineCallbacks(onChange: Props['onChange'], next: () => void) {
  const callbacks = useRef({
    change: (_line: Line): void => {},
    remove: (_key: number): void => {},
    next,
  })
  callbacks.current.change = (line) => onChange((lines) => lines.map((one) => (one.key === line.key ? line : one)))
  callbacks.current.remove = (key) => onChange((lines) => lines.filter((one) => one.key !== key))
  callbacks.current.next = next
  return callbacks.current
}
