// The change feed.
// Long because every rule of the feed has its test here.

import assert from 'node:assert/strict'
import { statementTexts } from '../../kernel/statement.ts'
import { methods } from '../../methods.ts'
import { query } from '../../test/harness/database.ts'
import { type Company, given } from '../../test/harness/given.ts'
import { indexesIn } from '../../test/harness/plans.ts'
import { rule } from '../../test/harness/rule.ts'

type Event = {
  readonly seq: number
  readonly at: string
  readonly type: string
  readonly record: string
  readonly id: number
  readonly changed: readonly string[]
  readonly source: string
  readonly request_id: string
}

async function feed(company: Company, request: object = {}) {
  const { status, text, body } = await company.call('events/get_list', request)
  assert.equal(status, 200, text)
  return body as { events: Event[]; next: number; more: boolean }
}

const named = ({ events }: { events: readonly Event[] }) => events.map(({ type, id }) => `${type} ${id}`)
const first = ['storage.created 1', 'storage.created 2', 'unit.created 1']

async function withSale() {
  const company = await given.company()
  await company.call('products/add', { name: 'Table', sku: 'T' })
  const products = [{ sku: 'T', amount: 2, total: 30 }]
  const reply = await company.call('orders/add', { num: '1', customer_name: 'Ada', products })
  return { company, reply, products }
}

rule('feed.row.fields', async () => {
  const { company, reply } = await withSale()
  const { events } = await feed(company, { after: 5 })
  const [event] = events
  assert.equal(events.length, 1)
  assert.match(event?.at ?? '', /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{6}Z$/)
  assert.deepEqual(
    { ...event, at: '' },
    {
      seq: 6,
      at: '',
      type: 'order.created',
      record: 'order',
      id: 1,
      changed: [],
      source: 'api',
      request_id: reply.headers.get('x-request-id'),
    },
  )
  assert.deepEqual(Object.keys(event ?? {}), ['seq', 'at', 'type', 'record', 'id', 'changed', 'source', 'request_id'])
})

rule('feed.row.order', async () => {
  const { company } = await withSale()
  const { events } = await feed(company)
  assert.deepEqual(
    events.map(({ seq }) => seq),
    [1, 2, 3, 4, 5, 6],
  )
  assert.deepEqual(
    (await feed(company, { after: '4' })).events.map(({ seq }) => seq),
    [5, 6],
  )
})

rule('feed.row.types', async () => {
  const { company } = await withSale()
  await company.call('orders/update_payment', { order_id: 1, status: 2 })
  await company.call('orders/delete', { order_id: 1 })
  await company.call('customers/delete', { customer_id: 1 })
  assert.deepEqual(named(await feed(company, { after: 3 })), [
    'product.created 1',
    'customer.created 1',
    'order.created 1',
    'order.updated 1',
    'order.deleted 1',
    'customer.deleted 1',
  ])
})

rule('feed.row.types', 'every method that writes records has its events in the feed', async () => {
  const company = await given.company()
  const product = { id: 1, amount: 1 }
  const steps: readonly (readonly [string, object, string])[] = [
    ['products/add', { name: 'P' }, 'product.created 1'],
    ['materials/add', { name: 'M' }, 'material.created 2'],
    ['resources/add', { name: 'R' }, 'resource.created 3'],
    ['suppliers/add', { name: 'S' }, 'supplier.created 1'],
    ['categories/add', { name: 'C', type: 'products' }, 'category.created 1'],
    ['purchases/add', { supplier_id: 1, products: [{ ...product, total: 1 }] }, 'purchase.created 1'],
    ['productions/add', { products: [product], materials: [{ id: 2, amount: 1 }] }, 'production.created 1'],
    ['writeoffs/add', { products: [product] }, 'writeoff.created 1'],
    ['transfers/add', { storage_from_id: 1, storage_to_id: 2, products: [product] }, 'transfer.created 1'],
    ['audits/add', { storage_id: 1, products: [{ id: 1, counted: 0 }] }, 'audit.created 1'],
  ]
  let { next } = await feed(company)
  for (const [path, body, expected] of steps) {
    const reply = await company.call(path, body)
    assert.equal(reply.status, 200, `${path} → ${reply.text}`)
    const page = await feed(company, { after: next })
    assert.deepEqual(named(page), [expected])
    next = page.next
  }
  // Each section whose records have add and delete occurs above, or is one that every company starts with.
  const sections = methods
    .filter(({ api, path }) => api === 'public' && path.endsWith('/delete'))
    .map(({ path }) => path)
  const known = new Set([...steps.map(([path]) => path), 'orders/add', 'customers/add', 'units/add', 'storages/add'])
  for (const path of sections) assert.ok(known.has(path.replace('/delete', '/add')), path)
})

rule('feed.row.changed', async () => {
  const { company } = await withSale()
  await given.made(company, 1)
  const { next } = await feed(company)
  await company.call('orders/edit', { order_id: 1, notes: 'Call first', discount: 3 })
  await company.call('orders/edit', { order_id: 1, production: 1 })
  await company.call('orders/update_status', { order_id: 1, status: 3, date_shipped: '2026-01-02' })
  const { events } = await feed(company, { after: next })
  assert.deepEqual(
    events.map(({ type, changed }) => [type, changed]),
    [
      ['order.updated', ['discount', 'notes', 'total']],
      ['production.created', []],
      ['order.updated', ['production']],
      ['order.updated', ['date_shipped', 'status']],
    ],
  )
})

rule('feed.row.source', async () => {
  const company = await given.company()
  const manager = await given.user(company, 'manager')
  const { next } = await feed(company)
  const reply = await manager.call('customers/add', { name: 'Ada' })
  const { events } = await feed(company, { after: next })
  assert.deepEqual(
    events.map(({ source, request_id }) => [source, request_id]),
    [['manual', reply.headers.get('x-request-id')]],
  )
})

rule('feed.start', async () => {
  const company = await given.company()
  assert.deepEqual(named(await feed(company)), first)
  assert.deepEqual(await feed(company, { after: 0 }), await feed(company))
})

rule('feed.limit', async () => {
  const { company } = await withSale()
  const pages: string[][] = []
  let after = 0
  for (let more = true; more; ) {
    const page = await feed(company, { after, limit: 4 })
    pages.push(named(page))
    ;({ next: after, more } = page)
  }
  assert.deepEqual(pages, [
    [...first, 'product.created 1'],
    ['customer.created 1', 'order.created 1'],
  ])
  const { more } = await feed(company, { after: 4, limit: 2 })
  assert.equal(more, false, 'exactly the rest')
  const many = await given.company()
  for (let n = 0; n < 98; n++) await many.call('customers/add', { name: `C${n}` })
  assert.equal((await feed(many)).events.length, 100)
  assert.equal((await feed(many)).more, true)
})

rule('feed.hidden', async () => {
  const company = await given.company()
  const owner = await given.user(company, 'owner')
  const { next } = await feed(company)
  await owner.call('settings/edit', { currency: 'USD' })
  await owner.call('connections/add', { name: 'Shop' })
  await owner.call('users/invite', { email: `${company.id}@oak.example`, role: 'worker' })
  assert.deepEqual(await feed(company, { after: next }).then(({ events, more }) => [events, more]), [[], false])
  assert.equal((await feed(company, { after: next })).next, next + 3)
  await company.call('customers/add', { name: 'Ada' })
  assert.deepEqual(named(await feed(company, { after: next, limit: 1 })), ['customer.created 1'])
})

rule('feed.end', async () => {
  const { company } = await withSale()
  const { next } = await feed(company)
  assert.equal(next, 6)
  const end = await feed(company, { after: next })
  assert.deepEqual([end.events, end.next, end.more], [[], 6, false])
  await company.call('orders/update_payment', { order_id: 1, status: 1 })
  assert.deepEqual(named(await feed(company, { after: next })), ['order.updated 1'])
})

rule('feed.own-company', async () => {
  await withSale()
  const other = await given.company()
  assert.deepEqual(named(await feed(other)), first)
})

rule('feed.anywhere', async () => {
  const company = await given.company()
  const events = 20_000
  // Of another record each, so that the index of records would seem useful.
  await query(
    company.id,
    `insert into events (company_id, seq, at, method, source, request_id, record, record_id, change)
     select $1, 3 + n, now(), 'customers/edit', 'api', 'loaded', 'customer', n, '{"name": ["a", "b"]}' from generate_series(1, ${events}) n`,
    [company.id],
  )
  await query(company.id, `update company_clock set seq = ${events + 3} where company_id = $1`, [company.id])
  await query(company.id, 'analyze events')
  const sql = (statementTexts().get('events.feed') ?? assert.fail()).replaceAll('$1', String(company.id))
  for (const after of [0, events / 2, events - 10]) {
    const filled = sql
      .replaceAll('$2', '1')
      .replaceAll('$3', `'${after}'::bigint`)
      .replaceAll('$4', 'null')
      .replaceAll('$5', '100')
    const [row] = await query(company.id, `explain (analyze, format json, timing off) ${filled}`)
    const plan = JSON.stringify(row['QUERY PLAN'])
    const scans = indexesIn(plan)
    assert.ok(scans.includes('events_pkey') && !scans.includes('events_of_record'), `${after}: ${scans}`)
    const counts = plan.matchAll(/"(?:Actual Rows|Rows Removed by Filter)":([\d.]+)/g)
    const read = Math.max(...[...counts].map(([, rows]) => Number(rows)))
    assert.ok(read <= 101, `${read} rows read after ${after}`)
  }
})

rule('feed.row.changed-shown', async () => {
  const { company } = await withSale()
  const user = await given.user(company)
  await given.made(company, 1)
  const line = [{ id: 1, amount: 0.5 }]
  const { next } = await feed(company)
  await user.call('orders/ship_part', { order_id: 1, lines: line })
  await user.call('orders/ship_part', { order_id: 1, lines: line })
  const bought = { supplier_name: 'Wood', products: [{ id: 1, amount: 2, total: 5 }] }
  await company.call('purchases/add', bought)
  await user.call('purchases/receive_part', { purchase_id: 1, lines: line })
  await user.call('purchases/receive_part', { purchase_id: 1, lines: line })
  await company.call('productions/add', { products: [{ id: 1, amount: 1 }] })
  await company.call('productions/edit', { production_id: 1, products: [{ id: 1, amount: 2 }] })
  const { events } = await feed(company, { after: next })
  const changed = events.filter(({ type }) => type.endsWith('.updated'))
  assert.equal(changed.length, 5)
  for (const { record, id, changed: names } of changed) {
    const section = `${record}s`
    const { body } = await company.call(`${section}/get_entry`, { [`${record}_id`]: id })
    const shown = Object.keys(body[record])
    for (const name of names) assert.ok(shown.includes(name), `${record}: ${name}`)
  }
  assert.deepEqual(changed.at(-1)?.changed.includes('materials'), true)
})

rule('feed.large', async () => {
  const { company } = await withSale()
  for (const after of [1e15, '9007199254740991', '9007199254740994', '9'.repeat(40)])
    assert.equal((await company.call('events/get_list', { after })).status, 409)
})

rule('feed.error.after', async () => {
  const company = await given.company()
  for (const after of [-1, 'x', 1.5, true, {}]) {
    const reply = await company.call('events/get_list', { after })
    assert.equal(reply.status, 400)
    assert.equal(reply.body.error, 'Invalid after value. Must be 0 or greater')
  }
})

rule('feed.error.limit', async () => {
  const company = await given.company()
  for (const limit of [0, 1001, 'x']) {
    const reply = await company.call('events/get_list', { limit })
    assert.equal(reply.status, 400)
    assert.equal(reply.body.error, 'Invalid limit value. Must be between 1 and 1000')
  }
})
