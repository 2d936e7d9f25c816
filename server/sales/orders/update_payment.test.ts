// orders/update_payment: sets the payment status and nothing else.

import assert from 'node:assert/strict'
import { level } from '../../test/harness/database.ts'
import { type Company, given } from '../../test/harness/given.ts'
import { rule } from '../../test/harness/rule.ts'

async function refuses(company: Company, error: string, body: object): Promise<void> {
  const reply = await company.call('orders/update_payment', body)
  assert.deepEqual([reply.status, reply.body], [400, { success: false, error }], JSON.stringify(body))
}

async function update(company: Company, order_id: number, status: unknown): Promise<void> {
  const reply = await company.call('orders/update_payment', { order_id, status })
  assert.deepEqual([reply.status, reply.body], [200, { success: true }])
}

const entry = async (company: Company, order_id: number) =>
  (await company.call('orders/get_entry', { order_id })).body.order

rule('orders/update_payment.answer', async () => {
  const company = await given.company()
  const order_id = await given.sale(company, {})
  await update(company, order_id, 1)
  await update(company, order_id, '2')
})

for (const from of [0, 1, 2]) {
  for (const to of [0, 1, 2]) {
    rule('orders/payment.to-any', `from ${from} to ${to}`, async () => {
      const company = await given.company()
      const order_id = await given.sale(company, {})
      await update(company, order_id, from)
      assert.equal((await entry(company, order_id)).payment, from)
      await update(company, order_id, to)
      assert.equal((await entry(company, order_id)).payment, to)
      assert.equal((await company.call('orders/get_list')).body.orders[0].payment, to)
    })
  }
}

rule('orders/payment.only-a-mark', async () => {
  const company = await given.company()
  const tea = await given.product(company, { sku: 'TEA' })
  await given.stock(company, { item: tea.id, amount: '10', unitCost: '4' })
  const order_id = await given.sale(company, { products: [{ sku: 'TEA', amount: 4, total: 40 }], discount: 1 })
  for (const status of [0, 1, 3, 4]) {
    await company.call('orders/update_status', { order_id, status })
    const [before, stock] = [await entry(company, order_id), await level(company, tea.id)]
    for (const payment of [2, 1, 0]) {
      await update(company, order_id, payment)
      assert.deepEqual(await entry(company, order_id), { ...before, payment })
      assert.deepEqual(await level(company, tea.id), stock)
    }
  }
})

rule('orders/update_payment.error.missing-field', async () => {
  const company = await given.company()
  const order_id = await given.sale(company, {})
  for (const none of [undefined, null, '']) {
    await refuses(company, 'No order_id in input', { order_id: none, status: 1 })
    await refuses(company, 'No status in input', { order_id, status: none })
  }
})

rule('orders/update_payment.error.status', async () => {
  const company = await given.company()
  const order_id = await given.sale(company, {})
  for (const status of [3, 4, -1, 0.5, '3', 'paid', true, false, [], [1], {}]) {
    await refuses(company, 'Invalid payment status value. Must be one of: 0, 1, 2', { order_id, status })
  }
  assert.equal((await entry(company, order_id)).payment, 0)
})

rule('orders/update_payment.error.order-not-found', async () => {
  const company = await given.company()
  const gone = await given.sale(company, {})
  await company.call('orders/delete', { order_id: gone })
  for (const order_id of [gone, 987654, 0, -1, 1.5, 'x', true, [], {}]) {
    await refuses(company, 'Order not found or access denied', { order_id, status: 1 })
  }
})

rule('orders/update_payment.order-of-checks', async () => {
  const company = await given.company()
  await refuses(company, 'No order_id in input', { status: 7 })
  await refuses(company, 'No status in input', { order_id: 987654 })
  await refuses(company, 'Invalid payment status value. Must be one of: 0, 1, 2', { order_id: 987654, status: 3 })
})
