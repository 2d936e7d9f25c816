// What products are made of, for the facts of whatever makes them. Company $1; ids and SKUs of the products that are named are $3 and $4, as in
// the facts of every document.

import { itemsJson } from '../stock/items.ts'

/** Subselects `composition` and `parts` for a facts statement. `products` and `used` select ids: of products that the document holds, and of what
 * else it uses. Where `when` is given, a document that makes nothing is spared the look. */
export function makingFacts(products: string, used: string, when?: string): string {
  const named = `
    select unnest($3::bigint[])
    union all select c.item_id from item_codes c where c.company_id = $1 and c.space = 'product' and c.code = any($4::text[])
    union all ${products}`
  const components = `from components k where k.company_id = $1 and k.product_id in (${named})`
  const composition = `(
    select coalesce(json_agg(json_build_array(k.product_id, k.item_id, k.amount::text) order by k.product_id, k.position), '[]'::json) ${components})`
  const parts = itemsJson(`select k.item_id ${components} union all ${used}`)
  const asked = (facts: string): string => (when === undefined ? facts : `case when ${when} then ${facts} end`)
  return `${asked(composition)} as composition, ${asked(parts)} as parts`
}
