// Whether the goods of open sales are there. Goods are promised in turn: to what is packed or partly shipped first, then by the day of the
// sale, then in the order they came. So the sale that can be shipped shows it, even when there is not enough for all.

import { expectedStock } from '../stock/expected.ts'

// Written so that the planner does not take it for a condition that hardly a sale meets, and look up the lines of each one by one.
const isThere = `case h.kind when 'product' then h.storage_id = s.products_storage_id else h.storage_id = s.materials_storage_id end`

/** What has left of an item of a sale. */
const shippedOf = (sale: string, item: string): string =>
  `coalesce((select sum(p.amount) from sale_shipments p where p.company_id = $1 and p.sale_id = ${sale} and p.item_id = ${item}), 0)`

// Nothing is looked at while nothing is short. Only what is partly shipped must be summed up to know what is left of it. The sum over its turn takes all lines of a sale at once.
const needed = `
  select s.id, h.storage_id, h.item_id, h.on_hand, s.status = 0, s.date_placed, l.amount
  from short h
  join sale_lines l on l.company_id = $1 and l.item_id = h.item_id
  join sales s on s.company_id = $1 and s.id = l.sale_id and s.status in (0, 1) and ${isThere}
  where exists (select from short)
  union all
  select s.id, h.storage_id, h.item_id, h.on_hand, false, s.date_placed, sum(l.amount) - ${shippedOf('s.id', 'h.item_id')}
  from short h
  join sale_lines l on l.company_id = $1 and l.item_id = h.item_id
  join sales s on s.company_id = $1 and s.id = l.sale_id and s.status = 2 and ${isThere}
  where exists (select from short)
  group by s.id, h.storage_id, h.item_id, h.on_hand, s.date_placed
  having sum(l.amount) > ${shippedOf('s.id', 'h.item_id')}`

/**
 * WITH queries. `short`: places where more is reserved than there is. `expected`: what is on its way to them. `waiting`: what open sales lack
 * there, in their turn, and whether it is missing or on its way. `held_up`: the sales that lack something. With `items`, a select of item ids,
 * those and only those are looked at. Company $1.
 */
export const waitingCtes = (items?: string): readonly string[] => [
  `short as materialized (
    select v.storage_id, v.item_id, v.on_hand, i.kind from stock_levels v join items i on i.company_id = $1 and i.id = v.item_id
    where v.company_id = $1 and v.on_hand < v.reserved ${items === undefined ? '' : `and v.item_id in (${items})`})`,
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

/** The availability of a sale d, null when nothing of it is reserved any more. */
export const availability = `case
  when d.status in (3, 4) then null
  when d.id in (select w.sale_id from held_up w where w.is_missing) then 'missing'
  when ${isHeldUp} then 'expected'
  when d.status = 2 and not exists (
    select from (
      select l.item_id, sum(l.amount) as amount from sale_lines l where l.company_id = $1 and l.sale_id = d.id group by l.item_id) l
    where l.amount > ${shippedOf('d.id', 'l.item_id')}) then 'none'
  else 'in_stock' end`

/** What can leave now: packed, begun, or new with all of its goods there. */
export const canShip = `(d.status in (1, 2) or (d.status = 0 and not ${isHeldUp}))`
