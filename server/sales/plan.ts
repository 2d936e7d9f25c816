// Planning a change of a sale: of the document, and of the production that it orders. Pure.

import { type Change, type Present, planChange } from '../documents/document.ts'
import { type Linked, type ProductionChange, planProduction } from '../fulfilment/made-to-order.ts'
import type { TransactionContext } from '../kernel/clock.ts'
import { saleStatus } from '../kernel/document-statuses.ts'
import type { Items } from '../stock/items.ts'
import { productionOrder, type Sale, saleRules } from './sale.ts'

export type PresentSale = Present<Sale> & Linked
export type SaleChange = Change<Sale> & { readonly production: ProductionChange }

/** `after` is absent when the sale is deleted, `present` when it is new. `isEdited` is false for a change of the status or the shipments only. */
export function planSale(
  present: PresentSale | undefined,
  after: Sale | undefined,
  items: Items,
  transaction: TransactionContext,
  isEdited = false,
): SaleChange {
  const change = planChange(saleRules, present, after, items, transaction)
  const [before, order] = [present?.document, after].map((sale) =>
    sale === undefined ? undefined : productionOrder(sale),
  )
  const linked = present ?? { production: undefined, formerProduction: undefined }
  const canceledSaleId = after?.status === saleStatus.canceled ? after.id : undefined
  // An edit that changes nothing of the sale is not written.
  const step = { before, order, canceledSaleId, isEdited: isEdited && Object.keys(change.diff).length > 0 }
  return { ...change, production: planProduction(linked, step, items, transaction) }
}
