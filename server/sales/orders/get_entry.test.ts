// Fields of a sale with more than one case, and the errors of orders/get_entry.

import assert from 'node:assert/strict'
import { query } from '../../test/harness/database.ts'
import { type Company, given } from '../../test/harness/given.ts'
import { rule } from '../../test/harness/rule.ts'

async function entry(company: Company, order_id: number) {
  const reply = await company.call('orders/get_entry', { order_id })
  assert.equal(reply.status, 200, reply.text)
  return reply.body.order
}

/** The sale of the given lines. */
async function sold(company: Company, body: Record<string, unknown>) {
  return entry(company, await given.sale(company, body))
}

rule('orders/sale.payment', 'a new sale is unpaid in any status', async () => {
  for (const default_sale_status of [0, 3] as const) {
    assert.equal((await sold(await given.company({ default_sale_status }), {})).payment, 0)
  }
})

rule('orders/sale.date_shipped', 'empty when unset', async () => {
  assert.equal((await sold(await given.company(), {})).date_shipped, '')
})

rule('orders/sale.subtotal', 'exact decimals, also negative', async () => {
  const company = await given.company()
  const { id } = await given.product(company, {})
  const lines = (...totals: number[]) => totals.map((total) => ({ id, amount: 1, total }))
  assert.equal((await sold(company, { products: lines(0.1, 0.2, 0.3) })).subtotal, 0.6)
  assert.equal((await sold(company, { products: lines(10, -12.35) })).subtotal, -2.35)
  assert.equal((await sold(company, { products: lines(999999999999.99, 0.02) })).subtotal, 1000000000000.01)
})

rule('orders/sale.total', 'negative when the discount is above the subtotal', async () => {
  const company = await given.company()
  const { id } = await given.product(company, {})
  const products = [{ id, amount: 1, total: 10.1 }]
  assert.equal((await sold(company, { products, discount: 20.2, delivery_price: 0.05 })).total, -10.05)
})

rule('orders/sale.amount', 'the sum over products and materials of one unit of measure, exact', async () => {
  const company = await given.company({ materials_in_sales: true })
  const kilo = await given.unit(company, 'kg')
  const tea = await given.product(company, { unit_id: kilo.id })
  const tin = await given.material(company, { unit_id: kilo.id })
  const products = [0.1, 0.2].map((amount) => ({ id: tea.id, amount, total: 1 }))
  assert.equal((await sold(company, { products })).amount, 0.3)
  assert.equal((await sold(company, { products, materials: [{ id: tin.id, amount: 0.005, total: 1 }] })).amount, 0.305)
})

rule('orders/sale.amount', 'null when units of measure differ', async () => {
  const company = await given.company({ materials_in_sales: true })
  const [kilo, litre] = [await given.unit(company, 'kg'), await given.unit(company, 'l')]
  const tea = await given.product(company, { unit_id: kilo.id })
  const oil = await given.product(company, { unit_id: litre.id })
  const tin = await given.material(company, { unit_id: litre.id })
  const line = (item: { id: number }) => ({ id: item.id, amount: 1, total: 1 })
  const mixed = await sold(company, { products: [line(tea), line(oil)] })
  assert.strictEqual(mixed.amount, null)
  assert.strictEqual((await sold(company, { products: [line(tea)], materials: [line(tin)] })).amount, null)
  await company.call('orders/edit', { order_id: mixed.id, products: [line(oil)], materials: [line(tin)] })
  assert.strictEqual((await entry(company, mixed.id)).amount, 2)
})

rule('orders/sale.production_num', 'the number of the linked production', async () => {
  const company = await given.company()
  const [first, second] = [await sold(company, { production: 1 }), await sold(company, { production: true })]
  const made = await query(company.id, 'select num from productions where company_id = $1 order by id', [company.id])
  assert.deepEqual([first.production, second.production], [1, 1])
  assert.deepEqual([{ num: first.production_num }, { num: second.production_num }], made)
  const { body } = await company.call('orders/get_list')
  const listed = new Map(
    body.orders.map((sale: { id: number; production_num: string }) => [sale.id, sale.production_num]),
  )
  assert.deepEqual([listed.get(first.id), listed.get(second.id)], [first.production_num, second.production_num])
})

rule('orders/sale.texts-empty', async () => {
  const company = await given.company()
  const sale = await sold(company, { customer_name: 'Ann' })
  const texts = ['date_shipped', 'notes', 'customer_email', 'customer_phone', 'customer_address_real']
  const more = [
    'customer_address_legal',
    'customer_agreement',
    'customer_manager_name',
    'customer_manager_post',
    'customer_notes',
  ]
  for (const field of [...texts, ...more]) assert.strictEqual(sale[field], '', field)
})

rule('orders/sale.texts-empty', 'also for an item without SKU', async () => {
  const company = await given.company()
  const { id } = await given.product(company, { sku: '' })
  const sale = await sold(company, { products: [{ id, amount: 1, total: 1 }] })
  assert.strictEqual(sale.products[0].sku, '')
})

rule('orders/line.price', 'half a cent is rounded away from zero', async () => {
  const company = await given.company()
  const { id } = await given.product(company, {})
  const cases = [
    { amount: 3, total: 10, price: 3.33 },
    { amount: 3, total: 20, price: 6.67 },
    { amount: 2, total: 0.05, price: 0.03 },
    { amount: 2, total: -0.05, price: -0.03 },
    { amount: 0.001, total: 999999999999.99, price: 999999999999990 },
    { amount: 999999999.999, total: 0.01, price: 0 },
  ]
  const products = cases.map(({ amount, total }) => ({ id, amount, total }))
  const sale = await sold(company, { products })
  const prices = sale.products.map((line: { price: number }) => line.price)
  assert.deepEqual(
    prices,
    cases.map((one) => one.price),
  )
})

rule('orders/get_entry.answer', async () => {
  const company = await given.company({ materials_in_sales: true })
  const tin = await given.material(company, {})
  const product = await sold(company, {})
  assert.deepEqual([product.products.length, product.materials], [1, []])
  const body = { num: '1', customer_name: 'Ann', materials: [{ id: tin.id, amount: 1, total: 1 }] }
  const { order_id } = (await company.call('orders/add', body)).body
  const material = await entry(company, order_id)
  assert.deepEqual([material.products, material.materials.length], [[], 1])
})

rule('orders/get_entry.error.no-order-id', async () => {
  const company = await given.company()
  for (const body of [{}, { order_id: null }, { order_id: '' }]) {
    const reply = await company.call('orders/get_entry', body)
    assert.deepEqual([reply.status, reply.body], [400, { success: false, error: 'No order_id in input' }])
  }
})

rule('orders/get_entry.error.order-not-found', async () => {
  const company = await given.company()
  const order_id = await given.sale(company, {})
  for (const unknown of [order_id + 1, 0, -1, 1.5, 'x', true, [order_id], {}, '9223372036854775808']) {
    const reply = await company.call('orders/get_entry', { order_id: unknown })
    assert.deepEqual([reply.status, reply.body], [400, { success: false, error: 'Order not found or access denied' }])
  }
})
