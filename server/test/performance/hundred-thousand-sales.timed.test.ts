// A company with 100,000 sales on this machine: the time of the app's list, in any order, with any filter, including sums and counts.

import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import { type Company, given, type User } from '../harness/given.ts'
import { loadSales } from '../harness/many-sales.ts'
import { shown } from '../harness/screens.ts'
import { allWithin, medianMs } from '../harness/within.ts'

const sales = 100_000
const promisedMs = 200

/** Every column of the list that can be sorted by. */
const sortable = [
  'num',
  'customer_name',
  'date_placed',
  'status',
  'payment',
  'total',
  'cost',
  'margin',
  'source',
  'date_shipped',
]

let company: Company
let user: User
let small: User
before(async () => {
  small = await given.user(await loadSales({ sales: 100, days: 30, lastDay: '2026-06-30' }), 'manager')
  company = await loadSales({ sales, days: 730, lastDay: '2026-06-30' })
  user = await given.user(company, 'manager')
})

test('100,000 sales are paged, ordered, searched and filtered with sums and counts within 200 ms', async (t) => {
  const { total, totals, counts } = await shown(user, 'orders/browse')
  assert.equal(total, sales)
  const quarter = sales / 4
  const summed = 3 * quarter
  const sums = { sales: summed, total: summed * 14, cost: summed * 2, margin: summed * 12, without_cost: 0 }
  assert.deepEqual(totals, sums, 'without canceled ones')
  assert.deepEqual(counts, { open: 2 * quarter, to_ship: 2 * quarter, shipped: quarter, canceled: quarter, all: sales })
  assert.equal((await shown(user, 'orders/browse', { search: 'a-999' })).total, 111)
  assert.equal((await shown(user, 'orders/browse', { search: 'customer 19' })).total, sales / 20)
  const asked = {
    'the first page': {},
    'what can be shipped': { cut: 'to_ship' },
    'a page in the middle': { offset: sales / 2 },
    ...Object.fromEntries(
      sortable.flatMap((sort) => ['asc', 'desc'].map((direction) => [`by ${sort} ${direction}`, { sort, direction }])),
    ),
    'part of a number': { search: '99' },
    'part of the notes, which all have': { search: 'neighbours' },
    'part of a customer’s name': { search: 'customer 1' },
    'a customer': { customer_id: 3 },
    'two statuses within a month': { status: [0, 3], date_from: '2026-03-01', date_to: '2026-03-31' },
    'some by their ids': { ids: [1, 5_000, 99_999] },
  }
  await allWithin(
    t,
    promisedMs,
    () => small.call('orders/browse', {}),
    (body) => user.call('orders/browse', body),
    asked,
  )
})

test('the next number and the owner of a number are read from indexes, not by scanning 100,000 sales', async (t) => {
  const [product] = (await shown(user, 'stock/browse')).stock
  const lines = [{ id: product.id, amount: 1, total: 1 }]
  const { order_id: id } = await shown(user, 'orders/add', { num: 'A-99990', customer_id: 1, products: lines })
  assert.equal((await shown(user, 'orders/next_number')).num, 'A-100000', 'numbers up to A-99999 are in use')
  assert.equal((await shown(user, 'orders/find_number', { num: 'A-4711' })).orders.length, 1)
  for (const path of ['orders/next_number', 'orders/find_number'])
    await allWithin(
      t,
      promisedMs / 10,
      () => small.call('orders/find_number', { num: 'A-4711' }),
      (body) => user.call(path, body),
      { [path]: { num: 'A-4711' } },
    )
  await shown(user, 'orders/delete', { order_id: id })
})

test('with 35,000 sales waiting for one item the list still shows the allocation of each in order', async (t) => {
  const [item] = (await shown(user, 'stock/browse')).stock
  const gone = item.amount - 15_000
  const reply = await company.call('writeoffs/add', { products: [{ id: item.id, amount: gone }], date: '2026-07-01' })
  assert.equal(reply.status, 200, reply.text)
  const { counts } = await shown(user, 'orders/browse')
  // Packed sales are allocated first: 15,000 of 25,000 of them, and none of the new ones.
  assert.deepEqual(counts, { open: 50_000, to_ship: 15_000, shipped: 25_000, canceled: 25_000, all: sales })
  const { orders } = await shown(user, 'orders/browse', {
    status: [1],
    sort: 'date_placed',
    direction: 'asc',
    limit: 1,
  })
  assert.equal(orders[0].availability, 'in_stock')
  t.diagnostic(`the first page: ${(await medianMs(() => user.call('orders/browse', {}))).toFixed(0)} ms`)
})
