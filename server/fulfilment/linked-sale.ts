// The sale that a production is made for: the facts that the production needs, and the made-to-order flag of the sale.

import type { DocumentLine } from '../documents/lines.ts'
import type { TransactionContext } from '../kernel/clock.ts'
import { quantityFrom } from '../kernel/decimal.ts'
import { saleStatus } from '../kernel/document-statuses.ts'
import type { RelatedEvent } from '../kernel/method.ts'
import { type Statement, statement } from '../kernel/statement.ts'
import type { Items } from '../stock/items.ts'

/** A sale that a production names, the production linked to it, and its product lines. */
export type LinkedSale = {
  readonly id: number
  readonly canceled: boolean
  readonly production_id: number | null
  readonly lines: readonly (readonly [itemId: number, amount: string])[]
}

/** A subselect for a facts statement. */
export const linkedSaleFacts = (saleId: string): string => `(
  select json_build_object('id', s.id, 'canceled', s.status = ${saleStatus.canceled}, 'production_id', (
      select p.id from productions p where p.company_id = :company_id and p.sale_id = s.id),
    'lines', (
      select coalesce(json_agg(json_build_array(l.item_id, l.amount::text) order by l.position), '[]'::json)
      from sale_lines l join items i on i.company_id = :company_id and i.id = l.item_id and i.kind = 'product'
      where l.company_id = :company_id and l.sale_id = s.id))
  from sales s where s.company_id = :company_id and s.id = ${saleId}
)`

export const nothingToMake = 'Order has no products with components'
export const saleUnavailable = 'Order is canceled or has another production'

/** The ordered products as lines of the production. */
export const orderedLines = (sale: LinkedSale, items: Items): DocumentLine[] =>
  sale.lines.map(([itemId, amount]) => {
    const { kind, unitId } = items.load(itemId)
    return { itemId, kind, unitId, amount: quantityFrom(amount), total: 0n, cost: 0n }
  })

const markMadeToOrder = statement<
  never,
  { readonly company_id: number; readonly sale_id: number; readonly production: boolean; readonly at: string }
>(
  'productions.mark_order',
  'update sales set production = :production, updated_at = :at where company_id = :company_id and id = :sale_id',
)

/** A sale is marked as made to order exactly while it has a production. */
export function linkStatements(
  before: number | null,
  after: number | null,
  { context, at }: TransactionContext,
): Statement[] {
  if (before === after) return []
  const company_id = context.companyId
  return [
    ...(before === null ? [] : [markMadeToOrder({ company_id, sale_id: before, production: false, at })]),
    ...(after === null ? [] : [markMadeToOrder({ company_id, sale_id: after, production: true, at })]),
  ]
}

export function linkEvents(before: number | null, after: number | null): RelatedEvent[] {
  if (before === after) return []
  const marked = (saleId: number, production: boolean): RelatedEvent => ({
    record: 'sale',
    recordId: saleId,
    change: { production: [!production, production] },
    action: 'updated',
  })
  return [...(before === null ? [] : [marked(before, false)]), ...(after === null ? [] : [marked(after, true)])]
}
