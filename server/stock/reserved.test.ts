// Which sales hold the reserved stock: their sum is the level, whatever happened to the sales.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { given } from '../test/harness/given.ts'
import { refusal, shown } from '../test/harness/screens.ts'

test('every open sale is listed with the quantity it still reserves, and the sum is the reserved level', async () => {
  const company = await given.company()
  const user = await given.user(company, 'manager')
  const annex = await given.storage(company, 'Annex')
  const { id: table } = await given.product(company)
  const { id: chair } = await given.product(company)
  const sale = (num: string, amount: number, more: object = {}) =>
    given.sale(company, { num, products: [{ id: table, amount, total: 9 }], date_placed: '2025-01-04', ...more })
  const call = async (path: string, body: object): Promise<void> => {
    const reply = await user.call(path, body)
    assert.equal(reply.status, 200, reply.text)
  }
  const first = await sale('2', 5)
  await sale('1', 2, { date_placed: '2025-01-03' })
  await sale('3', 7, { products_storage_id: annex.id })
  const shipped = await sale('4', 11)
  const canceled = await sale('5', 13)
  const deleted = await sale('6', 17)
  await given.sale(company, { products: [{ id: chair, amount: 19, total: 9 }] })
  await call('orders/update_status', { order_id: shipped, status: 3 })
  await call('orders/update_status', { order_id: canceled, status: 4 })
  await company.call('orders/delete', { order_id: deleted })
  await call('orders/ship_part', { order_id: first, lines: [{ id: table, amount: 1.5 }] })

  const held = async (body: object = {}) => {
    const answer = await shown(user, 'stock/get_reserved', { id: table, ...body })
    const rows = answer.reserved.map((row: Record<string, unknown>) => [row['num'], row['status'], row['amount']])
    return [...rows, answer.held]
  }
  assert.deepEqual(await held(), [['A-1', 0, 2], ['A-2', 2, 3.5], ['A-3', 0, 7], 12.5])
  assert.deepEqual(await held({ storage_id: annex.id }), [['A-3', 0, 7], 7])
  const [level] = (await shown(user, 'stock/browse', { ids: [table], by: 'item' })).stock
  assert.equal(level.reserved, 12.5)
  const [row] = (await shown(user, 'stock/get_reserved', { id: table, storage_id: annex.id })).reserved
  assert.deepEqual([row.storage_id, row.storage_name, row.date_placed], [annex.id, 'Annex', '2025-01-04'])
  const other = await given.user(await given.company(), 'owner')
  assert.deepEqual(await shown(other, 'stock/get_reserved', { id: table }), { success: true, reserved: [], held: 0 })
  assert.equal(await refusal(user, 'stock/get_reserved', {}), 'No id in input')
})
