// The change feed, limited to some types of events.

import assert from 'node:assert/strict'
import { connection } from '../../test/harness/connection.ts'
import { query } from '../../test/harness/database.ts'
import { type Company, given } from '../../test/harness/given.ts'
import { accepts, refuses } from '../../test/harness/record-calls.ts'
import { rule } from '../../test/harness/rule.ts'
import { feedTypes } from './records.ts'

type Event = { readonly seq: number; readonly type: string; readonly id: number }
type Caller = { readonly call: (path: string, body?: object) => Promise<unknown> }
type Page = { readonly events: readonly Event[]; readonly next: number; readonly more: boolean }

const page = async (company: Caller, request: object): Promise<Page> =>
  await accepts(company as Company, 'events/get_list', { ...request })
const typesOf = ({ events }: Page): string[] => events.map(({ type }) => type)

async function withChanges() {
  const company = await given.company()
  await accepts(company, 'products/add', { name: 'Table', sku: 'T' })
  const products = [{ sku: 'T', amount: 2, total: 30 }]
  for (const num of ['1', '2']) await accepts(company, 'orders/add', { num, customer_name: 'Ada', products })
  await accepts(company, 'orders/update_payment', { order_id: 1, status: 2 })
  await accepts(company, 'orders/delete', { order_id: 2 })
  await accepts(company, 'products/edit', { product_id: 1, name: 'Oak table' })
  return company
}

rule('feed.types', async () => {
  const company = await withChanges()
  const all = await page(company, {})
  for (const types of [['order.created'], ['order.deleted', 'order.created'], ['customer.created', 'audit.deleted']]) {
    const wanted = all.events.filter(({ type }) => types.includes(type))
    assert.deepEqual(await page(company, { types }), { ...all, events: wanted })
    for (const after of [0, 4, all.next])
      assert.deepEqual((await page(company, { types, after })).events, wanted.filter(({ seq }) => seq > after)) // biome-ignore format: one line
  }
  for (const types of [[], null]) assert.deepEqual(await page(company, { types }), all)
  const first = await page(company, { types: ['order.created'], limit: 1 })
  assert.deepEqual([typesOf(first), first.more, first.next], [['order.created'], true, first.events[0]?.seq])
  const second = await page(company, { types: ['order.created'], limit: 1, after: first.next })
  assert.deepEqual([typesOf(second), second.more, second.next], [['order.created'], false, all.next])
})

rule('feed.types', 'a key that is limited to sections sees none of other sections', async () => {
  const company = await withChanges()
  const key = await connection(company, { sections: ['products', 'events'] })
  const types = ['order.created', 'product.updated']
  assert.deepEqual(typesOf(await page(key, { types })), ['product.updated'])
})

rule('feed.types-bounded', async () => {
  const company = await given.company()
  const { next: start } = await page(company, {})
  await query(
    company.id,
    `insert into events (company_id, seq, at, method, source, request_id, record, record_id, change)
     select $1, $2::bigint + n, now(), case when n % 15000 = 0 then 'orders/delete' else 'customers/edit' end, 'api', 'loaded',
       case when n % 15000 = 0 then 'sale' else 'customer' end, n, '{}' from generate_series(1, 45000) n`,
    [company.id, start],
  )
  await query(company.id, `update company_clock set seq = $2::bigint + 45000 where company_id = $1`, [
    company.id,
    start,
  ])
  const found: number[] = []
  const nexts: number[] = []
  for (let after = start, more = true; more; ) {
    const read = await page(company, { types: ['order.deleted'], after })
    found.push(...read.events.map(({ id }) => id))
    nexts.push(read.next - start)
    ;({ next: after, more } = read)
  }
  assert.deepEqual([found, nexts], [[15000, 30000, 45000], [20000, 40000, 45000]]) // biome-ignore format: one line
})

rule('feed.error.types', async () => {
  const company = await given.company()
  const text = `Invalid types value. Must be any of: ${feedTypes.join(', ')}`
  assert.ok(feedTypes.includes('order.created'))
  for (const types of [['order'], ['order.created', 'user.created'], [null], [1], [['order.created']]])
    await refuses(company, 'events/get_list', { types }, text)
  await refuses(company, 'events/get_list', { types: 'order.created' }, 'Types is not an array')
  const many = Array.from({ length: 101 }, () => 'order.created')
  await refuses(company, 'events/get_list', { types: many }, 'Too many types. Must be at most 100')
})
