// A company with 100,000 sales on this machine: how long the list of the screens takes, in any order, with any filter, sums and counts included.

import assert from 'node:assert/strict'
import { before, type TestContext, test } from 'node:test'
import { type Company, given, type User } from '../testing/given.ts'
import { loadSales } from '../testing/many-sales.ts'
import { shown } from '../testing/screens.ts'

const sales = 100_000
// 200 ms is promised for a machine that does nothing else (KONTOR_CALM=1 holds it to that). Where others work on it, three times as much passes: a
// list that looks up a customer or lowers a text for every row takes longer still, which is what this is to catch. The figures are printed.
const mostMs = process.env['KONTOR_CALM'] === '1' ? 200 : 600
const [warmUps, runs, rounds] = [2, 7, 3]

let company: Company
let user: User
before(async () => {
  company = await loadSales({ sales, days: 730, lastDay: '2026-06-30' })
  user = await given.user(company, 'manager')
})

/** The median of several calls one after the other, over HTTP, answer included. */
async function medianMs(path: string, body: object): Promise<number> {
  const times: number[] = []
  for (let run = 0; run < warmUps + runs; run++) {
    const start = performance.now()
    const reply = await user.call(path, body)
    if (run >= warmUps) times.push(performance.now() - start)
    assert.equal(reply.status, 200, `${path} ${JSON.stringify(body)} → ${reply.text}`)
  }
  return times.toSorted((a, b) => a - b)[Math.floor(runs / 2)] ?? 0
}

/** Other work on the machine can only make a call slower, so a median that is too long is measured again. */
async function allWithin(t: TestContext, path: string, asked: Readonly<Record<string, object>>): Promise<void> {
  const slow: string[] = []
  for (const [what, body] of Object.entries(asked)) {
    const medians = []
    do medians.push(await medianMs(path, body))
    while (Math.min(...medians) > mostMs && medians.length < rounds)
    const told = `${what}: ${medians.map((ms) => ms.toFixed(0)).join(', ')} ms`
    t.diagnostic(told)
    if (Math.min(...medians) > mostMs) slow.push(told)
  }
  assert.deepEqual(slow, [], `over ${mostMs} ms`)
}

test('100,000 sales are paged, ordered, searched and filtered with sums and counts within 200 ms', async (t) => {
  const { total, totals, counts } = await shown(user, 'orders/browse')
  assert.equal(total, sales)
  assert.deepEqual(totals, { total: sales * 14, cost: sales * 2, margin: sales * 12 })
  const quarter = sales / 4
  assert.deepEqual(counts, { open: 2 * quarter, to_ship: 2 * quarter, shipped: quarter, canceled: quarter, all: sales })
  assert.equal((await shown(user, 'orders/browse', { search: 'a-999' })).total, 111)
  assert.equal((await shown(user, 'orders/browse', { search: 'customer 19' })).total, sales / 20)
  await allWithin(t, 'orders/browse', {
    'the first page': {},
    'what can be shipped': { cut: 'to_ship' },
    'a page in the middle': { offset: sales / 2 },
    'by total': { sort: 'total', direction: 'desc' },
    'by customer': { sort: 'customer_name' },
    'by number': { sort: 'num' },
    'part of a number': { search: '99' },
    'part of the notes, which all have': { search: 'neighbours' },
    'part of a customer’s name': { search: 'customer 1' },
    'a customer': { customer_id: 3 },
    'two statuses within a month': { status: [0, 3], date_from: '2026-03-01', date_to: '2026-03-31' },
    'some by their ids': { ids: [1, 5_000, 99_999] },
  })
})

test('with 35,000 sales waiting for one item the list still tells each in its turn', async (t) => {
  const [item] = (await shown(user, 'stock/browse')).stock
  const gone = item.amount - 15_000
  const reply = await company.call('writeoffs/add', { products: [{ id: item.id, amount: gone }], date: '2026-07-01' })
  assert.equal(reply.status, 200, reply.text)
  const { counts } = await shown(user, 'orders/browse')
  // Packed ones are served first: 15,000 of 25,000 are, and no new one.
  assert.deepEqual(counts, { open: 50_000, to_ship: 25_000, shipped: 25_000, canceled: 25_000, all: sales })
  const { orders } = await shown(user, 'orders/browse', {
    status: [1],
    sort: 'date_placed',
    direction: 'asc',
    limit: 1,
  })
  assert.equal(orders[0].availability, 'in_stock')
  t.diagnostic(`the first page: ${(await medianMs('orders/browse', {})).toFixed(0)} ms`)
})
