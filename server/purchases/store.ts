// The SQL of purchases, and a purchase read from it.

import { supplier } from '../contacts/contact.ts'
import { partyFields, partyJoin } from '../contacts/view.ts'
import type { Present } from '../documents/document.ts'
import { type DocumentFacts, declareStore, type NamedFacts } from '../documents/store.ts'
import {
  bothStorageJoins,
  bothStorages,
  codeField,
  commonFields,
  dayField,
  documentView,
  idAndNumber,
  lineEnd,
  lineFields,
  lineMoney,
  linesOfKind,
  money,
} from '../documents/view.ts'
import { moneyFrom, quantityFrom } from '../kernel/decimal.ts'
import type { LineKind } from '../stock/items.ts'
import { readPosted } from '../stock/ledger.ts'
import { type Purchase, purchaseKind } from './purchase.ts'

type Row = {
  readonly num: string
  readonly status: number
  readonly payment: number
  readonly date_placed: string
  readonly date_received: string | null
  readonly date_effective: string | null
  readonly delivery_price: string
  readonly discount: string
  readonly notes: string
  readonly products_storage_id: number
  readonly materials_storage_id: number
  readonly supplier_id: number
}
type Line = {
  readonly item_id: number
  readonly kind: LineKind
  readonly unit_id: number
  readonly amount: string
  readonly total: string
  readonly cost: string
}

export type PurchaseFacts = NamedFacts & Partial<DocumentFacts<Row, Line>>

export const purchaseStore = declareStore<Row, Line>({
  kind: purchaseKind,
  party: supplier,
  columns: {
    num: 'plain',
    num_key: 'plain',
    status: 'plain',
    payment: 'plain',
    date_placed: 'plain',
    date_received: 'plain',
    date_effective: 'plain',
    products_storage_id: 'plain',
    materials_storage_id: 'plain',
    supplier_id: 'plain',
    delivery_price: 'decimal',
    discount: 'decimal',
    subtotal: 'decimal',
    total: 'decimal',
    cost: 'decimal',
    amount: 'decimal',
    lines: 'plain',
    notes: 'plain',
  },
  lineColumns: { item_id: 'bigint', amount: 'numeric', total: 'numeric', cost: 'numeric' },
})

export function loadPurchase({ document: row, posted = [] }: PurchaseFacts): Present<Purchase> | undefined {
  if (row === undefined || row === null) return undefined
  return {
    document: {
      id: row.id,
      num: row.num,
      status: row.status,
      payment: row.payment,
      datePlaced: row.date_placed,
      dateReceived: row.date_received,
      dateEffective: row.date_effective,
      deliveryPrice: moneyFrom(row.delivery_price),
      discount: moneyFrom(row.discount),
      notes: row.notes,
      productsStorageId: row.products_storage_id,
      materialsStorageId: row.materials_storage_id,
      supplierId: row.supplier_id,
      lines: row.line_rows.map((line) => ({
        itemId: line.item_id,
        kind: line.kind,
        unitId: line.unit_id,
        amount: quantityFrom(line.amount),
        total: moneyFrom(line.total),
        cost: moneyFrom(line.cost),
      })),
    },
    posted: readPosted(posted),
  }
}

const line = { ...lineFields, ...lineMoney, ...lineEnd }

export const purchaseView = documentView(
  purchaseKind,
  {
    ...idAndNumber,
    status: codeField('status', '0 New, 1 Ordered, 2 Partially received, 3 Received, 4 Canceled.'),
    payment: codeField('payment', '0 Unpaid, 1 Partially paid, 2 Paid.'),
    date_placed: dayField('date_placed', 'Day of the purchase,'),
    date_received: dayField('date_received', 'Day of the receipt,', ''),
    subtotal: money('subtotal', 'Sum of the lines.'),
    delivery_price: money('delivery_price', 'Price of delivery.', 0),
    discount: money('discount', 'Discount.', 0),
    total: money('total', 'subtotal + delivery_price - discount.'),
    ...bothStorages,
    ...partyFields(supplier),
    ...commonFields,
  },
  `${bothStorageJoins} ${partyJoin(supplier)}`,
  [linesOfKind(purchaseKind, 'product', line), linesOfKind(purchaseKind, 'material', line)],
)
