// Browsing purchases, finding those with a number, and the card of one.

import { searchedName, supplier } from '../contacts/contact.ts'
import { documentBrowse, notCanceled } from '../documents/browse.ts'
import { partsField, viewCard } from '../documents/card.ts'
import { documentFindNumber } from '../documents/find-number.ts'
import { openPurchases, paymentStatusTable, purchaseStatus, purchaseStatusTable } from '../kernel/document-statuses.ts'
import { allCodes } from '../kernel/status.ts'
import { by, byKey } from '../platform/lists/browse.ts'
import { codesFilter, idFilter } from '../platform/lists/browse-filters.ts'
import { purchaseKind } from './purchase.ts'
import { purchaseView } from './store.ts'

export const browsePurchases = documentBrowse({
  kind: purchaseKind,
  fields: purchaseView.fields,
  show: [
    'id',
    'num',
    'status',
    'payment',
    'date_placed',
    'date_received',
    'supplier_id',
    'supplier_name',
    'amount',
    'lines',
    'total',
    'source',
    'notes',
  ],
  from: 'left join suppliers u on u.company_id = :company_id and u.id = d.supplier_id',
  sorts: {
    supplier_name: byKey('u.name_key'),
    date_received: by('d.date_received'),
  },
  search: `d.supplier_id in (select q.id from suppliers q where q.company_id = :company_id and ${searchedName('q')} like :search)`,
  filters: [
    codesFilter('status', 'Only these statuses.', 'd.status', allCodes(purchaseStatusTable)),
    codesFilter('payment', 'Only these payment statuses.', 'd.payment', allCodes(paymentStatusTable)),
    idFilter('supplier_id', 'Only purchases from this supplier.', 'd.supplier_id = :supplier_id'),
  ],
  cuts: {
    open: `d.status in (${openPurchases})`,
    received: `d.status = ${purchaseStatus.received}`,
    canceled: `d.status = ${purchaseStatus.canceled}`,
  },
  totals: { total: { sum: 'd.total', meaning: 'Sum of the totals.', example: 37 } },
  summedWhere: notCanceled,
})

export const findPurchaseNumber = documentFindNumber({
  kind: purchaseKind,
  party: supplier,
  statuses: purchaseStatusTable,
  example: { num: 'P-17', party: 'Sawmill' },
})

export const purchaseCard = viewCard(purchaseKind, purchaseView, {
  fields: { receipts: partsField('purchase_receipts', 'purchase_id', 'receipt', 'What has come, receipt by receipt.') },
})
