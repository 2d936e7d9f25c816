// The rules of a sale: its fields, the effect of its status on stock, and the cost of its goods. Pure.

import {
  byItem,
  type DocumentKind,
  type DocumentRules,
  ledgerCosts,
  lineSums,
  moneySums,
  pricedLineRow,
  type StockDocument,
  storageOf,
} from '../documents/document.ts'
import type { DocumentLine } from '../documents/lines.ts'
import { type DocumentPart, leftOf, type PartTerms, shownParts } from '../documents/parts.ts'
import { eventOfSkipped, type SkippedLine } from '../documents/skipped-lines.ts'
import type { ProductionOrder } from '../fulfilment/made-to-order.ts'
import { type Money, moneyText, toMoney, type Value, valueText } from '../kernel/decimal.ts'
import { saleStatus, saleStatusTable } from '../kernel/document-statuses.ts'
import { movesGoods } from '../kernel/status.ts'
import { type Effect, type Move, noEffect, type Reservation } from '../stock/posting.ts'
import { type SaleTax, storedTax } from './tax.ts'

export const saleKind: DocumentKind = {
  section: 'orders',
  noun: 'order',
  entity: 'Order',
  word: 'sale',
  counter: 'sale_id',
  table: 'sales',
  linesTable: 'sale_lines',
  key: 'sale_id',
  ledger: 'sales',
  listedBy: 'date_placed',
}

/** Of shipping a sale in parts. */
export const shippingTerms: PartTerms = { of: saleKind, verb: 'ship', done: 'shipped' }

export type Sale = StockDocument & {
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
  /** Null in sales of older servers, which show those of the customer. */
  readonly billingAddress: string | null
  readonly deliveryAddress: string | null
  /** Null when the company charged none, and in sales of older servers. */
  readonly tax: SaleTax | null
  readonly shipments: readonly DocumentPart[]
  readonly skipped: readonly SkippedLine[]
}

export const saleRules: DocumentRules<Sale> = {
  kind: saleKind,
  listedOn: (sale) => sale.datePlaced,
  effectOf,
  costed: (sale, before, posting, costs) => {
    // Fixed when a line is written, and again when its own goods are deducted. Later receipts do not change it.
    const rewritten = sale.lines !== before?.lines
    const { recosted } = posting
    if (!hasShippedGoods(sale) || !(rewritten || recosted.size > 0)) return sale
    const settled = ledgerCosts(sale.lines, posting, costs)
    return {
      ...sale,
      lines: sale.lines.map((line, at) => (rewritten || recosted.has(line.itemId) ? (settled[at] ?? line) : line)),
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
    cost: moneyText(costOf(sale.lines)),
    production: sale.production,
    notes: sale.notes,
    products_storage_id: sale.productsStorageId,
    materials_storage_id: sale.materialsStorageId,
    customer_id: sale.customerId,
    billing_address: sale.billingAddress,
    delivery_address: sale.deliveryAddress,
    // A company without tax rates sees nothing of it.
    ...(sale.tax === null ? {} : { tax: storedTax(sale) }),
    // Not columns: shipments and skipped lines have their own tables, but events record them.
    shipments: shownParts(sale.shipments),
    skipped: eventOfSkipped(sale.skipped),
  }),
  lineRow: (line) => ({ ...pricedLineRow(line), exact_cost: valueText(exactCostOf(line)) }),
  derived: (sale) => ({
    cost_known: isCostKnown(sale.lines),
    tax: sale.tax === null ? null : JSON.stringify(storedTax(sale)),
  }),
}

const exactCostOf = ({ cost, exactCost }: DocumentLine): Value => exactCost ?? cost * 10_000n

/** Goods of an item that was never received or made have no cost. The sum of the others is not the cost of the sale. */
const isCostKnown = (lines: readonly DocumentLine[]): boolean =>
  lines.length > 0 && lines.every((line) => exactCostOf(line) !== 0n)

/** Summed exactly and rounded once: three lines worth 0.0333 cost 0.10. */
const costOf = (lines: readonly DocumentLine[]): Money =>
  toMoney(lines.reduce((sum, line) => sum + exactCostOf(line), 0n))

/**
 * New and Packed reserve all lines, Partially shipped reserves what is not shipped yet, Shipped deducts all, Canceled does nothing.
 * Shipped goods count as reserved from the day of the sale to the day of shipping, so that past stock levels are correct for every day.
 */
function effectOf(sale: Sale): Effect {
  if (sale.status === saleStatus.canceled) return noEffect
  const moves: Move[] = []
  const reservations: Reservation[] = []
  const shippedOf = Map.groupBy(hasShippedGoods(sale) ? sale.shipments : [], ({ itemId }) => itemId)
  for (const { itemId, kind, amount } of byItem(sale.lines)) {
    const storageId = storageOf(kind, sale)
    const left = shippedOf.get(itemId) ?? []
    const rest = amount - left.reduce((sum, shipped) => sum + shipped.amount, 0n)
    const leaving = [
      ...left,
      ...(sale.status === saleStatus.shipped && rest > 0n ? [{ date: deductedOn(sale), amount: rest }] : []),
    ]
    for (const { date, amount: shippedAmount } of leaving) {
      moves.push({ storageId, itemId, date, onHand: -shippedAmount })
      if (date <= sale.datePlaced) continue
      reservations.push(
        { storageId, itemId, date: sale.datePlaced, reserved: shippedAmount },
        { storageId, itemId, date, reserved: -shippedAmount },
      )
    }
    if (sale.status !== saleStatus.shipped && rest > 0n)
      reservations.push({ storageId, itemId, date: sale.datePlaced, reserved: rest })
  }
  return { moves, reservations }
}

export const hasShippedGoods = (sale: { readonly status: number }): boolean => movesGoods(saleStatusTable, sale.status)

function deductedOn(sale: Sale): string {
  if (sale.dateDeducted === null) throw new Error(`shipped sale ${sale.id} has no date of deduction`)
  return sale.dateDeducted
}

/** A sale with another status and the fields that depend on it. */
export function withStatus(sale: Sale, wanted: number, dateShipped: string | undefined, today: string): Sale {
  if (wanted === saleStatus.shipped) {
    const date =
      dateShipped ?? sale.dateShipped ?? (sale.status === saleStatus.shipped ? sale.dateDeducted : null) ?? today
    return { ...sale, status: wanted, dateShipped: dateShipped ?? sale.dateShipped, dateDeducted: date }
  }
  // Any other status reverses the shipments.
  return { ...sale, status: wanted, dateDeducted: null, shipments: sale.shipments.length === 0 ? sale.shipments : [] }
}

/** A sale with a new shipment: Shipped when nothing is left, on the date `given` if there is one. `day` is the day of the shipment. */
export function afterShipment(sale: Sale, given: string | undefined, day: string): Sale {
  if (leftOf(sale.lines, sale.shipments).size > 0) return { ...sale, status: saleStatus.partlyShipped }
  return { ...sale, status: saleStatus.shipped, dateShipped: given ?? sale.dateShipped, dateDeducted: day }
}

/** The production that the sale orders; `undefined` when it is fulfilled from stock or canceled. */
export function productionOrder(sale: Sale): ProductionOrder | undefined {
  if (!sale.production || sale.status === saleStatus.canceled) return undefined
  const lines = sale.lines.filter((line) => line.kind === 'product')
  const { id: saleId, datePlaced, productsStorageId, materialsStorageId } = sale
  const isShipped = sale.status === saleStatus.shipped
  return { saleId, datePlaced, productsStorageId, materialsStorageId, lines, isShipped }
}
