// The SQL of purchases, and reading a purchase from its rows.

import { supplier } from '../contacts/contact.ts'
import type { PartyFacts } from '../contacts/party.ts'
import { partyFields, partyJoin } from '../contacts/view.ts'
import type { Change, Present } from '../documents/document.ts'
import type { DocumentFacts, NamedFacts } from '../documents/facts.ts'
import { declareParts, type PartFacts, readParts } from '../documents/parts.ts'
import { declareSkippedLines, readSkipped, type SkippedFacts } from '../documents/skipped-lines.ts'
import { declareStore, type PricedLine, readLines } from '../documents/store.ts'
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
  linesByKind,
  money,
} from '../documents/view.ts'
import type { RequestContext, TransactionContext } from '../kernel/clock.ts'
import { moneyFrom } from '../kernel/decimal.ts'
import { paymentStatusTable, purchaseStatusTable } from '../kernel/document-statuses.ts'
import type { Written } from '../kernel/method.ts'
import type { Statement } from '../kernel/statement.ts'
import { numberField } from '../platform/lists/record-fields.ts'
import { readPosted } from '../stock/ledger.ts'
import { type Purchase, purchaseKind, purchaseRules } from './purchase.ts'

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
export type PurchaseFacts = NamedFacts &
  PartyFacts &
  Partial<DocumentFacts<Row, PricedLine>> & { readonly receipts?: PartFacts; readonly skipped?: SkippedFacts }

const receiptParts = declareParts({ table: 'purchase_receipts', key: 'purchase_id', number: 'receipt' })
const skippedTable = declareSkippedLines({ table: 'purchase_skipped_lines', key: 'purchase_id' })

export const purchaseStore = declareStore<Row, PricedLine>({
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
    adjustment: 'decimal',
    amount: 'decimal',
    lines: 'plain',
    notes: 'plain',
  },
  lineColumns: { item_id: 'bigint', amount: 'numeric', total: 'numeric', cost: 'numeric' },
  extraValues: {},
  moreFacts: `${receiptParts.facts} as receipts, ${skippedTable.facts} as skipped`,
})

/** For methods that refer only to the purchase itself. */
export const factsOfPurchase = (context: RequestContext, id: number): Statement<PurchaseFacts> =>
  purchaseStore.facts(context, id, {}) as Statement as Statement<PurchaseFacts>

/** Receipts and skipped lines reference the purchase: they are deleted before it and inserted after it. */
export const writeParts = ({ id, before, after }: Change<Purchase>, { context }: TransactionContext): Statement[] => [
  ...receiptParts.write(context.companyId, id, before?.receipts ?? [], after?.receipts ?? []),
  ...skippedTable.write(context.companyId, id, before?.skipped ?? [], after?.skipped ?? []),
]

/** The statements of a change to an existing purchase; `undefined` when nothing changed. */
export const writtenPurchase = (change: Change<Purchase>, transaction: TransactionContext): Written | undefined =>
  Object.keys(change.diff).length === 0
    ? undefined
    : {
        statements: [...purchaseStore.write(purchaseRules, change, transaction), ...writeParts(change, transaction)],
        event: { record: purchaseKind.noun, recordId: change.id, change: change.diff },
      }

export function loadPurchase({
  document: row,
  posted = [],
  receipts = [],
  skipped = [],
}: PurchaseFacts): Present<Purchase> | undefined {
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
      lines: readLines(row.line_rows),
      receipts: readParts(receipts),
      skipped: readSkipped(skipped),
    },
    posted: readPosted(posted),
  }
}

const line = { ...lineFields, ...lineMoney, ...lineEnd }

export const purchaseView = documentView(
  purchaseKind,
  {
    ...idAndNumber,
    status: codeField('status', purchaseStatusTable),
    payment: codeField('payment', paymentStatusTable),
    date_placed: dayField('date_placed', 'Day of the purchase,'),
    date_received: dayField('date_received', 'Day of the receipt,', ''),
    subtotal: money('subtotal', 'Sum of the lines.'),
    delivery_price: money('delivery_price', 'Price of delivery.', 0),
    discount: money('discount', 'Discount.', 0),
    total: money('total', 'subtotal + delivery_price - discount.'),
    ...bothStorages,
    ...partyFields(supplier),
    ...commonFields,
    adjustment: numberField(
      // Purchases written before the column existed have none.
      'coalesce(d.adjustment, d.total - d.cost)',
      'The part of `total` that is in the cost of no line: delivery_price - discount when no line has a positive total.',
      0,
    ),
  },
  `${bothStorageJoins} ${partyJoin(supplier)}`,
  [linesByKind(purchaseKind, line)],
)
