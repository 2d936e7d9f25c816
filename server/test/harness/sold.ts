// Shared by the stock tests: a stocked product, a sale of it, and the ledger by day.

import assert from 'node:assert/strict'
import { query } from './database.ts'
import { type Company, given } from './given.ts'

/** A sale of one product with 10 on hand at 2.00 at the products storage location since 2024-01-01. */
export type Sold = { readonly company: Company; readonly product: number; readonly order: number }

export async function sold(amount: number, body: object = {}, settings: object = {}): Promise<Sold> {
  const company = await given.company(settings)
  const { id: product } = await given.product(company, {})
  await given.stock(company, { item: product, amount: '10', unitCost: '2', date: '2024-01-01' })
  const order = await given.sale(company, { products: [{ id: product, amount, total: 50 }], ...body })
  return { company, product, order }
}

export async function accepted(company: Company, path: string, body: object): Promise<void> {
  const reply = await company.call(path, body)
  assert.deepEqual([reply.status, reply.body], [200, { success: true }])
}

export async function entry(company: Company, order: number) {
  const reply = await company.call('orders/get_entry', { order_id: order })
  assert.equal(reply.status, 200)
  return reply.body.order
}

/** By day, the quantity the sale issued from stock (negative) or returned: only days with a net effect. */
export async function taken(company: Company, order: number, item: number): Promise<Record<string, string>> {
  const rows = await query(
    company.id,
    `select date::text as date, sum(on_hand)::text as on_hand from stock_movements
      where company_id = $1 and section = 'sales' and document_id = $2 and item_id = $3
      group by date having sum(on_hand) <> 0 order by date`,
    [company.id, order, item],
  )
  return Object.fromEntries(rows.map((row) => [row.date, row.on_hand]))
}

/** The net effect of one document's rows by storage location, item and day: empty when they cancel out. */
export async function remains(company: Company, order: number, of: 'on_hand' | 'reserved' | 'value') {
  return query(
    company.id,
    `select storage_id::int as storage, item_id::int as item, date::text as date, sum(${of}) as ${of}
      from stock_movements
      where company_id = $1 and section = 'sales' and document_id = $2 and kind = 'move'
      group by storage_id, item_id, date having sum(${of}) <> 0 order by date`,
    [company.id, order],
  )
}

/** The company's current date, read before and after an action: midnight may fall between. */
export async function onSomeToday(timezone: string, act: () => Promise<void>): Promise<string[]> {
  const today = () => new Intl.DateTimeFormat('en-CA', { timeZone: timezone }).format(new Date())
  const before = today()
  await act()
  return [before, today()]
}

export type Receipt = readonly [amount: string, unitCost: string]

export async function stocked(receipts: readonly Receipt[], settings: object = {}) {
  const company = await given.company(settings)
  const { id: item } = await given.product(company, {})
  await receive(company, item, receipts)
  return { company, item }
}

export async function receive(company: Company, item: number, receipts: readonly Receipt[]): Promise<void> {
  for (const [amount, unitCost] of receipts) await given.stock(company, { item, amount, unitCost })
}

export const saleOf = (company: Company, item: number, ...amounts: number[]) =>
  given.sale(company, { products: amounts.map((amount) => ({ id: item, amount, total: 1 })) })

export const setStatus = (company: Company, order: number, status: number) =>
  accepted(company, 'orders/update_status', { order_id: order, status })

export async function shipped(company: Company, item: number, ...amounts: number[]): Promise<number> {
  const order = await saleOf(company, item, ...amounts)
  await setStatus(company, order, 3)
  return order
}
