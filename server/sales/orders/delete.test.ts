// orders/delete: permanent, for every method.

import assert from 'node:assert/strict'
import { query } from '../../test/harness/database.ts'
import { type Company, given } from '../../test/harness/given.ts'
import { rule } from '../../test/harness/rule.ts'

const notFound = { success: false, error: 'Order not found or access denied' }

async function refuses(company: Company, method: string, body: object, expected: object): Promise<void> {
  const reply = await company.call(method, body)
  assert.deepEqual([reply.status, reply.body], [400, expected], `${method} ${JSON.stringify(body)}`)
}

rule('orders/delete.answer', async () => {
  const company = await given.company()
  const [first, second] = [await given.sale(company, { num: '1' }), await given.sale(company, { num: '2' })]
  const reply = await company.call('orders/delete', { order_id: first })
  assert.deepEqual([reply.status, reply.body], [200, { success: true }])
  const { body } = await company.call('orders/get_list')
  assert.deepEqual([body.total, body.orders.map((sale: { id: number }) => sale.id)], [1, [second]])
})

rule('orders/delete.answer', 'in any status', async () => {
  const company = await given.company()
  for (const status of [0, 1, 3, 4]) {
    const order_id = await given.sale(company, {})
    await company.call('orders/update_status', { order_id, status })
    assert.deepEqual((await company.call('orders/delete', { order_id })).body, { success: true })
  }
  assert.equal((await company.call('orders/get_list')).body.total, 0)
})

rule('orders/deletion.permanent', async () => {
  const company = await given.company()
  const order_id = await given.sale(company, { production: 1 })
  await company.call('orders/delete', { order_id })
  for (const table of ['sales', 'sale_lines', 'sale_shipments']) {
    const rows = await query(company.id, `select count(*)::int as rows from ${table} where company_id = $1`, [
      company.id,
    ])
    assert.deepEqual(rows, [{ rows: 0 }], table)
  }
})

rule('orders/deletion.not-found', async () => {
  const company = await given.company()
  const order_id = await given.sale(company, {})
  assert.deepEqual((await company.call('orders/delete', { order_id })).body, { success: true })
  await refuses(company, 'orders/edit', { order_id, notes: 'x' }, notFound)
  await refuses(company, 'orders/delete', { order_id }, notFound)
  await refuses(company, 'orders/update_status', { order_id, status: 3 }, notFound)
  await refuses(company, 'orders/update_payment', { order_id, status: 2 }, notFound)
  await refuses(company, 'orders/get_entry', { order_id }, notFound)
  assert.deepEqual((await company.call('orders/get_list')).body, { success: true, orders: [], total: 0 })
})

rule('orders/delete.error.no-order-id', async () => {
  const company = await given.company()
  for (const order_id of [undefined, null, '']) {
    await refuses(company, 'orders/delete', { order_id }, { success: false, error: 'No order_id in input' })
  }
})

rule('orders/delete.error.order-not-found', async () => {
  const company = await given.company()
  const order_id = await given.sale(company, {})
  for (const unknown of [order_id + 1, 0, -order_id, order_id + 0.5, 'x', true, [order_id], {}]) {
    await refuses(company, 'orders/delete', { order_id: unknown }, notFound)
  }
  assert.equal((await company.call('orders/get_list')).body.total, 1)
})
