// SQL of the cost of the sale `d`, where it is known. An unknown cost is null, never zero.

import { knownPlanCost } from '../catalog/view.ts'

/** Sales written before cost_known existed are known by their sum, until the backfill has seen them. */
export const costIsKnown = 'coalesce(d.cost_known, d.cost <> 0)'
export const knownCost = `(case when ${costIsKnown} then d.cost end)`
export const knownMargin = `(case when ${costIsKnown} then d.total - d.cost end)`

/**
 * What is left of the sale `d` by the costs of its lines, and by planned costs where a line has none: the average or the components of a product,
 * the average or the price of a material. Null when one of them is unknown.
 */
export const plannedMargin = `(
  select case when bool_and(x.cost <> 0) then d.total - sum(x.cost) end
  from (
    select case when l.cost <> 0 then l.cost else round(l.amount * coalesce(nullif(k.average, 0), q.cost, 0), 2) end as cost
    from sale_lines l
    cross join lateral (select i.id, i.kind, i.price from items i where i.company_id = :company_id and i.id = l.item_id offset 0) i
    left join item_costs k on k.company_id = :company_id and k.item_id = l.item_id
    cross join lateral (select case when i.kind = 'material' then i.price else ${knownPlanCost} end as cost offset 0) q
    where l.company_id = :company_id and l.sale_id = d.id
  ) x)`
