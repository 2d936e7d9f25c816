// Deciding what becomes of a sale: the change of the document, and of the production that it orders. Pure.

import { type Change, type Present, planChange } from '../documents/document.ts'
import { type Production, type ProductionChange, planProduction } from '../fulfilment/made-to-order.ts'
import type { Moment } from '../kernel/clock.ts'
import type { Cost } from '../stock/posting.ts'
import { productionOrder, type Sale, saleRules } from './sale.ts'

export type PresentSale = Present<Sale> & { readonly production: Production | undefined }
export type SaleChange = Change<Sale> & { readonly production: ProductionChange }

/** `after` is absent when the sale is deleted, `present` when it is new. */
export function planSale(
  present: PresentSale | undefined,
  after: Sale | undefined,
  costs: ReadonlyMap<number, Cost>,
  moment: Moment,
): SaleChange {
  const change = planChange(saleRules, present, after, costs, moment)
  const order = after === undefined ? undefined : productionOrder(after)
  return { ...change, production: planProduction(present?.production, order, moment) }
}
