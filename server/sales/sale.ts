// A sale as the rules see it. Pure: what it holds, what its state does to stock, what its goods cost.

import {
  byItem,
  type Document,
  type DocumentKind,
  type DocumentRules,
  ledgerCosts,
  lineSums,
  moneySums,
  pricedLineRow,
  storageOf,
} from '../documents/document.ts'
import { type Part, shownParts } from '../documents/parts.ts'
import type { Order } from '../fulfilment/made-to-order.ts'
import type { Money } from '../kernel/decimal.ts'
import { type Effect, type Move, noEffect, type Reservation } from '../stock/posting.ts'

export const saleKind: DocumentKind = {
  section: 'orders',
  noun: 'order',
  entity: 'Order',
  counter: 'sale_id',
  table: 'sales',
  linesTable: 'sale_lines',
  key: 'sale_id',
  ledger: 'sales',
  listedBy: 'date_placed',
}

export const status = { new: 0, packed: 1, partlyShipped: 2, shipped: 3, canceled: 4 } as const

export type Sale = Document & {
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
  readonly shipments: readonly Part[]
}

export const saleRules: DocumentRules<Sale> = {
  kind: saleKind,
  listedOn: (sale) => sale.datePlaced,
  effectOf,
  costed: (sale, before, posting, costs) => {
    // Fixed when a line is written, and again when its own goods are deducted. Later receipts do not rewrite it.
    const rewritten = sale.lines !== before?.lines
    const moved = new Set(posting.movements.filter((one) => one.onHand !== 0n).map((one) => one.itemId))
    if (!hasLeft(sale) || !(rewritten || moved.size > 0)) return sale
    const settled = ledgerCosts(sale.lines, posting, costs)
    return {
      ...sale,
      lines: sale.lines.map((line, at) => (rewritten || moved.has(line.itemId) ? (settled[at] ?? line) : line)),
    }
  },
  row: (sale) => ({
    num: sale.num,
    status: sale.status,
    payment: sale.payment,
    date_placed: sale.datePlaced,
    date_shipped: sale.dateShipped,
    date_deducted: sale.dateDeducted,
    ...moneySums(sale),
    ...lineSums(sale.lines),
    production: sale.production,
    notes: sale.notes,
    products_storage_id: sale.productsStorageId,
    materials_storage_id: sale.materialsStorageId,
    customer_id: sale.customerId,
    // Not a column: shipments have a table of their own, and events show them.
    shipments: shownParts(sale.shipments),
  }),
  lineRow: pricedLineRow,
}

/**
 * New and Packed reserve all lines, Partially shipped what has not left, Shipped deducts all, Canceled does nothing.
 * What leaves was reserved from the day of the sale to the day it left, so every day's level tells what was so on that day.
 */
function effectOf(sale: Sale): Effect {
  if (sale.status === status.canceled) return noEffect
  const moves: Move[] = []
  const reservations: Reservation[] = []
  for (const { itemId, kind, amount } of byItem(sale.lines)) {
    const storageId = storageOf(kind, sale)
    const left = hasLeft(sale) ? sale.shipments.filter((shipped) => shipped.itemId === itemId) : []
    const rest = amount - left.reduce((sum, shipped) => sum + shipped.amount, 0n)
    const leaving = [
      ...left,
      ...(sale.status === status.shipped && rest > 0n ? [{ date: deductedOn(sale), amount: rest }] : []),
    ]
    for (const { date, amount: gone } of leaving) {
      moves.push({ storageId, itemId, date, onHand: -gone })
      if (date <= sale.datePlaced) continue
      reservations.push(
        { storageId, itemId, date: sale.datePlaced, reserved: gone },
        { storageId, itemId, date, reserved: -gone },
      )
    }
    if (sale.status !== status.shipped && rest > 0n)
      reservations.push({ storageId, itemId, date: sale.datePlaced, reserved: rest })
  }
  return { moves, reservations }
}

export const hasLeft = (sale: { readonly status: number }): boolean =>
  sale.status === status.partlyShipped || sale.status === status.shipped

function deductedOn(sale: Sale): string {
  if (sale.dateDeducted === null) throw new Error(`shipped sale ${sale.id} has no date of deduction`)
  return sale.dateDeducted
}

/** A sale that takes another status: what goes with it. */
export function withStatus(sale: Sale, wanted: number, dateShipped: string | undefined, today: string): Sale {
  if (wanted === status.shipped) {
    const date = dateShipped ?? sale.dateShipped ?? (sale.status === status.shipped ? sale.dateDeducted : null) ?? today
    return { ...sale, status: wanted, dateShipped: dateShipped ?? sale.dateShipped, dateDeducted: date }
  }
  // What had left has come back.
  return { ...sale, status: wanted, dateDeducted: null, shipments: sale.shipments.length === 0 ? sale.shipments : [] }
}

/** What the sale orders to be made; nothing when it is fulfilled from stock, and nothing while it is canceled. */
export function productionOrder(sale: Sale): Order | undefined {
  if (!sale.production || sale.status === status.canceled) return undefined
  const lines = sale.lines.filter((line) => line.kind === 'product')
  const { id: saleId, datePlaced, productsStorageId, materialsStorageId } = sale
  return { saleId, datePlaced, productsStorageId, materialsStorageId, lines }
}
