// Every record that a write creates, changes or deletes has its own event.
// Long because every kind of record that has events of its own is covered.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { auditCompany } from '../../audit.ts'
import { runBackfills } from '../../platform/postgres/backfills.ts'
import { closeDatabase, openDatabase } from '../../platform/postgres/database.ts'
import { scratchDatabase } from '../../test/conformance/request/scratch.ts'
import { query } from '../../test/harness/database.ts'
import { type Company, given } from '../../test/harness/given.ts'
import { rule } from '../../test/harness/rule.ts'
import { createCompany } from '../companies.ts'

const scratch = scratchDatabase()

type Row = { readonly seq: number; readonly event: string }

/** The company's events after a number, such as `sale 1 created`. */
async function eventsAfter(company: { readonly id: number }, seq: number): Promise<Row[]> {
  const sql = `select seq::int, record || ' ' || record_id || ' ' || coalesce(action, case split_part(method, '/', 2)
      when 'add' then 'created' when 'delete' then 'deleted' else 'updated' end) as event
    from events where company_id = $1 and seq > $2 order by seq`
  return (await query(company.id, sql, [company.id, seq])) as Row[]
}

const lastSeq = async (company: { readonly id: number }): Promise<number> =>
  (await query(company.id, 'select seq::int from company_clock where company_id = $1', [company.id]))[0].seq

/** The events of one call, which must succeed and be numbered on from the last event. */
async function eventsOf(company: Company, path: string, body: object): Promise<string[]> {
  const before = await lastSeq(company)
  const reply = await company.call(path, body)
  assert.equal(reply.status, 200, reply.text)
  const rows = await eventsAfter(company, before)
  assert.deepEqual(
    rows.map(({ seq }) => seq),
    rows.map((_, at) => before + 1 + at),
  )
  assert.equal(await lastSeq(company), before + rows.length)
  return rows.map(({ event }) => event)
}

async function withProduct(settings: object = {}) {
  const company = await given.company(settings)
  const { id } = await given.product(company, {})
  await given.made(company, id)
  return { company, products: [{ id, amount: 2, total: 30 }] }
}

rule('events.own.each', async () => {
  const { company, products } = await withProduct()
  assert.deepEqual(await eventsOf(company, 'orders/add', { num: '1', customer_name: 'Ada', products, production: 1 }), [
    'customer 1 created',
    'production 1 created',
    'sale 1 created',
  ])
  assert.deepEqual(await eventsOf(company, 'customers/edit', { customer_id: 1, phone: '1' }), ['customer 1 updated'])
  assert.deepEqual(await eventsOf(company, 'customers/delete', { customer_id: 1 }), ['customer 1 deleted'])
})

rule('events.own.customer', async () => {
  const { company, products } = await withProduct()
  assert.deepEqual(await eventsOf(company, 'orders/add', { num: '1', customer_name: 'Ada', products }), [
    'customer 1 created',
    'sale 1 created',
  ])
  assert.deepEqual(await eventsOf(company, 'orders/edit', { order_id: 1, customer_name: 'Bo' }), [
    'customer 2 created',
    'sale 1 updated',
  ])
  const [row] = await query(
    company.id,
    `select change from events where company_id = $1 and record = 'customer' and record_id = 2`,
    [company.id],
  )
  assert.equal(row.change.name, 'Bo')
})

rule('events.own.supplier', async () => {
  const { company, products } = await withProduct()
  assert.deepEqual(await eventsOf(company, 'purchases/add', { supplier_name: 'Mill', products }), [
    'supplier 1 created',
    'purchase 1 created',
  ])
  assert.deepEqual(await eventsOf(company, 'purchases/add', { supplier_name: 'Mill', products }), [
    'purchase 2 created',
  ])
})

rule('events.own.usual', async () => {
  const { company, products } = await withProduct()
  const { id } = await given.customer(company)
  assert.deepEqual(await eventsOf(company, 'orders/add', { num: '1', customer_id: id, products }), ['sale 1 created'])
})

rule('events.own.production', async () => {
  const { company, products } = await withProduct()
  const { id } = await given.customer(company)
  await company.call('orders/add', { num: '1', customer_id: id, products })
  const edited = (body: object) => eventsOf(company, 'orders/edit', { order_id: 1, ...body })
  assert.deepEqual(await edited({ production: 1 }), ['production 1 created', 'sale 1 updated'])
  assert.deepEqual(await edited({ products: products.map((line) => ({ ...line, amount: 3 })) }), [
    'production 1 updated',
    'sale 1 updated',
  ])
  assert.deepEqual(await edited({ notes: 'x' }), ['sale 1 updated'])
  assert.deepEqual(await edited({ production: 0 }), ['production 1 deleted', 'sale 1 updated'])
  await edited({ production: 1 })
  assert.deepEqual(await eventsOf(company, 'productions/update_status', { production_id: 2, status: 1 }), [
    'production 2 updated',
  ])
  const status = (to: number) => eventsOf(company, 'orders/update_status', { order_id: 1, status: to })
  assert.deepEqual(await status(4), ['production 2 updated', 'sale 1 updated'])
  assert.deepEqual(await status(0), ['production 2 updated', 'sale 1 updated'])
  assert.deepEqual(await eventsOf(company, 'orders/delete', { order_id: 1 }), [
    'production 2 updated',
    'sale 1 deleted',
  ])
  const changes = await query(
    company.id,
    `select change from events where company_id = $1 and record = 'production' and record_id = 2 order by seq`,
    [company.id],
  )
  assert.deepEqual(
    changes.slice(2).map(({ change }) => change),
    [
      { sale_id: [1, null], former_sale_id: [null, 1] },
      { sale_id: [null, 1], former_sale_id: [1, null] },
      { sale_id: [1, null] },
    ],
  )
})

rule('events.own.made-to-order', async () => {
  const { company, products } = await withProduct()
  const { id } = await given.customer(company)
  await company.call('orders/add', { num: '1', customer_id: id, products })
  await company.call('orders/add', { num: '2', customer_id: id, products })
  assert.deepEqual(await eventsOf(company, 'productions/add', { order_id: 1, products: [{ id: 1, amount: 1 }] }), [
    'sale 1 updated',
    'production 1 created',
  ])
  assert.deepEqual(await eventsOf(company, 'productions/edit', { production_id: 1, order_id: 2 }), [
    'sale 1 updated',
    'sale 2 updated',
    'production 1 updated',
  ])
  assert.deepEqual(await eventsOf(company, 'productions/delete', { production_id: 1 }), [
    'sale 2 updated',
    'production 1 deleted',
  ])
})

rule('events.own.production-number', async () => {
  const { company, products } = await withProduct()
  await company.call('orders/add', { num: '1', customer_name: 'Ada', products, production: 1 })
  const read = async () =>
    (await company.call('orders/get_entry', { order_id: 1, include: ['meta'] })).body.order as Record<string, unknown>
  const before = await read()
  assert.deepEqual(await eventsOf(company, 'productions/edit', { production_id: 1, num: 'X-9' }), [
    'sale 1 updated',
    'production 1 updated',
  ])
  const { body } = await company.call('events/get_list', { after: Number(before['version']) })
  assert.deepEqual(body.events[0].changed, ['production_num'])
  const after = await read()
  assert.equal(after['production_num'], 'X-9')
  assert.ok(String(after['updated_at']) > String(before['updated_at']))
  const late = { order_id: 1, notes: 'x', version: before['version'] }
  assert.equal((await company.call('orders/edit', late)).status, 409)
  assert.deepEqual(await eventsOf(company, 'productions/edit', { production_id: 1, num: 'X-9', notes: 'y' }), [
    'production 1 updated',
  ])
  // Unlinked and renumbered at once: the sale shows neither.
  assert.deepEqual(await eventsOf(company, 'productions/delete', { production_id: 1 }), [
    'sale 1 updated',
    'production 1 deleted',
  ])
})

rule('events.own.defaults', async () => {
  const company = await given.company()
  assert.deepEqual(await eventsOf(company, 'storages/add', { name: 'Hall', default_products: 1 }), [
    'storage 1 updated',
    'storage 3 created',
  ])
  assert.deepEqual(
    await eventsOf(company, 'storages/edit', { storage_id: 1, default_products: 1, default_materials: 1 }),
    ['storage 3 updated', 'storage 2 updated', 'storage 1 updated'],
  )
  const owner = await given.user(company, 'owner')
  const before = await lastSeq(company)
  const reply = await owner.call('settings/edit', { materials_storage_id: 2 })
  assert.equal(reply.status, 200, reply.text)
  const events = await eventsAfter(company, before)
  assert.deepEqual(
    events.map(({ event }) => event),
    ['storage 1 updated', 'storage 2 updated', `company ${company.id} updated`],
  )
})

rule('events.own.defaults', 'the time of its last change', async () => {
  const company = await given.company()
  const times = async (): Promise<Record<number, string>> => {
    const { storages } = (await company.call('storages/get_list')).body
    return Object.fromEntries(storages.map((one: { id: number; updated_at: string }) => [one.id, one.updated_at]))
  }
  const first = await times()
  await company.call('storages/add', { name: 'Hall', default_products: 1 })
  const second = await times()
  assert.ok((second[1] ?? '') > (first[1] ?? ''), 'it is replaced as the default')
  assert.equal(second[2], first[2])
  await company.call('storages/edit', { storage_id: 1, default_materials: 1 })
  const third = await times()
  assert.ok((third[2] ?? '') > (second[2] ?? ''))
  assert.equal(third[3], second[3])
  const owner = await given.user(company, 'owner')
  await owner.call('settings/edit', { materials_storage_id: 2 })
  const fourth = await times()
  assert.ok([1, 2].every((id) => (fourth[id] ?? '') > (third[id] ?? '')))
})

rule('events.own.first', async () => {
  const company = await given.company()
  const events = await eventsAfter(company, 0)
  assert.deepEqual(
    events.map(({ event }) => event),
    ['storage 1 created', 'storage 2 created', 'unit 1 created'],
  )
})

rule('events.own.none', async () => {
  const { company, products } = await withProduct()
  await company.call('orders/add', { num: '1', customer_name: 'Ada', products })
  assert.deepEqual(await eventsOf(company, 'orders/edit', { order_id: 1, customer_name: 'Ada', products }), [])
  assert.deepEqual(await eventsOf(company, 'customers/edit', { customer_id: 1, name: 'Ada' }), [])
  const before = await lastSeq(company)
  const refused = await company.call('orders/edit', {
    order_id: 1,
    customer_name: 'Bo',
    products: [{ id: 99, amount: 1, total: 1 }],
  })
  assert.equal(refused.status, 400)
  assert.deepEqual(await eventsAfter(company, before), [])
})

rule('events.own.precondition', async () => {
  const { company, products } = await withProduct()
  const owner = await given.user(company, 'owner')
  await company.call('orders/add', { num: '1', customer_name: 'Ada', products, production: 1 })
  const seq = await lastSeq(company)
  // The production changes, the sale does not.
  await company.call('productions/edit', { production_id: 1, notes: 'x' })
  const expect = { 'kontor-expect': String(seq) }
  const edit = { order_id: 1, production: 0 }
  assert.equal((await owner.call('orders/edit', edit, expect)).status, 200)
  assert.equal((await owner.call('orders/edit', { order_id: 1, production: 1 }, expect)).status, 409)
})

test('records of an older version get the events that they lack, each once', async () => {
  const database = openDatabase(scratch.databaseUrl, { connections: 1, streams: 1 })
  const { company_id: id } = await createCompany(database.pool, 'Old', 'UTC')
  await closeDatabase(database)
  await scratch.sql('delete from events')
  await scratch.sql('update company_clock set seq = 0, last_customer_id = 2')
  await scratch.sql(
    `insert into customers (company_id, id, name, name_key) values (${id}, 1, 'A', 'a'), (${id}, 2, 'B', 'b')`,
  )
  const violations = await auditCompany(scratch.databaseUrl, id)
  assert.deepEqual(
    violations.map(({ invariant }) => invariant).filter((name) => !name.includes('events of')),
    [],
  )
  assert.equal(violations.length, 5)
  // Portions of two records: the third finds nothing left.
  await runBackfills(scratch.databaseUrl, { rowsAtOnce: 2 })
  assert.deepEqual(await auditCompany(scratch.databaseUrl, id), [])
  const [clock] = await scratch.sql('select seq::int from company_clock')
  assert.deepEqual(clock, { seq: 5 })
})
