// Deciding what becomes of a sale: the change of the document, and of the production that it orders. Pure.

import { type Change, type Present, planChange } from '../documents/document.ts'
import { type ProductionChange, planProduction } from '../fulfilment/made-to-order.ts'
import type { Production } from '../fulfilment/production.ts'
import type { Moment } from '../kernel/clock.ts'
import type { Items } from '../stock/items.ts'
import { productionOrder, type Sale, saleRules } from './sale.ts'

export type PresentSale = Present<Sale> & { readonly production: Production | undefined }
export type SaleChange = Change<Sale> & { readonly production: ProductionChange }

/** `after` is absent when the sale is deleted, `present` when it is new. */
export function planSale(
  present: PresentSale | undefined,
  after: Sale | undefined,
  items: Items,
  moment: Moment,
): SaleChange {
  const change = planChange(saleRules, present, after, items.costs, moment)
  const [before, order] = [present?.document, after].map((sale) =>
    sale === undefined ? undefined : productionOrder(sale),
  )
  return { ...change, production: planProduction(present?.production, before, order, items, moment) }
}
