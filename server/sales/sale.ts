// A sale as the rules see it. Pure: its totals, what its state does to stock, what its goods cost.

import type { Order } from '../fulfilment/made-to-order.ts'
import { divide, type Money, type Quantity, toMoney, worth } from '../kernel/decimal.ts'
import type { LineKind } from '../stock/items.ts'
import {
  type Cost,
  type Effect,
  type Move,
  noCost,
  noEffect,
  type Posting,
  type Reservation,
} from '../stock/posting.ts'

/** The name of sales in the ledger and in the counters of lists. */
export const list = 'sales'

export const status = { new: 0, packed: 1, partlyShipped: 2, shipped: 3, canceled: 4 } as const

export type SaleLine = {
  readonly itemId: number
  readonly kind: LineKind
  readonly unitId: number
  readonly amount: Quantity
  readonly total: Money
  readonly cost: Money
}

/** What left with one shipment of a partly shipped sale. */
export type Shipped = {
  readonly shipment: number
  readonly date: string
  readonly itemId: number
  readonly amount: Quantity
}

export type Sale = {
  readonly id: number
  readonly num: string
  readonly status: number
  readonly payment: number
  readonly datePlaced: string
  readonly dateShipped: string | null
  readonly dateDeducted: string | null
  readonly deliveryPrice: Money
  readonly discount: Money
  readonly production: boolean
  readonly source: string
  readonly notes: string
  readonly productsStorageId: number
  readonly materialsStorageId: number
  readonly customerId: number
  readonly lines: readonly SaleLine[]
  readonly shipments: readonly Shipped[]
}

export type Totals = {
  readonly subtotal: Money
  readonly total: Money
  readonly cost: Money
  /** `null` when the lines have different units of measure. */
  readonly amount: Quantity | null
}

export function totalsOf(sale: Sale): Totals {
  const subtotal = sale.lines.reduce((sum, line) => sum + line.total, 0n)
  const sameUnit = sale.lines.every((line) => line.unitId === sale.lines[0]?.unitId)
  return {
    subtotal,
    total: subtotal + sale.deliveryPrice - sale.discount,
    cost: sale.lines.reduce((sum, line) => sum + line.cost, 0n),
    amount: sameUnit ? sale.lines.reduce((sum, line) => sum + line.amount, 0n) : null,
  }
}

/** New and Packed reserve all lines, Partially shipped what has not left, Shipped deducts all, Canceled does nothing. */
export function effectOf(sale: Sale): Effect {
  if (sale.status === status.canceled) return noEffect
  const moves: Move[] = []
  const reservations: Reservation[] = []
  for (const { itemId, kind, amount } of soldItems(sale.lines)) {
    const storageId = kind === 'product' ? sale.productsStorageId : sale.materialsStorageId
    const left = hasLeft(sale) ? sale.shipments.filter((shipped) => shipped.itemId === itemId) : []
    for (const shipped of left) moves.push({ storageId, itemId, date: shipped.date, onHand: -shipped.amount })
    const rest = amount - left.reduce((sum, shipped) => sum + shipped.amount, 0n)
    if (rest === 0n) continue
    if (sale.status === status.shipped) moves.push({ storageId, itemId, date: deductedOn(sale), onHand: -rest })
    else reservations.push({ storageId, itemId, reserved: rest })
  }
  return { moves, reservations }
}

export const hasLeft = (sale: { readonly status: number }): boolean =>
  sale.status === status.partlyShipped || sale.status === status.shipped

function deductedOn(sale: Sale): string {
  if (sale.dateDeducted === null) throw new Error(`shipped sale ${sale.id} has no date of deduction`)
  return sale.dateDeducted
}

type Sold = { readonly itemId: number; readonly kind: LineKind; readonly amount: Quantity }

function soldItems(lines: readonly SaleLine[]): Sold[] {
  const sold = new Map<number, Sold>()
  for (const { itemId, kind, amount } of lines) {
    sold.set(itemId, { itemId, kind, amount: (sold.get(itemId)?.amount ?? 0n) + amount })
  }
  return [...sold.values()]
}

/** What was shipped of an item stays shipped up to its new quantity; what is too much comes off the latest shipments. */
export function trimmedShipments(shipments: readonly Shipped[], lines: readonly SaleLine[]): Shipped[] {
  const room = new Map(soldItems(lines).map((sold) => [sold.itemId, sold.amount]))
  const kept: Shipped[] = []
  for (const shipped of shipments.toSorted((a, b) => a.shipment - b.shipment)) {
    const left = room.get(shipped.itemId) ?? 0n
    // biome-ignore lint/complexity/useMathMinMax: Math.min takes no bigint
    const amount = shipped.amount < left ? shipped.amount : left
    room.set(shipped.itemId, left - amount)
    if (amount > 0n) kept.push({ ...shipped, amount })
  }
  return kept
}

/** The cost of a line that is only written: quantity × the average of the moment. */
export const costWhenWritten = (amount: Quantity, cost: Cost): Money => toMoney(worth(amount, cost.average))

/** The cost of lines whose goods are deducted: what the ledger took for them; what has not left yet stays at the average. */
export function costWhenDeducted(
  line: SaleLine,
  posting: Posting,
  costs: ReadonlyMap<number, Cost>,
  lines: readonly SaleLine[],
): Money {
  const net = posting.net.get(line.itemId) ?? { onHand: 0n, value: 0n }
  const sold = lines.reduce((sum, one) => (one.itemId === line.itemId ? sum + one.amount : sum), 0n)
  const average = (posting.costs.get(line.itemId) ?? costs.get(line.itemId) ?? noCost).average
  const value = -net.value + worth(sold + net.onHand, average)
  return toMoney(divide(value * line.amount, sold))
}

/** What the sale orders to be made; nothing when it is fulfilled from stock, and nothing while it is canceled. */
export function productionOrder(sale: Sale): Order | undefined {
  if (!sale.production || sale.status === status.canceled) return undefined
  const lines = sale.lines.filter((line) => line.kind === 'product').map(({ itemId, amount }) => ({ itemId, amount }))
  const { id: saleId, datePlaced, productsStorageId, materialsStorageId } = sale
  return { saleId, datePlaced, productsStorageId, materialsStorageId, lines }
}
