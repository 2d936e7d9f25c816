// A purchase as the rules see it. Pure: what it holds, what it brings into stock and at what cost.

import {
  type Document,
  type DocumentKind,
  type DocumentRules,
  lineSums,
  moneySums,
  pricedLineRow,
  storageOf,
  sumOf,
} from '../documents/document.ts'
import type { DocumentLine } from '../documents/lines.ts'
import { type Part, shownParts } from '../documents/parts.ts'
import { divide, type Money, type Quantity, type Value } from '../kernel/decimal.ts'
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

export const partlyReceived = 2
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
  /** What has come with each receipt, while the purchase is received in part or whole. */
  readonly receipts: readonly Part[]
}

export const hasCome = ({ status }: { readonly status: number }): boolean =>
  status === partlyReceived || status === received

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
    notes: purchase.notes,
    // Not a column: receipts have a table of their own, and events show them.
    receipts: shownParts(purchase.receipts),
  }),
  lineRow: pricedLineRow,
}

/**
 * Partially received brings what has come, dated to each receipt; Received the rest as well. What comes is worth its share by quantity of what
 * the item costs, and the shares add up to it exactly.
 */
function effectOf(purchase: Purchase): Effect {
  if (!hasCome(purchase)) return noEffect
  const { dateEffective, receipts } = purchase
  const moves: Move[] = []
  for (const { itemId, kind, amount, value } of boughtOf(purchase.lines)) {
    const storageId = storageOf(kind, purchase)
    const came = receipts.filter((one) => one.itemId === itemId).toSorted((a, b) => a.part - b.part)
    const rest = amount - came.reduce((sum, one) => sum + one.amount, 0n)
    const last = purchase.status === received && dateEffective !== null && rest > 0n
    let before = 0n
    for (const { date, amount: onHand } of [...came, ...(last ? [{ date: dateEffective, amount: rest }] : [])]) {
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

/** Lines of one item taken together, with what all of it costs. */
function boughtOf(lines: readonly DocumentLine[]): readonly Bought[] {
  const sums = new Map<number, Bought>()
  for (const { itemId, kind, amount, cost } of lines) {
    const sum = sums.get(itemId)
    sums.set(itemId, { itemId, kind, amount: (sum?.amount ?? 0n) + amount, value: (sum?.value ?? 0n) + cost * 10_000n })
  }
  return [...sums.values()]
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
