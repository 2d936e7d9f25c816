// A line of a document being edited: the typed values, and how quantity, price and total determine each other.

import { product, rounded, sum } from '../decimal.ts'

export type ItemKind = 'product' | 'material' | 'resource'

export type Line = {
  /** Identifies the line while it is edited; one item may be on several lines. */
  readonly key: number
  readonly type: ItemKind
  readonly id: number
  readonly sku: string
  readonly name: string
  readonly unit: string
  readonly amount: number
  /** Price per unit; unrounded when it was computed from a total. */
  readonly price: number
  readonly total: number
  /** Cost per unit, if known; hidden from workers. */
  readonly unitCost?: number | undefined
  readonly on_hand?: number | null | undefined
  readonly reserved?: number | null | undefined
  readonly available?: number | null | undefined
  readonly mark?: 'in_stock' | 'expected' | 'missing' | undefined
}

export const roundAmount = (value: number): number => rounded(value, 3)
export const roundMoney = (value: number): number => rounded(value, 2)

let lastKey = 0
export const nextKey = (): number => {
  lastKey += 1
  return lastKey
}

/** Quantity changed: the price stays, the total is recomputed. */
export const withAmount = (line: Line, typed: number): Line => {
  const amount = roundAmount(typed)
  return { ...line, amount, total: product(line.price, amount, 2) }
}

/** Price changed: the total is recomputed. */
export const withPrice = (line: Line, typed: number): Line => ({
  ...line,
  price: typed,
  total: product(typed, line.amount, 2),
})

/** Total changed: the price is recomputed. */
export const withTotal = (line: Line, typed: number): Line => {
  const total = roundMoney(typed)
  return { ...line, total, price: line.amount === 0 ? line.price : total / line.amount }
}

/** With one more of the item: on its first line, or on this new one. */
export function withOneMore(lines: readonly Line[], line: Line): Line[] {
  const at = lines.findIndex(({ id }) => id === line.id)
  const former = lines[at]
  return former === undefined ? [...lines, line] : lines.with(at, withAmount(former, former.amount + 1))
}

/** The stock of a line's item, where it is loaded separately from the line. */
export type LineStock = {
  readonly on_hand?: number | null | undefined
  readonly reserved?: number | null | undefined
  readonly available?: number | null | undefined
  /** Expected from open purchases and productions. */
  readonly expected?: number | undefined
  /** The part of the reserved quantity that this document holds, and may therefore use. */
  readonly own?: number | undefined
  /** The part that has already been shipped and needs no stock. */
  readonly gone?: number | undefined
  /** The server's availability for the requested quantity: it takes the order of reservations into account. */
  readonly texts?: { readonly amount: number; readonly mark: Line['mark'] | null } | undefined
}

/** Whether the stock covers all lines of the item, as far as this page can compute it. */
export function markOf(line: Line, needed: number, stock: LineStock = line): Line['mark'] {
  const { available, own = 0, gone = 0, expected = 0, texts } = stock
  if (texts !== undefined && texts.amount === needed) return texts.mark ?? undefined
  if (available === undefined || available === null || line.type === 'resource' || needed <= gone) return undefined
  if (available + own >= needed - gone) return 'in_stock'
  return available + own + expected >= needed - gone ? 'expected' : 'missing'
}

/** The mark of a line, and the quantity that is free for this document where it has reserved some of the item. */
export function coverOf(line: Line, needed: number, stock: LineStock = line): { mark: Line['mark']; held?: number } {
  const mark = markOf(line, needed, stock) ?? line.mark
  return mark === 'in_stock' && (stock.own ?? 0) > 0 ? { mark, held: needed - (stock.gone ?? 0) } : { mark }
}

/** Whether nothing of it changed: what is loaded or computed again are other objects. */
export function isEqual<T extends object>(one: T | undefined, other: T | undefined): boolean {
  if (one === other) return true
  if (one === undefined || other === undefined) return false
  const fields = Object.keys({ ...one, ...other }) as (keyof T)[]
  return fields.every((field) => Object.is(one[field], other[field]))
}

/** The lines in parts of this size at most. */
export function partsOf<T>(lines: readonly T[], size: number): T[][] {
  const parts: T[][] = []
  for (let from = 0; from < lines.length; from += size) parts.push(lines.slice(from, from + size))
  return parts
}

/** The quantity of each item, summed over all lines. */
export function neededOf(lines: readonly Line[]): Map<number, number> {
  const needed = new Map<number, number>()
  for (const { id, amount } of lines) needed.set(id, sum([needed.get(id) ?? 0, amount], 3))
  return needed
}

export const subtotalOf = (lines: readonly Line[]): number =>
  sum(
    lines.map(({ total }) => total),
    2,
  )
