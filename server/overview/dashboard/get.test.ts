// The dashboard, figure by figure.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { given } from '../../test/harness/given.ts'
import { rule } from '../../test/harness/rule.ts'
import { shown } from '../../test/harness/screens.ts'

const day = (back: number): string => new Date(Date.now() - back * 86_400_000).toISOString().slice(0, 10)

async function shop() {
  const company = await given.company({ number_prefix: '' })
  const user = await given.user(company, 'manager')
  const item = await given.product(company, { name: 'Table' })
  const sale = (num: string, total: number, back: number, more: object = {}) =>
    given.sale(company, {
      num,
      customer_name: 'Oak',
      products: [{ id: item.id, amount: 1, total }],
      date_placed: day(back),
      ...more,
    })
  const dashboard = () => shown(user, 'dashboard/get')
  return { company, user, item, sale, dashboard }
}

test('an empty company has an empty dashboard', async () => {
  const company = await given.company()
  const { days, ...rest } = await shown(await given.user(company, 'owner'), 'dashboard/get')
  assert.equal(days.length, 60)
  assert.deepEqual(days.at(-1), { day: day(0), total: 0, margin: 0, sales: 0, without_cost: 0 })
  assert.deepEqual(rest, {
    success: true,
    stock_total_cost: 0,
    to_ship: { count: 0, orders: [] },
    unpaid: { count: 0, total: 0 },
    low: [],
    low_count: 0,
    negative_count: 0,
  })
})

test('revenue and margin by day, and unpaid sales, without canceled sales', async () => {
  const { company, item, sale, dashboard } = await shop()
  await given.stock(company, { item: item.id, amount: '50', unitCost: '4', date: day(300) })
  await sale('1', 10, 0)
  await sale('2', 20, 0, { delivery_price: 5 })
  const paid = await sale('3', 30, 59)
  await company.call('orders/update_payment', { order_id: paid, status: 2 })
  await company.call('orders/update_status', { order_id: paid, status: 3 })
  await sale('4', 40, 60)
  const canceled = await sale('5', 99, 1)
  await company.call('orders/update_status', { order_id: canceled, status: 4 })
  const { days, unpaid } = await dashboard()
  assert.deepEqual(
    days.filter((one: { total: number }) => one.total !== 0),
    [
      { day: day(59), total: 30, margin: 26, sales: 1, without_cost: 0 },
      { day: day(0), total: 35, margin: 27, sales: 2, without_cost: 0 },
    ],
  )
  assert.deepEqual(unpaid, { count: 3, total: 75 })
})

test('sales without a known cost add nothing to the margin, and are counted', async () => {
  const { company, item, sale, dashboard } = await shop()
  await sale('unknown', 10, 0)
  await sale('alone', 15, 3)
  await given.stock(company, { item: item.id, amount: '50', unitCost: '4', date: day(300) })
  await sale('known', 20, 0)
  const { days } = await dashboard()
  assert.deepEqual(
    days.filter((one: { total: number }) => one.total !== 0),
    [
      { day: day(3), total: 15, margin: null, sales: 1, without_cost: 1 },
      { day: day(0), total: 30, margin: 16, sales: 2, without_cost: 1 },
    ],
  )
})

test('sales ready to ship are listed oldest first, without sales that lack stock', async () => {
  const { company, item, sale, dashboard } = await shop()
  await given.stock(company, { item: item.id, amount: '2', unitCost: '4', date: day(300) })
  const second = await sale('second', 1, 5)
  const first = await sale('first', 1, 9)
  await sale('lacks', 1, 1)
  const { to_ship } = await dashboard()
  assert.equal(to_ship.count, 2)
  assert.deepEqual(to_ship.orders, [
    { id: first, num: 'first', customer_name: 'Oak', date_placed: day(9) },
    { id: second, num: 'second', customer_name: 'Oak', date_placed: day(5) },
  ])
})

test('stock value, low and negative items', async () => {
  const { company, item, dashboard } = await shop()
  const low = await given.product(company, { name: 'Low' })
  await company.call('products/edit', { product_id: low.id, min_amount: 3 })
  await given.stock(company, { item: low.id, amount: '2', unitCost: '1.5', date: day(9) })
  await company.call('writeoffs/add', { products: [{ id: item.id, amount: 1 }] })
  const { stock_total_cost, low: items, low_count, negative_count } = await dashboard()
  assert.equal(stock_total_cost, 3)
  assert.deepEqual(items, [{ id: low.id, type: 'product', name: 'Low', available: 2, min_amount: 3, unit: 'pcs' }])
  assert.deepEqual([low_count, negative_count], [1, 1])
})

rule('levels.total.once', async () => {
  const { company, user, dashboard } = await shop()
  // Four items worth 0.251 at each of two storage locations: 2.008 in all. A row shows 0.25, a storage location 1.00.
  for (let at = 0; at < 4; at++) {
    const { id: item } = await given.product(company)
    for (const storage of [company.productsStorageId, company.materialsStorageId])
      await given.stock(company, { item, amount: '1', unitCost: '0.251', storage })
  }
  const { stock_total_cost } = await dashboard()
  assert.equal(stock_total_cost, 2.01)
  for (const by of ['storage', 'item']) {
    const { totals } = await shown(user, 'stock/browse', { by, limit: 1 })
    assert.equal(totals.total_cost, stock_total_cost, `the stock page by ${by}`)
  }
  const { totals } = await shown(user, 'stock/browse', { storage_id: company.materialsStorageId })
  assert.equal(totals.total_cost, 1)
})
