// A line of a document while it is edited: what is typed, and how quantity, price and total compute each other.

export type ItemKind = 'product' | 'material' | 'resource'

export type Line = {
  /** Names the line while it is edited; one item may stand on several. */
  readonly key: number
  readonly type: ItemKind
  readonly id: number
  readonly sku: string
  readonly name: string
  readonly unit: string
  readonly amount: number
  /** Of one; kept unrounded when it was computed from a total. */
  readonly price: number
  readonly total: number
  /** What one costs, as far as it is known; workers do not know it. */
  readonly unitCost?: number | undefined
  readonly on_hand?: number | null | undefined
  readonly reserved?: number | null | undefined
  readonly available?: number | null | undefined
  readonly mark?: 'in_stock' | 'expected' | 'missing' | undefined
}

export const roundAmount = (value: number): number => Math.round((value + Number.EPSILON) * 1000) / 1000
export const roundMoney = (value: number): number => Math.round((value + Number.EPSILON) * 100) / 100

let lastKey = 0
export const nextKey = (): number => {
  lastKey += 1
  return lastKey
}

/** Quantity changed: the price stands, the total follows. */
export const withAmount = (line: Line, typed: number): Line => {
  const amount = roundAmount(typed)
  return { ...line, amount, total: roundMoney(line.price * amount) }
}

/** Price changed: the total follows. */
export const withPrice = (line: Line, typed: number): Line => ({
  ...line,
  price: typed,
  total: roundMoney(typed * line.amount),
})

/** Total changed: the price follows. */
export const withTotal = (line: Line, typed: number): Line => {
  const total = roundMoney(typed)
  return { ...line, total, price: line.amount === 0 ? line.price : total / line.amount }
}

/** What is there of a line's item, where that is known apart from the line. */
export type LineStock = {
  readonly on_hand?: number | null | undefined
  readonly reserved?: number | null | undefined
  readonly available?: number | null | undefined
  /** On its way. */
  readonly expected?: number | undefined
  /** What of the reserved is this document's own, and so free for it. */
  readonly own?: number | undefined
  /** What of it has gone already and needs no stock. */
  readonly gone?: number | undefined
  /** What the server says while so much is asked for: it knows who comes first. */
  readonly said?: { readonly amount: number; readonly mark: Line['mark'] | null } | undefined
}

/** Whether there is enough for all lines of the item, as far as this page knows. */
export function markOf(line: Line, needed: number, stock: LineStock = line): Line['mark'] {
  const { available, own = 0, gone = 0, expected = 0, said } = stock
  if (said !== undefined && said.amount === needed) return said.mark ?? undefined
  if (available === undefined || available === null || line.type === 'resource' || needed <= gone) return undefined
  if (available + own >= needed - gone) return 'in_stock'
  return available + own + expected >= needed - gone ? 'expected' : 'missing'
}

/** What is asked for of each item, over all lines. */
export function neededOf(lines: readonly Line[]): Map<number, number> {
  const needed = new Map<number, number>()
  for (const { id, amount } of lines) needed.set(id, roundAmount((needed.get(id) ?? 0) + amount))
  return needed
}

export const subtotalOf = (lines: readonly Line[]): number =>
  roundMoney(lines.reduce((sum, { total }) => sum + total, 0))
