// Purchases as documents that skip lines: how the methods for skipped lines read, change and write many of them at once.

import { planChange } from '../documents/document.ts'
import type { SkippingSection } from '../documents/skipping.ts'
import { closedPurchases } from '../kernel/document-statuses.ts'
import { refuse } from '../kernel/refusal.ts'
import { missing } from '../platform/lists/record-methods.ts'
import { Items } from '../stock/items.ts'
import { type Purchase, purchaseKind, purchaseRules, withShares } from './purchase.ts'
import { loadPurchase, type PurchaseFacts, purchaseStore, writtenPurchase } from './store.ts'

export const skippingPurchases: SkippingSection<PurchaseFacts> = {
  record: 'purchase',
  table: purchaseKind.table,
  skippedTable: 'purchase_skipped_lines',
  key: purchaseKind.key,
  closed: closedPurchases,
  parties: { table: 'suppliers', key: 'supplier_id' },
  facts: purchaseStore.factsOfEach,
  values: purchaseStore.valuesOfEach,
  idOf: ({ document }) => document?.id,
  plan: (facts, change, { costs, transaction }) => {
    const items = new Items(facts, costs)
    const present = loadPurchase(facts) ?? refuse(missing(purchaseKind), { code: 'record_not_found' })
    const purchase = present.document
    const parts = change(purchase, items, facts.company)
    // Delivery and discount are spread over the lines.
    const lines =
      parts.lines === purchase.lines ? parts.lines : withShares(parts.lines, purchase.deliveryPrice - purchase.discount)
    const after: Purchase = { ...purchase, ...parts, lines }
    const planned = planChange(purchaseRules, present, after, items, transaction)
    const { id, diff, posting } = planned
    return {
      events:
        Object.keys(diff).length === 0
          ? []
          : [{ record: purchaseKind.noun, recordId: id, change: diff, action: 'updated' }],
      costs: posting.costs,
      write: (whole) => writtenPurchase(planned, whole)?.statements ?? [],
    }
  },
}
