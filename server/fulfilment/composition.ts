// The composition of products, for the facts of documents that can make them. The named products are `:item_ids` and `:product_skus`, as in the
// facts of every document.

import { codesFound } from '../catalog/code-lookup.ts'
import { itemsJson, maxUses } from '../stock/items.ts'

/** Subselects `composition` and `parts` for a facts statement. `products` selects the ids of products on the document, `used` those of other items
 * that it consumes. With `when`, the lookup is skipped unless that condition is true. */
export function makingFacts(products: string, used: string, when?: string): string {
  const named = `
    select unnest(:item_ids::bigint[])
    union all select c.item_id from (${codesFound("= 'product'", '= any(:product_skus::text[])')}) c
    union all ${products}`
  // One more row than allowed shows that there are too many.
  const components = `from (
    select k.* from components k where k.company_id = :company_id and k.product_id in (${named}) limit ${maxUses + 1}) k`
  const composition = `(
    select coalesce(json_agg(json_build_array(k.product_id, k.item_id, k.amount::text) order by k.product_id, k.position), '[]'::json) ${components})`
  const parts = itemsJson(`select k.item_id ${components} union all ${used}`)
  const onlyWhenMaking = (facts: string): string => (when === undefined ? facts : `case when ${when} then ${facts} end`)
  return `${onlyWhenMaking(composition)} as composition, ${onlyWhenMaking(parts)} as parts`
}
