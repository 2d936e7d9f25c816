// The stock levels that changed since an event.

import assert from 'node:assert/strict'
import { statementTexts } from '../kernel/statement.ts'
import { query } from '../test/harness/database.ts'
import { type Company, given } from '../test/harness/given.ts'
import { indexesIn } from '../test/harness/plans.ts'
import { rule } from '../test/harness/rule.ts'
import './changes.ts'

type Level = { readonly id: number; readonly storage_id: number; readonly amount: number; readonly reserved: number }

async function changes(company: Company, request: object = {}) {
  const { status, text, body } = await company.call('stock/get_changes', request)
  assert.equal(status, 200, text)
  return body as { stock: Level[]; next: number; more: boolean }
}

const shown = ({ stock }: { stock: readonly Level[] }) =>
  stock.map(({ id, storage_id, amount, reserved }) => [id, storage_id, amount, reserved])

/** Three products, five of each in stock. */
async function stocked() {
  const company = await given.company()
  const ids: number[] = []
  for (let n = 0; n < 3; n++) {
    const { id } = await given.product(company, {})
    await given.stock(company, { item: id, amount: '5', unitCost: '2' })
    ids.push(id)
  }
  const { id: customer } = await given.customer(company)
  const sell = async (items: readonly number[], amount = 1): Promise<number> => {
    const products = items.map((id) => ({ id, amount, total: 10 }))
    return await given.sale(company, { customer_id: customer, products })
  }
  return { company, ids: ids as [number, number, number], sell }
}

rule('stock-changes.rows', async () => {
  const { company, ids, sell } = await stocked()
  const all = await changes(company)
  assert.deepEqual(
    shown(all),
    ids.map((id) => [id, 1, 5, 0]),
  )
  const { body } = await company.call('stock/get_list', {})
  assert.deepEqual(
    all.stock.toSorted((a, b) => a.id - b.id),
    body.stock.toSorted((a: Level, b: Level) => a.id - b.id),
  )
  const order = await sell([ids[0]])
  await company.call('orders/update_status', { order_id: order, status: 3 })
  const since = await changes(company, { after: all.next })
  assert.deepEqual(shown(since), [[ids[0], 1, 4, 0]], 'once, though it was reserved and deducted')
  const { body: feed } = await company.call('events/get_list', { after: all.next })
  assert.equal(since.next, feed.next)
})

rule('stock-changes.reserved', async () => {
  const { company, ids, sell } = await stocked()
  const { next } = await changes(company)
  await sell([ids[1]], 2)
  assert.deepEqual(shown(await changes(company, { after: next })), [[ids[1], 1, 5, 2]])
})

rule('stock-changes.none', async () => {
  const { company } = await stocked()
  const { next } = await changes(company)
  await company.call('customers/add', { name: 'Ada' })
  const page = await changes(company, { after: next })
  assert.deepEqual([page.stock, page.next, page.more], [[], next + 1, false])
})

rule('stock-changes.whole', async () => {
  const { company, ids, sell } = await stocked()
  const { next } = await changes(company)
  await sell([ids[0], ids[1]])
  await sell([ids[2]])
  const page = await changes(company, { after: next, limit: 1 })
  assert.deepEqual([page.stock.length, page.more], [2, true])
  const rest = await changes(company, { after: page.next, limit: 1 })
  assert.deepEqual([shown(rest), rest.more], [[[ids[2], 1, 5, 1]], false])
})

rule('stock-changes.again', async () => {
  const { company, ids, sell } = await stocked()
  await sell([ids[0]])
  const { next } = await changes(company)
  const order = await sell([ids[0]])
  const page = await changes(company, { after: next })
  assert.deepEqual(shown(page), [[ids[0], 1, 5, 2]])
  await company.call('orders/delete', { order_id: order })
  assert.deepEqual(shown(await changes(company, { after: page.next })), [[ids[0], 1, 5, 1]])
})

rule('stock-changes.events', async () => {
  const { company, ids } = await stocked()
  await given.made(company, ids[0])
  const { next } = await changes(company)
  const products = [{ id: ids[0], amount: 2, total: 10 }]
  await company.call('orders/add', { num: '1', customer_name: 'New', products, production: 1 })
  const { body } = await company.call('events/get_list', { after: next })
  const numbers = body.events.map(({ seq }: { seq: number }) => seq)
  assert.deepEqual(numbers, [next + 1, next + 2, next + 3])
  for (const after of [next, next + 1, next + 2])
    assert.deepEqual(shown(await changes(company, { after })), [[ids[0], 1, 5, 2]], `after ${after}`)
  assert.deepEqual(shown(await changes(company, { after: next + 3 })), [])
  const supplied = { supplier_name: 'New', products, status: 3 }
  await company.call('purchases/add', supplied)
  assert.deepEqual(shown(await changes(company, { after: next + 4 })), [[ids[0], 1, 7, 2]])
})

rule('stock-changes.own-company', async () => {
  await stocked()
  const other = await given.company()
  assert.deepEqual((await changes(other)).stock, [])
})

rule('stock-changes.index', async () => {
  const { company, ids } = await stocked()
  const { next } = await changes(company)
  const sql = (statementTexts().get('stock.changes') ?? assert.fail()).replaceAll('$1', String(company.id))
  const buffersOf = async (after: number, limit: number): Promise<number> => {
    const filled = sql.replaceAll('$2', `'${after}'::bigint`).replaceAll('$3', String(limit))
    // Once before, so that it reads no statistics of the catalog and sets no hint bits.
    await query(company.id, filled)
    const [row] = await query(company.id, `explain (analyze, buffers, format json, timing off) ${filled}`)
    const [{ Plan: plan }] = row['QUERY PLAN']
    const text = JSON.stringify(plan)
    const indexes = indexesIn(text).filter((name) => name.startsWith('stock_levels_'))
    assert.deepEqual(new Set(indexes), new Set(['stock_levels_by_change']))
    assert.doesNotMatch(text, /"Node Type":"Seq Scan"[^{}]*"Relation Name":"stock_levels(_\d+)?"/)
    return plan['Shared Hit Blocks'] + plan['Shared Read Blocks']
  }
  const load = async (from: number, to: number): Promise<void> => {
    await query(
      company.id,
      `insert into items (company_id, id, kind, name, name_key, unit_id)
       select i.company_id, 1000 + n, i.kind, 'Item ' || n, 'item ' || n, i.unit_id from items i, generate_series(${from}, ${to}) n
       where i.company_id = $1 and i.id = ${ids[0]}`,
      [company.id],
    )
    await query(
      company.id,
      `insert into stock_levels (company_id, storage_id, item_id, on_hand, reserved, seq)
       select $1, 1, 1000 + n, 1, 0, n % ${next - 1} from generate_series(${from}, ${to}) n`,
      [company.id],
    )
    await query(company.id, 'analyze stock_levels')
  }
  await load(1, 1_000)
  const [few, fewOfPage] = [await buffersOf(next, 100), await buffersOf(next - 1, 100)]
  await load(1_001, 20_000)
  const [many, manyOfPage] = [await buffersOf(next, 100), await buffersOf(next - 1, 100)]
  // A larger index has one or two levels more.
  assert.ok(many <= few + 6, `an empty page: ${few} buffers with 1,000 levels, ${many} with 20,000`)
  assert.ok(manyOfPage <= fewOfPage + 12, `a page of one level: ${fewOfPage} buffers, then ${manyOfPage}`)
})

const refuses = async (field: string, values: readonly unknown[], error: string): Promise<void> => {
  const company = await given.company()
  for (const value of values) {
    const reply = await company.call('stock/get_changes', { [field]: value })
    assert.deepEqual([reply.status, reply.body.error], [400, error])
  }
}

rule('stock-changes.error.after', () => refuses('after', [-1, 'x'], 'Invalid after value. Must be 0 or greater'))

rule('stock-changes.error.limit', () => refuses('limit', [0, 1001], 'Invalid limit value. Must be between 1 and 1000'))

rule(
  'stock-changes.rows',
  'levels of an older version, whose last change is not known, are listed from 0',
  async () => {
    const { company, ids, sell } = await stocked()
    await query(company.id, 'update stock_levels set seq = null where company_id = $1', [company.id])
    const pages: number[][] = []
    for (let after = 0, more = true; more; ) {
      const page = await changes(company, { after, limit: 1 })
      pages.push(page.stock.map(({ id }) => id))
      ;({ next: after, more } = page)
    }
    assert.deepEqual(
      pages,
      ids.map((id) => [id]),
    )
    const { next } = await changes(company)
    await sell([ids[2]])
    assert.deepEqual(shown(await changes(company, { after: next })), [[ids[2], 1, 5, 1]])
  },
)
