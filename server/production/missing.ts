// Missing components of open productions. Available stock at the storage location of a component is allocated to productions in progress
// first, then by planned date, then in the order they were placed.

import { openProductions, productionStatus } from '../kernel/document-statuses.ts'

/** The storage location from which the production p takes the component i. */
const takenFrom = `case i.kind when 'product' then p.products_storage_id else p.materials_storage_id end`

/** A WITH query: one row for each item that is missing for an open production. */
export const lackingCte = `lacking as materialized (
  select w.production_id, w.item_id, w.needed, w.there as available, w.needed - w.there as short from (
    select n.production_id, n.item_id, n.needed,
      greatest(coalesce(v.on_hand - v.reserved, 0) - (sum(n.needed) over (
        partition by n.storage_id, n.item_id order by n.comes_later, n.date_planned nulls last, n.date_placed, n.production_id) - n.needed), 0) as there
    from (
      select p.id as production_id, ${takenFrom} as storage_id, u.item_id, sum(u.amount) as needed,
        p.status = ${productionStatus.planned} as comes_later, p.date_planned, p.date_placed
      from productions p
      join production_uses u on u.company_id = :company_id and u.production_id = p.id
      join items i on i.company_id = :company_id and i.id = u.item_id and i.kind <> 'resource'
      where p.company_id = :company_id and p.status in (${openProductions})
      group by p.id, u.item_id, ${takenFrom}, p.status, p.date_planned, p.date_placed) n
    left join stock_levels v on v.company_id = :company_id and v.storage_id = n.storage_id and v.item_id = n.item_id) w
  where w.needed > w.there)`

/** Rows k of the items missing for the production d, with the item i and its unit n. */
export const lackedBy = `from lacking k
  join items i on i.company_id = :company_id and i.id = k.item_id
  join units n on n.company_id = :company_id and n.id = i.unit_id
  where k.production_id = d.id`
