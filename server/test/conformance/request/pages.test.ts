// Pages of a list: limit, offset and total.

import assert from 'node:assert/strict'
import { rule } from '../../harness/rule.ts'
import { assertFailure, openShop, type Shop } from './shop.ts'

const invalidLimit = 'Invalid limit value. Must be between 1 and 1000'
const invalidOffset = 'Invalid offset value. Must be 0 or greater'

/** Sales 1 to `count`, one a day backwards, so that the list shows them in the order of their ids. */
async function addSales({ company, sale }: Shop, count: number): Promise<void> {
  const day = (id: number): string => new Date(Date.UTC(2026, 0, 1) - id * 86_400_000).toISOString().slice(0, 10)
  for (let id = 1; id <= count; id++) {
    const reply = await company.call('orders/add', sale({ num: String(id), date_placed: day(id) }))
    assert.equal(reply.body.order_id, id, reply.text)
  }
}

async function listed({ company }: Shop, body: object): Promise<{ ids: number[]; total: number }> {
  const reply = await company.call('orders/get_list', body)
  assert.equal(reply.status, 200, reply.text)
  return { ids: reply.body.orders.map((order: { id: number }) => order.id), total: reply.body.total }
}

rule('convention.page', async () => {
  const shop = await openShop()
  await addSales(shop, 5)
  assert.deepEqual((await listed(shop, { limit: 2 })).ids, [1, 2])
  assert.deepEqual((await listed(shop, { limit: 2, offset: 0 })).ids, [1, 2])
  assert.deepEqual((await listed(shop, { limit: 2, offset: 2 })).ids, [3, 4])
  assert.deepEqual((await listed(shop, { limit: 2, offset: 4 })).ids, [5])
  assert.deepEqual((await listed(shop, { limit: 2, offset: 5 })).ids, [])
  assert.deepEqual((await listed(shop, { limit: 2, offset: 4_000_000_000 })).ids, [])
  assert.deepEqual((await listed(shop, { limit: 1, offset: 3 })).ids, [4])
  assert.deepEqual((await listed(shop, { limit: 1000, offset: 1 })).ids, [2, 3, 4, 5])
})

rule('convention.whole-list', async () => {
  const shop = await openShop()
  // More than the largest page.
  const count = 1003
  await addSales(shop, count)
  const ids = Array.from({ length: count }, (_, at) => at + 1)
  assert.deepEqual(await listed(shop, {}), { ids, total: count })
  assert.deepEqual(await listed(shop, { limit: 1000 }), { ids: ids.slice(0, 1000), total: count })
  assert.deepEqual(await listed(shop, { limit: 1000, offset: 1000 }), { ids: ids.slice(1000), total: count })
})

rule('convention.total', async () => {
  const shop = await openShop()
  await addSales(shop, 6) // 2025-12-31 back to 2025-12-26
  for (const page of [{}, { limit: 1 }, { limit: 2, offset: 3 }, { limit: 5, offset: 100 }]) {
    assert.equal((await listed(shop, page)).total, 6)
    assert.equal((await listed(shop, { ...page, date_from: '2025-12-29' })).total, 3)
    assert.equal((await listed(shop, { ...page, date_from: '2025-12-28', date_to: '2025-12-29' })).total, 2)
    assert.equal((await listed(shop, { ...page, date_from: '2026-01-01' })).total, 0)
  }
  assert.deepEqual(await listed(shop, { date_to: '2025-12-28', limit: 2, offset: 1 }), { ids: [5, 6], total: 3 })
})

rule('limit.page-size', async () => {
  const { company } = await openShop()
  for (const limit of [1, 1000]) assert.equal((await company.call('orders/get_list', { limit })).status, 200)
  for (const limit of [0, -1, 1001, 1e6, 0.5, 'x'])
    assertFailure(await company.call('orders/get_list', { limit }), 400, invalidLimit)
})

rule('limit.page-offset', async () => {
  const { company } = await openShop()
  for (const offset of [0, 1, 1_000_000]) {
    assert.equal((await company.call('orders/get_list', { limit: 1, offset })).status, 200)
    assertFailure(await company.call('orders/get_list', { offset }), 400, 'Offset requires limit')
  }
  for (const offset of [-1, 0.5, 'x']) {
    assertFailure(await company.call('orders/get_list', { limit: 1, offset }), 400, invalidOffset)
  }
})

rule('answer.pagination', async () => {
  const { company } = await openShop()
  assertFailure(await company.call('orders/get_list', { limit: 0 }), 400, invalidLimit)
  assertFailure(await company.call('orders/get_list', { limit: 1, offset: -1 }), 400, invalidOffset)
  assertFailure(await company.call('orders/get_list', { offset: 0 }), 400, 'Offset requires limit')
})
