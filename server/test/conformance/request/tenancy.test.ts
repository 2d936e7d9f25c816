// Companies cannot read each other's data, and their keys are stored so that nobody can read them.

import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { url } from '../../harness/app.ts'
import { query } from '../../harness/database.ts'
import { given } from '../../harness/given.ts'
import { rule } from '../../harness/rule.ts'
import { until } from '../../harness/until.ts'
import { kontor } from './kontor-command.ts'
import { callAt, openShop, type Shop } from './shop.ts'

/** A shop with a sale and one of each kind of record, and a second company that has no records with these ids. */
async function openTwo(): Promise<[Shop, Shop]> {
  const owner = await openShop({ materials_in_sales: true })
  const other = await openShop({ materials_in_sales: true })
  for (let at = 0; at < 3; at++) {
    await given.product(owner.company, { sku: `P${at}` })
    await given.material(owner.company, { sku: `M${at}` })
    await given.storage(owner.company, `S${at}`)
    await given.customer(owner.company, { name: `C${at}` })
    await owner.added(owner.sale())
  }
  return [owner, other]
}

/** Everything of the owning company that a call could change. */
const stateOf = ({ company }: Shop) =>
  query(
    company.id,
    `select (select seq from company_clock where company_id = $1)::int as seq,
       (select json_agg(s order by id) from sales s where company_id = $1) as sales,
       (select json_agg(l order by sale_id, position) from sale_lines l where company_id = $1) as lines,
       (select json_agg(c order by id) from customers c where company_id = $1) as customers,
       (select json_agg(l order by storage_id, item_id) from stock_levels l where company_id = $1) as levels`,
    [company.id],
  )

const never = 1_000_000

rule('tenancy.not-found', async () => {
  const [owner, other] = await openTwo()
  const product = (await given.product(owner.company, { sku: 'last' })).id
  const material = (await given.material(owner.company, { sku: 'last' })).id
  const storage = (await given.storage(owner.company, 'last')).id
  const customer = (await given.customer(owner.company, { name: 'last' })).id
  assert.equal((await other.added(other.sale())).id, 1)
  const calls: [string, (id: number) => object, number][] = [
    ['orders/get_entry', (id) => ({ order_id: id }), 3],
    ['orders/edit', (id) => ({ order_id: id, notes: 'x' }), 3],
    ['orders/update_status', (id) => ({ order_id: id, status: 3 }), 3],
    ['orders/update_payment', (id) => ({ order_id: id, status: 2 }), 3],
    ['orders/add', (id) => other.sale({ customer_id: id }), customer],
    ['orders/add', (id) => other.sale({ products_storage_id: id }), storage],
    ['orders/add', (id) => other.sale({ materials_storage_id: id }), storage],
    ['orders/add', (id) => other.saleOf({ id, sku: undefined }), product],
    ['orders/add', (id) => other.sale({ products: [], materials: [{ id, amount: 1, total: 1 }] }), material],
    ['orders/edit', (id) => ({ order_id: 1, customer_id: id }), customer],
    ['orders/edit', (id) => ({ order_id: 1, products_storage_id: id }), storage],
    ['orders/edit', (id) => ({ order_id: 1, products: [{ id, amount: 1, total: 1 }] }), product],
    ['orders/edit', (id) => ({ order_id: 1, materials: [{ id, amount: 1, total: 1 }] }), material],
    ['orders/delete', (id) => ({ order_id: id }), 3],
  ]
  for (const [path, body, foreign] of calls) {
    const about = `${path} ${JSON.stringify(body(foreign))}`
    const theirs = await other.company.call(path, body(foreign))
    const nobodys = await other.company.call(path, body(never))
    assert.equal(theirs.status, 400, about)
    assert.deepEqual([theirs.status, theirs.text], [nobodys.status, nobodys.text], about)
    // The owner's identical request is accepted, so the refusal is due to the company.
    assert.equal((await owner.company.call(path, body(foreign))).status, 200, about)
  }
})

rule('tenancy.not-found', 'names and SKUs of another company are not found either', async () => {
  const [owner, other] = await openTwo()
  const reply = await other.company.call('orders/add', other.saleOf({ sku: 'P1' }))
  assert.equal(reply.text, '{"success":false,"error":"All products have wrong SKU or id"}')
  const order = await other.added(other.sale({ customer_name: 'C2' }))
  assert.deepEqual([order.customer_id, order.customer_email], [1, ''])
  const customers = await query(owner.company.id, 'select id from customers where company_id = $1', [owner.company.id])
  assert.equal(customers.length, 4)
})

rule('tenancy.no-effect', async () => {
  const [owner, other] = await openTwo()
  const before = await stateOf(owner)
  const attempts: [string, object][] = [
    ['orders/edit', { order_id: 2, notes: 'taken', products: [{ sku: 'P', amount: 9, total: 9 }] }],
    ['orders/update_status', { order_id: 2, status: 3 }],
    ['orders/update_payment', { order_id: 2, status: 2 }],
    ['orders/delete', { order_id: 2 }],
    ['orders/add', other.sale({ customer_id: 2 })],
    ['orders/add', other.sale({ products_storage_id: 5 })],
    ['orders/add', other.saleOf({ id: 3, sku: undefined })],
  ]
  for (const [path, body] of attempts) assert.equal((await other.company.call(path, body)).status, 400, path)
  await other.added(other.sale())
  assert.deepEqual(await stateOf(owner), before)
})

rule('tenancy.list', async () => {
  const [owner, other] = await openTwo()
  for (const body of [{}, { limit: 10 }, { date_from: '0001-01-01', date_to: '9999-12-31' }]) {
    assert.equal((await other.company.call('orders/get_list', body)).text, '{"success":true,"orders":[],"total":0}')
  }
  await other.added(other.sale({ num: 'mine' }))
  for (const body of [{}, { limit: 10 }]) {
    const mine = (await other.company.call('orders/get_list', body)).body
    assert.deepEqual([mine.total, mine.orders.map((order: { num: string }) => order.num)], [1, ['A-mine']])
    assert.equal((await owner.company.call('orders/get_list', body)).body.total, 3)
  }
})

rule('tenancy.ids', async () => {
  for (const shop of [await openShop(), await openShop()]) {
    assert.equal(shop.product.id, 1)
    for (const [at, name] of ['Ada', 'Ada', 'Grace'].entries()) {
      const reply = await shop.company.call('orders/add', shop.sale({ customer_name: name }))
      assert.equal(reply.text, JSON.stringify({ success: true, order_id: at + 1, customer_id: name === 'Ada' ? 1 : 2 }))
    }
  }
})

/** One more API connection of the company, created as an administrator would. */
async function connect(companyId: number, ...words: string[]): Promise<{ connection_id: number; api_key: string }> {
  return JSON.parse(await kontor(['key', 'create', '--company', String(companyId), '--json', ...words]))
}

rule('tenancy.key-hash', async () => {
  const { company, sale } = await openShop()
  const { api_key: key } = await connect(company.id)
  assert.equal((await callAt(url(), key, 'orders/add', sale(), { 'Idempotency-Key': 'one' })).status, 200)
  const listed = await kontor(['key', 'list', '--company', String(company.id)])
  assert.equal(listed.trim().split('\n').length, 2)
  assert.ok(!listed.includes(key) && !listed.includes(company.key))

  const hashes = await query(company.id, 'select key_hash from api_keys where company_id = $1', [company.id])
  assert.deepEqual(
    new Set(hashes.map((row) => row.key_hash.toString('hex'))),
    new Set([key, company.key].map((one) => createHash('sha256').update(one).digest('hex'))),
  )
  // Nor in any other column of any table. The request log is written asynchronously.
  const logged = 'select 1 from request_log where company_id = $1'
  await until(async () => (await query(company.id, logged, [company.id])).length > 0, { pollMs: 50 })
  const tables = await query(company.id, `select tablename as name from pg_tables where schemaname = 'public'`)
  assert.ok(tables.length > 20)
  for (const { name } of tables) {
    const rows = await query(
      company.id,
      `select 1 from ${name} t where strpos(t::text, $1) > 0 or strpos(t::text, $2) > 0`,
      [key.slice('kontor_live_'.length + 4, -4), company.key.slice('kontor_live_'.length + 4, -4)],
    )
    assert.equal(rows.length, 0, `table ${name} contains a key`)
  }
})

rule('tenancy.connections', async () => {
  const { company, sale, entry } = await openShop()
  const shopfront = await connect(company.id, '--name', 'Web shop', '--prefix', 'WEB/')
  const bare = await connect(company.id, '--name', 'No prefix', '--prefix', '')
  const keys = [company.key, shopfront.api_key, bare.api_key]
  for (const key of keys) assert.equal((await callAt(url(), key, 'orders/add', sale({ num: '7' }))).status, 200)
  const numbers = [await entry(1), await entry(2), await entry(3)].map((order) => order.num)
  assert.deepEqual(numbers, ['A-7', 'WEB/7', '7'])
  // One company: each key reads and changes records created with the others.
  for (const key of keys) assert.equal((await callAt(url(), key, 'orders/get_list')).body.total, 3)
  assert.equal((await callAt(url(), shopfront.api_key, 'orders/edit', { order_id: 1, num: '8' })).status, 200)
  assert.equal((await entry(1)).num, 'WEB/8')
})

rule('tenancy.connections', 'a connection may have two keys, and one can be revoked without the other', async () => {
  const { company, sale } = await openShop()
  const second = await connect(company.id, '--connection', '1')
  assert.equal(second.connection_id, 1)
  const hash = createHash('sha256').update(company.key).digest('hex')
  const listed = (await kontor(['key', 'list', '--company', String(company.id), '--json'])).trim().split('\n')
  const older = listed.map((line) => JSON.parse(line).key_id).find((id) => hash.startsWith(id))
  assert.equal(listed.length, 2)
  assert.equal((await company.call('orders/get_list')).status, 200)
  await kontor(['key', 'revoke', '--company', String(company.id), '--key', older])
  assert.equal((await company.call('orders/get_list')).status, 401)
  assert.equal((await callAt(url(), second.api_key, 'orders/add', sale())).status, 200)
})

rule('limit.company', async () => {
  const company = await given.company({ daily_limit: 3 })
  const { api_key: key } = await connect(company.id)
  const remaining = []
  for (const one of [company.key, key, company.key, key, company.key]) {
    const reply = await callAt(url(), one, 'orders/get_list')
    remaining.push([reply.status, reply.headers.get('ratelimit-remaining')])
  }
  assert.deepEqual(remaining, [
    [200, '2'],
    [200, '1'],
    [200, '0'],
    [429, '0'],
    [429, '0'],
  ])
  assert.equal((await (await given.company({ daily_limit: 3 })).call('orders/get_list')).status, 200)
})
