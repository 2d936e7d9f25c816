// The rules of a purchase: its lines, its receipts into stock and their cost. Pure.

import {
  type DocumentKind,
  type DocumentRules,
  lineSums,
  moneySums,
  pricedLineRow,
  type StockDocument,
  storageOf,
  sumOf,
} from '../documents/document.ts'
import type { DocumentLine } from '../documents/lines.ts'
import { type DocumentPart, shownParts } from '../documents/parts.ts'
import { eventOfSkipped, type SkippedLine } from '../documents/skipped-lines.ts'
import { divide, type Money, moneyText, type Quantity, type Value } from '../kernel/decimal.ts'
import { purchaseStatus, purchaseStatusTable } from '../kernel/document-statuses.ts'
import { movesGoods, settableCodes } from '../kernel/status.ts'
import { type Effect, type Move, noEffect } from '../stock/posting.ts'

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

export const { ordered, partlyReceived, received } = purchaseStatus
export const purchaseStatuses = settableCodes(purchaseStatusTable)

export type Purchase = StockDocument & {
  readonly status: number
  readonly payment: number
  readonly datePlaced: string
  readonly dateReceived: string | null
  /** The day of the receipt in the ledger, while it is received. */
  readonly dateEffective: string | null
  readonly deliveryPrice: Money
  readonly discount: Money
  readonly notes: string
  readonly productsStorageId: number
  readonly materialsStorageId: number
  readonly supplierId: number
  /** The received quantities of each receipt, while the purchase is partially or fully received. */
  readonly receipts: readonly DocumentPart[]
  readonly skipped: readonly SkippedLine[]
}

export const hasReceivedGoods = ({ status }: { readonly status: number }): boolean =>
  movesGoods(purchaseStatusTable, status)

export const purchaseRules: DocumentRules<Purchase> = {
  kind: purchaseKind,
  listedOn: (purchase) => purchase.datePlaced,
  effectOf,
  costed: (purchase) => purchase,
  row: (purchase) => ({
    num: purchase.num,
    status: purchase.status,
    payment: purchase.payment,
    date_placed: purchase.datePlaced,
    date_received: purchase.dateReceived,
    date_effective: purchase.dateEffective,
    products_storage_id: purchase.productsStorageId,
    materials_storage_id: purchase.materialsStorageId,
    supplier_id: purchase.supplierId,
    ...moneySums(purchase),
    ...lineSums(purchase.lines),
    adjustment: moneyText(adjustmentOf(purchase)),
    notes: purchase.notes,
    // Not columns: receipts and skipped lines have their own tables, but events record them.
    receipts: shownParts(purchase.receipts),
    skipped: eventOfSkipped(purchase.skipped),
  }),
  lineRow: pricedLineRow,
}

/**
 * Partially received moves the goods of each receipt on its day; Received also moves the rest. Received goods get a share of the cost of
 * their item by quantity, and the shares add up exactly.
 */
function effectOf(purchase: Purchase): Effect {
  if (!hasReceivedGoods(purchase)) return noEffect
  const { dateEffective, receipts } = purchase
  const moves: Move[] = []
  const receiptsOf = Map.groupBy(receipts, ({ itemId }) => itemId)
  for (const { itemId, kind, amount, value } of boughtOf(purchase.lines)) {
    const storageId = storageOf(kind, purchase)
    const itemReceipts = (receiptsOf.get(itemId) ?? []).toSorted((a, b) => a.part - b.part)
    const rest = amount - itemReceipts.reduce((sum, one) => sum + one.amount, 0n)
    const last = purchase.status === received && dateEffective !== null && rest > 0n
    let before = 0n
    for (const { date, amount: onHand } of [
      ...itemReceipts,
      ...(last ? [{ date: dateEffective, amount: rest }] : []),
    ]) {
      const share = divide(value * (before + onHand), amount) - divide(value * before, amount)
      moves.push({ storageId, itemId, date, onHand, value: share })
      before += onHand
    }
  }
  return { moves, reservations: [] }
}

type Bought = {
  readonly itemId: number
  readonly kind: DocumentLine['kind']
  readonly amount: Quantity
  readonly value: Value
}

/** Lines with the same item merged into one, with their total cost. */
function boughtOf(lines: readonly DocumentLine[]): readonly Bought[] {
  const sums = new Map<number, Bought>()
  for (const { itemId, kind, amount, cost } of lines) {
    const sum = sums.get(itemId)
    sums.set(itemId, { itemId, kind, amount: (sum?.amount ?? 0n) + amount, value: (sum?.value ?? 0n) + cost * 10_000n })
  }
  return [...sums.values()]
}

/**
 * The cost of a line: its total and, if that is positive, its share by value of delivery minus discount. The shares add up to the cent. Lines with a
 * negative total take no share: in proportion to the sum of all lines, one of 100 beside one of -99 would take a hundred times what is spread.
 */
export function withShares<L extends DocumentLine>(lines: readonly L[], extra: Money): L[] {
  const all = lines.reduce((sum, { total }) => (total > 0n ? sum + total : sum), 0n)
  let before = 0n
  let allocated = 0n
  return lines.map((line) => {
    if (line.total <= 0n) return { ...line, cost: line.total }
    before += line.total
    const share = divide(extra * before, all) - allocated
    allocated += share
    return { ...line, cost: line.total + share }
  })
}

/** The part of the total that is in the cost of no line, because no line could take a share of delivery minus discount. */
export const adjustmentOf = ({ lines, deliveryPrice, discount }: Purchase): Money =>
  sumOf(lines, 'total') + deliveryPrice - discount - sumOf(lines, 'cost')
