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

const touchSale = statement<never, { readonly company_id: number; readonly sale_id: number; readonly at: string }>(
  'productions.touch_order',
  'update sales set updated_at = :at where company_id = :company_id and id = :sale_id',
)

/** What a sale shows of its production: a change of it is a change of the sale. */
type Linking = { readonly saleId: number | null; readonly num: string } | undefined

const isRenumbered = (before: Linking, after: Linking): boolean =>
  before !== undefined && after !== undefined && before.saleId === after.saleId && before.num !== after.num

/** A sale is marked as made to order exactly while it has a production. */
export function linkStatements(before: Linking, after: Linking, { context, at }: TransactionContext): Statement[] {
  const company_id = context.companyId
  const [from, to] = [before?.saleId ?? null, after?.saleId ?? null]
  if (from === to) return to !== null && isRenumbered(before, after) ? [touchSale({ company_id, sale_id: to, at })] : []
  return [
    ...(from === null ? [] : [markMadeToOrder({ company_id, sale_id: from, production: false, at })]),
    ...(to === null ? [] : [markMadeToOrder({ company_id, sale_id: to, production: true, at })]),
  ]
}

/** The events of the sales that the production is unlinked from and linked to, or that show its new number. */
export function linkEvents(before: Linking, after: Linking): RelatedEvent[] {
  const changed = (recordId: number, change: object): RelatedEvent => ({
    record: 'sale',
    recordId,
    change,
    action: 'updated',
  })
  const [from, to] = [before?.saleId ?? null, after?.saleId ?? null]
  if (from === to)
    return to !== null && isRenumbered(before, after)
      ? [changed(to, { production_num: [before?.num, after?.num] })]
      : []
  return [
    ...(from === null ? [] : [changed(from, { production: [true, false], production_num: [before?.num, null] })]),
    ...(to === null ? [] : [changed(to, { production: [false, true], production_num: [null, after?.num] })]),
  ]
}
