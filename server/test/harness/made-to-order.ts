// Queries and starting points for the tests of made-to-order production.

import { query } from './database.ts'
import { type Company, given } from './given.ts'
import { entry } from './sold.ts'

/** Every production of the company: its number, status, sale, and lines in their order. */
export async function productions(company: Company) {
  return query(
    company.id,
    `select p.num, p.status, p.sale_id::int as sale, coalesce((
        select json_agg(json_build_array(l.item_id, l.amount) order by l.position) from production_lines l
        where l.company_id = p.company_id and l.production_id = p.id
      ), '[]') as lines
      from productions p where p.company_id = $1 order by p.id`,
    [company.id],
  )
}

/** The production flag of a sale and the number of its production. */
export const shown = async (company: Company, order: number) => {
  const { production, production_num } = await entry(company, order)
  return [production, production_num]
}

/** A sale of 2.5 of a made-to-order product, unless overridden. */
export async function ordered(body: object = {}, settings: object = {}) {
  const company = await given.company(settings)
  const { id: made_of } = await given.material(company, {})
  const { id: product } = await given.product(company, { made_of })
  const { id: other } = await given.product(company, { made_of })
  const products = [{ id: product, amount: 2.5, total: 10 }]
  const order = await given.sale(company, { products, production: 1, ...body })
  return { company, product, other, order, material: made_of }
}
