// A purchase as the rules see it. Pure: what it holds, what it brings into stock and at what cost.

import { type Document, type DocumentKind, type DocumentRules, lineSums, sumOf } from '../documents/document.ts'
import type { DocumentLine } from '../documents/lines.ts'
import { divide, type Money, moneyText, quantityText } from '../kernel/decimal.ts'
import { type Effect, noEffect } from '../stock/posting.ts'

export const purchaseKind: DocumentKind = {
  section: 'purchases',
  noun: 'purchase',
  entity: 'Purchase',
  counter: 'purchase_id',
  table: 'purchases',
  linesTable: 'purchase_lines',
  key: 'purchase_id',
  ledger: 'purchases',
  listedBy: 'date_placed',
  numbers: { counter: 'purchase_number', prefix: 'P-' },
}

export const received = 3
/** 2, Partially received, arises only when part of a purchase is received in the screens. */
export const purchaseStatuses = [0, 1, 3, 4] as const

export type Purchase = Document & {
  readonly status: number
  readonly payment: number
  readonly datePlaced: string
  readonly dateReceived: string | null
  /** The day of the receipt in the ledger, while there is one. */
  readonly dateEffective: string | null
  readonly deliveryPrice: Money
  readonly discount: Money
  readonly notes: string
  readonly productsStorageId: number
  readonly materialsStorageId: number
  readonly supplierId: number
}

export const purchaseRules: DocumentRules<Purchase> = {
  kind: purchaseKind,
  listedOn: (purchase) => purchase.datePlaced,
  effectOf,
  costed: (purchase) => purchase,
  row: (purchase) => {
    const subtotal = sumOf(purchase.lines, 'total')
    return {
      num: purchase.num,
      status: purchase.status,
      payment: purchase.payment,
      date_placed: purchase.datePlaced,
      date_received: purchase.dateReceived,
      date_effective: purchase.dateEffective,
      products_storage_id: purchase.productsStorageId,
      materials_storage_id: purchase.materialsStorageId,
      supplier_id: purchase.supplierId,
      delivery_price: moneyText(purchase.deliveryPrice),
      discount: moneyText(purchase.discount),
      subtotal: moneyText(subtotal),
      total: moneyText(subtotal + purchase.deliveryPrice - purchase.discount),
      ...lineSums(purchase.lines),
      notes: purchase.notes,
    }
  },
  lineRow: (line) => ({
    item_id: line.itemId,
    amount: quantityText(line.amount),
    total: moneyText(line.total),
    cost: moneyText(line.cost),
  }),
}

function effectOf(purchase: Purchase): Effect {
  if (purchase.status !== received || purchase.dateEffective === null) return noEffect
  const { dateEffective: date, productsStorageId, materialsStorageId } = purchase
  const moves = purchase.lines.map(({ itemId, kind, amount, cost }) => ({
    storageId: kind === 'product' ? productsStorageId : materialsStorageId,
    itemId,
    date,
    onHand: amount,
    value: cost * 10_000n,
  }))
  return { moves, reservations: [] }
}

/** What a line costs: its total, and its share by value of delivery less discount. The shares add up to the cent. */
export function withShares<L extends DocumentLine>(lines: readonly L[], extra: Money): L[] {
  const subtotal = sumOf(lines, 'total')
  // Where the lines are worth nothing, each carries the same.
  const weight = (line: L): bigint => (subtotal > 0n ? line.total : 1n)
  const all = subtotal > 0n ? subtotal : BigInt(lines.length)
  let before = 0n
  let given = 0n
  return lines.map((line) => {
    before += weight(line)
    const share = divide(extra * before, all) - given
    given += share
    const cost = line.total + share
    // A discount larger than the goods does not make them cost less than nothing.
    return { ...line, cost: cost < 0n ? 0n : cost }
  })
}
