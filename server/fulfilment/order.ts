// The sale that a production is made for: what the production needs to know of it, and the mark that the sale carries.

import type { DocumentLine } from '../documents/lines.ts'
import type { Moment } from '../kernel/clock.ts'
import { quantityFrom } from '../kernel/decimal.ts'
import { type Statement, statement } from '../kernel/statement.ts'
import type { Items } from '../stock/items.ts'

/** A sale that a production names, the production that it has, and its product lines. */
export type LinkedOrder = {
  readonly id: number
  readonly canceled: boolean
  readonly production_id: number | null
  readonly lines: readonly (readonly [itemId: number, amount: string])[]
}

/** A subselect for a facts statement. Company $1. */
export const orderFacts = (saleId: string): string => `(
  select json_build_object('id', s.id, 'canceled', s.status = 4, 'production_id', (
      select p.id from productions p where p.company_id = $1 and p.sale_id = s.id),
    'lines', (
      select coalesce(json_agg(json_build_array(l.item_id, l.amount::text) order by l.position), '[]'::json)
      from sale_lines l join items i on i.company_id = $1 and i.id = l.item_id and i.kind = 'product'
      where l.company_id = $1 and l.sale_id = s.id))
  from sales s where s.company_id = $1 and s.id = ${saleId}
)`

export const orderTaken = 'Order is canceled or has another production'

/** What the sale orders, as lines of the production. */
export const orderedLines = (order: LinkedOrder, items: Items): DocumentLine[] =>
  order.lines.map(([itemId, amount]) => {
    const { kind, unitId } = items.load(itemId)
    return { itemId, kind, unitId, amount: quantityFrom(amount), total: 0n, cost: 0n }
  })

const markOrdered = statement(
  'productions.mark_order',
  'update sales set production = $3, updated_at = $4 where company_id = $1 and id = $2',
)

/** A sale is made to order exactly while it has a production. */
export function linkStatements(before: number | null, after: number | null, { call, at }: Moment): Statement[] {
  if (before === after) return []
  return [
    ...(before === null ? [] : [markOrdered(call.companyId, before, false, at)]),
    ...(after === null ? [] : [markOrdered(call.companyId, after, true, at)]),
  ]
}
