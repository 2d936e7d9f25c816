// A list of sales that is long in bytes: each has 8,000 characters of notes.

import { query } from './database.ts'
import { type Company, given } from './given.ts'

/** Copies of one sale with long notes, `early` of them on the first of March 2024 and `late` on the second. */
export async function longSales(company: Company, early: number, late: number): Promise<void> {
  const order_id = await given.sale(company, { date_placed: '2024-03-01' })
  const columns = `num, num_key, status, payment, subtotal, delivery_price, discount, total, cost, amount, lines, source,
    products_storage_id, materials_storage_id, customer_id, created_at, updated_at`
  await query(
    company.id,
    `insert into sales (company_id, id, date_placed, notes, ${columns})
     select company_id, id + copy, date_placed + (copy >= $3)::int, repeat('x', 8000), ${columns}
     from sales, generate_series(1, $4::int) as copy
     where company_id = $1 and id = $2`,
    [company.id, order_id, early, early + late - 1],
  )
}
