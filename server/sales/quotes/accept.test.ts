// A quote becomes a sale: with its prices, once, and whatever was deleted since.

import assert from 'node:assert/strict'
import { broken, level, query } from '../../test/harness/database.ts'
import { type Company, given } from '../../test/harness/given.ts'
import { quoted, quoteOf } from '../../test/harness/quotes.ts'
import { accepts } from '../../test/harness/record-calls.ts'
import { rule } from '../../test/harness/rule.ts'
import { shown } from '../../test/harness/screens.ts'

const saleOf = async (company: Company, id: number) =>
  (await accepts(company, 'orders/get_entry', { order_id: id })).order
const dayIn = (days: number): string => new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10)

rule('quotes.accept', async () => {
  const { company, user, product, customer, send } = await quoted()
  await accepts(company, 'orders/add', {
    num: '41',
    customer_id: customer,
    products: [{ id: product, amount: 1, total: 1 }],
  })
  await query(company.id, `update sales set source = 'manual' where company_id = $1`, [company.id])
  const { id } = await send({
    delivery_price: 5,
    discount: 1,
    notes: 'Delivered in May',
    date_placed: '2026-03-12',
    valid_until: dayIn(3),
  })
  const { order_id } = await shown(user, 'quotes/accept', { quote_id: id })
  const sale = await saleOf(company, order_id)
  const { products, created_at: _made, ...fields } = sale
  assert.deepEqual(
    [fields.num, fields.status, fields.source, fields.customer_id, fields.total, fields.notes, fields.production],
    ['A-42', 0, 'manual', customer, 34.3, 'Delivered in May', 0],
  )
  assert.ok([dayIn(0), dayIn(-1)].includes(fields.date_placed))
  assert.deepEqual([products[0].amount, products[0].total, products[0].price], [3, 30.3, 10.1])
  const { order } = await accepts(company, 'orders/get_entry', { order_id, include: ['addresses'] })
  assert.deepEqual([order.billing_address, order.delivery_address], ['Bill street 1', 'Ship street 2'])
  const quote = await quoteOf(user, id)
  assert.deepEqual([quote.status, quote.order_id, quote.order_num], [3, order_id, 'A-42'])
  assert.equal((await level(company, product)).reserved, '4.000')
  const found = await shown(user, 'quotes/browse', { order_id })
  assert.deepEqual(
    found.quotes.map((one: { id: number }) => one.id),
    [id],
  )
  assert.deepEqual(await broken(company.id), [])

  const maker = await quoted({ default_fulfillment: 'production', default_sale_status: 1 })
  await given.made(maker.company, maker.product)
  const made = await maker.send()
  const ordered = await saleOf(
    maker.company,
    (await shown(maker.user, 'quotes/accept', { quote_id: made.id })).order_id,
  )
  assert.deepEqual([ordered.num, ordered.status, ordered.production, ordered.production_num], ['1', 1, 1, 'M-1'])
  assert.deepEqual(await broken(maker.company.id), [])
})

rule('quotes.accept.once', async () => {
  const { company, user, send } = await quoted()
  const { id } = await send()
  const replies = await Promise.all(Array.from({ length: 20 }, () => user.call('quotes/accept', { quote_id: id })))
  const orders = replies.map(({ status, body }) => `${status} ${body.order_id}`)
  assert.deepEqual([...new Set(orders)], [`200 ${replies[0]?.body.order_id}`])
  assert.equal((await shown(user, 'quotes/accept', { quote_id: id })).order_id, replies[0]?.body.order_id)
  assert.equal((await accepts(company, 'orders/get_list', { limit: 1 })).total, 1)
  assert.deepEqual(await broken(company.id), [])
})

rule('quotes.accept.since', async () => {
  const { company, user, product, customer, send } = await quoted()
  const { id } = await send()
  await given.stock(company, { item: product, amount: '1', unitCost: '2' })
  await given.deleted(company, 'item', product)
  await given.deleted(company, 'customer', customer)
  const { order_id } = await shown(user, 'quotes/accept', { quote_id: id })
  const { products, customer_name, cost } = await saleOf(company, order_id)
  assert.deepEqual([products[0].name, products[0].total, customer_name, cost], ['Oak table', 30.3, 'Beech & Co', 6])
  const { lines } = await shown(user, 'orders/get_card', { order_id })
  assert.deepEqual([lines[0].mark, lines[0].available], ['missing', -2])
})

rule('quotes.accept.deleted', async () => {
  const { company, user, send } = await quoted()
  const { id } = await send()
  const { order_id } = await shown(user, 'quotes/accept', { quote_id: id })
  await accepts(company, 'orders/delete', { order_id })
  const { status, order_id: sale } = await quoteOf(user, id)
  assert.deepEqual([status, sale], [3, null])
  assert.equal((await shown(user, 'quotes/accept', { quote_id: id })).order_id, order_id)
  assert.equal((await accepts(company, 'orders/get_list', { limit: 1 })).total, 0)
})
