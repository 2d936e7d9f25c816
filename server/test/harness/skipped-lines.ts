// Sales with lines that are skipped, and what is stored about them.

import assert from 'node:assert/strict'
import { query } from './database.ts'
import { type Company, given, type User } from './given.ts'
import { shown } from './screens.ts'

export const known = { sku: 'TEA', amount: 1, total: 10 }
export const mug = { type: 'product', sku: 'MUG' }
export const sentence = 'Product not found: SKU "MUG", amount 2, total 30.5'

export async function shop() {
  const company = await given.company({ materials_in_sales: true, daily_limit: 1_000_000 })
  const { id: made_of } = await given.material(company)
  const tea = await given.product(company, { sku: 'TEA', made_of })
  const cup = await given.product(company, { sku: 'CUP', made_of })
  return { company, tea, cup, user: await given.user(company, 'manager') }
}

let number = 0
export async function add(company: Company, more: object = {}, sku = 'MUG'): Promise<number> {
  const products = [known, { sku, amount: 2, total: 30.5 }]
  const reply = await company.call('orders/add', { num: `${++number}`, customer_name: 'Ann', products, ...more })
  assert.equal(reply.status, 200, reply.text)
  return reply.body.order_id
}

export async function sale(company: Company, order_id: number) {
  const { order } = (await company.call('orders/get_entry', { order_id })).body
  const lines = [...order.products, ...order.materials].map((line) => [
    line.position,
    line.sku,
    line.amount,
    line.total,
  ])
  return { lines, notes: order.notes, total: order.total }
}

export const setStatus = (company: Company, order_id: number, status: number) =>
  company.call('orders/update_status', { order_id, status })

export const listed = async (user: User, more: object = {}) =>
  (await shown(user, 'skipped_lines/get_list', more)).skipped_lines

/** Everything of the company that a step may change. */
export const state = (company: Company) =>
  query(
    company.id,
    `select (select json_agg(s order by s.id) from (
         select id, notes, total, amount, lines from sales where company_id = $1) s) as sales,
       (select json_agg(l order by l.sale_id, l.position) from sale_lines l where company_id = $1) as lines,
       (select json_agg(l order by l.sale_id, l.position) from sale_skipped_lines l where company_id = $1) as skipped,
       (select json_agg(c order by c.space, c.code) from item_codes c where company_id = $1) as codes,
       (select json_agg(l order by l.production_id, l.position) from production_lines l where company_id = $1) as made,
       (select json_agg(l order by l.item_id, l.storage_id) from (
         select item_id, storage_id, on_hand, reserved from stock_levels where company_id = $1 and (on_hand <> 0 or reserved <> 0)) l) as levels`,
    [company.id],
  )

export const events = async (company: Company, after: number) =>
  query(
    company.id,
    `select record, record_id::int as id, method, coalesce(action, '') as action from events
     where company_id = $1 and seq >= $2 order by seq`,
    [company.id, after],
  )
