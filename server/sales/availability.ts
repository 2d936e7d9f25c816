// Availability of the goods of open sales. Stock is allocated to packed and partially shipped sales first, then by the day of the sale, then in
// the order of creation. So a sale that can be shipped is shown as such, even when stock does not cover all sales.

import { closedSales, openSales, saleStatus, unshippedSales } from '../kernel/document-statuses.ts'
import { expectedStock } from '../stock/expected.ts'

// Written this way so that the planner does not consider it highly selective and look up the lines of each sale separately.
const isAtStorage = `case h.kind when 'product' then h.storage_id = s.products_storage_id else h.storage_id = s.materials_storage_id end`

/** The shipped quantity of an item of a sale. */
const shippedOf = (sale: string, item: string): string =>
  `coalesce((select sum(p.amount) from sale_shipments p where p.company_id = :company_id and p.sale_id = ${sale} and p.item_id = ${item}), 0)`

// Skip everything when no item is short. Only partially shipped sales need a sum for what remains. The window sum covers all lines of a sale at once.
const needed = `
  select s.id, h.storage_id, h.item_id, h.on_hand, s.status = ${saleStatus.new}, s.date_placed, l.amount
  from short h
  join sale_lines l on l.company_id = :company_id and l.item_id = h.item_id
  join sales s on s.company_id = :company_id and s.id = l.sale_id and s.status in (${unshippedSales}) and ${isAtStorage}
  where exists (select from short)
  union all
  select s.id, h.storage_id, h.item_id, h.on_hand, false, s.date_placed, sum(l.amount) - ${shippedOf('s.id', 'h.item_id')}
  from short h
  join sale_lines l on l.company_id = :company_id and l.item_id = h.item_id
  join sales s on s.company_id = :company_id and s.id = l.sale_id and s.status = ${saleStatus.partlyShipped} and ${isAtStorage}
  where exists (select from short)
  group by s.id, h.storage_id, h.item_id, h.on_hand, s.date_placed
  having sum(l.amount) > ${shippedOf('s.id', 'h.item_id')}`

/**
 * WITH queries. `short`: storage locations and items with more reserved than on hand. `expected`: incoming quantities for them. `waiting`: what
 * open sales lack, in order of allocation, and whether it is missing or expected. `held_up`: the sales that lack something. `items`, a select
 * of item ids, restricts the queries to those items.
 */
export const waitingCtes = (items?: string): readonly string[] => [
  `short as materialized (
    select v.storage_id, v.item_id, v.on_hand, i.kind from stock_levels v join items i on i.company_id = :company_id and i.id = v.item_id
    where v.company_id = :company_id and v.on_hand < v.reserved ${items === undefined ? '' : `and v.item_id in (${items})`})`,
  `expected as materialized (${expectedStock(items ?? 'select h.item_id from short h')})`,
  `waiting as materialized (
    select distinct w.sale_id, w.item_id, w.reaches > w.on_hand + coalesce(x.amount, 0) as is_missing from (
      select n.sale_id, n.storage_id, n.item_id, n.on_hand,
        sum(n.amount) over (partition by n.storage_id, n.item_id order by n.comes_later, n.date_placed, n.sale_id) as reaches
      from (${needed}) n (sale_id, storage_id, item_id, on_hand, comes_later, date_placed, amount)) w
    left join expected x on x.storage_id = w.storage_id and x.item_id = w.item_id
    where w.reaches > w.on_hand)`,
  'held_up as materialized (select w.sale_id, bool_or(w.is_missing) as is_missing from waiting w group by w.sale_id)',
]

const isHeldUp = 'd.id in (select w.sale_id from held_up w)'

/** Something of a sale d has not been shipped yet. */
const hasRest = `exists (
    select from (
      select l.item_id, sum(l.amount) as amount from sale_lines l where l.company_id = :company_id and l.sale_id = d.id group by l.item_id) l
    where l.amount > ${shippedOf('d.id', 'l.item_id')})`

/** The availability of a sale d, null when none of its goods is reserved. */
export const availability = `case
  when d.status in (${closedSales}) then null
  when d.id in (select w.sale_id from held_up w where w.is_missing) then 'missing'
  when ${isHeldUp} then 'expected'
  when d.status = ${saleStatus.partlyShipped} and not ${hasRest} then 'none'
  else 'in_stock' end`

/** Whether a sale can be shipped now: something remains, and all of it is in stock. These sales have the availability `in_stock`. */
export const canShip = `(d.status in (${openSales}) and not ${isHeldUp} and (d.status <> ${saleStatus.partlyShipped} or ${hasRest}))`
