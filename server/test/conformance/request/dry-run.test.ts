// A dry run responds like the real call, shows the effects, and stores nothing.

import assert from 'node:assert/strict'
import type { Method } from '../../../kernel/method.ts'
import { methods } from '../../../methods.ts'
import { exampleRequest } from '../../contract/declared.ts'
import { allRows, assertSameRows } from '../../contract/rows.ts'
import { makeWorld } from '../../contract/world.ts'
import { query } from '../../harness/database.ts'
import { given } from '../../harness/given.ts'
import { rule } from '../../harness/rule.ts'
import { until } from '../../harness/until.ts'
import { assertFailure, openShop, used } from './shop.ts'

const dry = { 'Kontor-Dry-Run': 'true' }
const isDelete = ({ path }: Method): boolean => path.endsWith('/delete')
const writes = methods.filter(({ kind, api }) => kind === 'write' && api === 'public')

/** Every method, first as a dry run and then for real. */
async function runEveryWrite(check: (path: string, dryRun: string, real: string) => void): Promise<void> {
  // Deletions have their own company: other methods need the records, or refer to them. So has shipping: other methods ship the sale.
  const [kept, deleted, shipped] = [await makeWorld('KEPT'), await makeWorld('DELETED'), await makeWorld('SHIPPED')]
  for (const method of writes) {
    const world = isDelete(method) ? deleted : method.path === 'orders/ship' ? shipped : kept
    const example = exampleRequest(method, world)
    // The example of another method may have created a record with this name.
    const body = typeof example['name'] === 'string' ? { ...example, name: method.path } : example
    const before = await allRows(world.company)
    const dryRun = await world.company.call(method.path, body, { ...dry, 'Idempotency-Key': method.path })
    assert.equal(dryRun.status, 200, `${method.path} → ${dryRun.text}`)
    assertSameRows(await allRows(world.company), before, method.path)
    const real = await world.company.call(method.path, body, { 'Idempotency-Key': method.path })
    assert.equal(real.status, 200, `${method.path} → ${real.text}`)
    check(method.path, dryRun.text, real.text)
  }
}

rule('dry-run.nothing-stored', 'by every writing method', () => runEveryWrite(() => {}))

rule('dry-run.answer', 'of every writing method', () =>
  runEveryWrite((path, dryRun, real) => {
    const { dry_run, effects, ...fields } = JSON.parse(dryRun)
    assert.equal(dry_run, true, path)
    assert.deepEqual(Object.keys(effects), ['stock', 'created'], path)
    assert.ok(dryRun.startsWith(`${real.slice(0, -1)},"dry_run":true,"effects":{`), `${path}: ${dryRun} beside ${real}`)
    assert.deepEqual(fields, JSON.parse(real), path)
  }),
)

rule('dry-run.answer', 'with the lines that are left out', async () => {
  const { company, product, sale } = await openShop()
  const products = [
    { sku: product.sku, amount: 1, total: 10 },
    { sku: 'UNKNOWN', amount: 2, total: 5 },
  ]
  const dryRun = await company.call('orders/add', sale({ products }), dry)
  const real = await company.call('orders/add', sale({ products }))
  assert.deepEqual(dryRun.body.skipped, real.body.skipped)
  assert.equal(dryRun.body.skipped.length, 1)
})

rule('dry-run.header', async () => {
  const { company, sale } = await openShop()
  const total = async (): Promise<number> => (await company.call('orders/get_list', { limit: 1 })).body.total
  for (const value of ['true', '1']) {
    const reply = await company.call('orders/add', sale(), { 'Kontor-Dry-Run': value })
    assert.deepEqual([reply.body.dry_run, await total()], [true, 0], value)
  }
  for (const [at, value] of ['false', '0'].entries()) {
    const reply = await company.call('orders/add', sale(), { 'Kontor-Dry-Run': value })
    assert.deepEqual([reply.text, await total()], [`{"success":true,"order_id":${at + 1},"customer_id":1}`, at + 1])
  }
})

rule('dry-run.invalid', async () => {
  const { company, sale } = await openShop()
  const rows = await allRows(company)
  for (const [at, value] of ['yes', 'TRUE', '2', 'true, true'].entries()) {
    const reply = await company.call('orders/add', sale(), { 'Kontor-Dry-Run': value })
    assertFailure(reply, 400, 'Invalid Kontor-Dry-Run. Must be true or false')
    assert.equal(await used(company), at + 1)
  }
  assertSameRows(await allRows(company), rows, 'a refused request')
})

rule('dry-run.reading', async () => {
  const { company } = await openShop()
  for (const value of ['true', 'nonsense']) {
    const reply = await company.call('orders/get_list', { limit: 1 }, { 'Kontor-Dry-Run': value })
    assert.equal(reply.text, '{"success":true,"orders":[],"total":0}')
  }
})

rule('dry-run.refusal', async () => {
  const { company, sale } = await openShop()
  const rows = await allRows(company)
  for (const body of [{}, sale({ products: [] }), sale({ customer_id: 99 }), sale({ products_storage_id: 99 })]) {
    const real = await company.call('orders/add', body)
    const dryRun = await company.call('orders/add', body, dry)
    assert.equal(real.status, 400)
    assert.deepEqual([dryRun.status, dryRun.text], [real.status, real.text])
  }
  assertSameRows(await allRows(company), rows, 'refused requests')
})

rule('dry-run.idempotency', async () => {
  const { company, sale } = await openShop()
  const first = await company.call('orders/add', sale(), { 'Idempotency-Key': 'one' })
  const dryRun = await company.call('orders/add', sale(), { ...dry, 'Idempotency-Key': 'one' })
  assert.deepEqual([dryRun.body.order_id, dryRun.headers.get('idempotent-replayed')], [2, null])
  for (const key of ['', 'k'.repeat(256)]) {
    const reply = await company.call('orders/add', sale(), { ...dry, 'Idempotency-Key': key })
    assert.equal(reply.body.dry_run, true)
  }
  const again = await company.call('orders/add', sale(), { 'Idempotency-Key': 'one' })
  assert.equal(again.text, first.text)
})

rule('dry-run.counted', async () => {
  const { company, sale } = await openShop()
  const before = await used(company)
  const reply = await company.call('orders/add', sale(), dry)
  assert.equal(await used(company), before + 1)
  const logged = () =>
    query(company.id, `select status from request_log where company_id = $1 and request_id = $2`, [
      company.id,
      reply.headers.get('x-request-id'),
    ])
  await until(async () => (await logged()).length === 1)
  assert.deepEqual(await logged(), [{ status: 200 }])
})

rule('dry-run.stock', async () => {
  const company = await given.company()
  const [table, chair] = [await given.product(company), await given.product(company)]
  const purchase = await company.call('purchases/add', {
    supplier_name: 'Mill',
    status: 3,
    products: [{ id: table.id, amount: 5, total: 50 }],
  })
  assert.equal(purchase.status, 200, purchase.text)
  const products = [
    { id: table.id, amount: 2, total: 20 },
    { id: chair.id, amount: 1.5, total: 30 },
  ]
  const body = { num: '1', customer_name: 'Ada', products }
  const level = (id: number, on_hand: number[], reserved: number[]) => ({
    type: 'product',
    id,
    storage_id: 1,
    on_hand,
    reserved,
  })
  const added = await company.call('orders/add', body, dry)
  assert.deepEqual(added.body.effects.stock, [level(table.id, [5, 5], [0, 2]), level(chair.id, [0, 0], [0, 1.5])])
  const { order_id } = (await company.call('orders/add', body)).body
  const shipped = await company.call('orders/update_status', { order_id, status: 3 }, dry)
  assert.deepEqual(shipped.body.effects.stock, [level(table.id, [5, 3], [2, 0]), level(chair.id, [0, -1.5], [1.5, 0])])
  const paid = await company.call('orders/update_payment', { order_id, status: 2 }, dry)
  assert.deepEqual(paid.body.effects, { stock: [], created: [] })
})

rule('dry-run.created', async () => {
  const { company, sale } = await openShop()
  const created = async (body: object) => (await company.call('orders/add', body, dry)).body.effects.created
  const order = { record: 'order', id: 1 }
  assert.deepEqual(await created(sale()), [{ record: 'customer', id: 1 }, order])
  const customer = await company.call('customers/add', { name: 'Ada' }, dry)
  assert.deepEqual(customer.body.effects.created, [{ record: 'customer', id: 1 }])
  await company.call('customers/add', { name: 'Ada' })
  assert.deepEqual(await created(sale()), [order])
  await given.made(company, 1)
  assert.deepEqual(await created(sale({ production: 1 })), [{ record: 'production', id: 1 }, order])
})
