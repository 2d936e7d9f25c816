// Which lines are stored as skipped, and for how long.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { broken, query } from '../../test/harness/database.ts'
import { type Company, given } from '../../test/harness/given.ts'
import { rule } from '../../test/harness/rule.ts'

const known = { sku: 'TEA', amount: 1, total: 10 }
const unknown = { sku: 'NO-1', amount: 2, total: 30.5 }

async function shop() {
  const company = await given.company({ materials_in_sales: true })
  await given.product(company, { sku: 'TEA' })
  await given.material(company, { sku: 'TIN' })
  return { company, user: await given.user(company, 'manager') }
}

async function must(of: { call: Company['call'] }, path: string, body: object) {
  const reply = await of.call(path, body)
  assert.equal(reply.status, 200, reply.text)
  return reply.body
}

const add = async (company: Company, products: object[], materials: object[] = []) =>
  (await must(company, 'orders/add', { num: '1', customer_name: 'Ann', products, materials })).order_id

const rows = (company: Company) =>
  query(
    company.id,
    `select sale_id::int, position, kind, named_by, code, connection_id::int, amount::float, total::float from sale_skipped_lines
     where company_id = $1 order by sale_id, position`,
    [company.id],
  )

const connectionOf = async (company: Company): Promise<number> =>
  (await query(company.id, 'select id::int from api_connections where company_id = $1', [company.id]))[0]?.['id']

const row = (position: number, code: string, more: object = {}) => ({
  sale_id: 1,
  position,
  kind: 'product',
  named_by: 'sku',
  code,
  connection_id: 0,
  amount: 2,
  total: 30.5,
  ...more,
})

rule('skipped_lines.stored', async () => {
  const { company } = await shop()
  await add(company, [known])
  assert.deepEqual(await rows(company), [])
  const products = [unknown, known, { id: ' 4711 ', amount: '2.0005', total: -7.005 }]
  await add(company, products, [
    { sku: ' NO-2 ', amount: 3, total: 0 },
    { id: '   ', amount: 1, total: 1 },
    { external_id: ' 17 ', amount: 1, total: 1 },
    { id: 'x'.repeat(300), amount: 999_999_999.999, total: 999_999_999_999.99 },
  ])
  assert.deepEqual(
    (await rows(company)).map((one) => ({ ...one, sale_id: 1 })),
    [
      row(0, 'NO-1'),
      row(2, '4711', { named_by: 'id', amount: 2.001, total: -7.01 }),
      row(3, 'NO-2', { kind: 'material', amount: 3, total: 0 }),
      row(4, '', { kind: 'material', named_by: 'id', amount: 1, total: 1 }),
      row(5, '17', {
        kind: 'material',
        named_by: 'external_id',
        connection_id: await connectionOf(company),
        amount: 1,
        total: 1,
      }),
      row(6, 'x'.repeat(255), {
        kind: 'material',
        named_by: 'id',
        amount: 999_999_999.999,
        total: 999_999_999_999.99,
      }),
    ],
  )
  assert.deepEqual(await broken(company.id), [])
})

rule('skipped_lines.replaced', async () => {
  const { company } = await shop()
  const order_id = await add(company, [known, unknown])
  for (const change of [{ notes: 'Ring' }, { discount: 1 }, { num: '7' }]) {
    await must(company, 'orders/edit', { order_id, ...change })
    assert.deepEqual(await rows(company), [row(1, 'NO-1')], JSON.stringify(change))
  }
  await must(company, 'orders/edit', { order_id, products: [{ ...unknown, sku: 'NO-2' }, known] })
  assert.deepEqual(await rows(company), [row(0, 'NO-2')])
  // The known lines and the notes stay the same: they have no room for another sentence.
  const notes = 'n'.repeat(65_535)
  await must(company, 'orders/edit', { order_id, notes, products: [known, unknown] })
  await must(company, 'orders/edit', { order_id, products: [known, { ...unknown, sku: 'NO-3' }] })
  assert.deepEqual(await rows(company), [row(1, 'NO-3')])
  await must(company, 'orders/edit', { order_id, products: [known] })
  assert.deepEqual(await rows(company), [])
  assert.deepEqual(await broken(company.id), [])
})

rule('skipped_lines.kept-by-screens', async () => {
  const { company, user } = await shop()
  const order_id = await add(company, [known, unknown])
  await must(user, 'orders/edit', { order_id, products: [{ ...known, amount: 5 }] })
  assert.deepEqual(await rows(company), [row(1, 'NO-1')])
  await must(user, 'orders/edit', { order_id, products: [known, { ...unknown, sku: 'NO-2' }] })
  assert.deepEqual(await rows(company), [row(1, 'NO-1'), row(2, 'NO-2')])
  const { notes } = (await must(company, 'orders/get_entry', { order_id })).order
  await must(user, 'orders/edit', { order_id, notes: `Ring. ${notes}` })
  assert.equal((await rows(company)).length, 2)
  // Somebody has added the first line by hand.
  await must(user, 'orders/edit', { order_id, notes: notes.split('\n')[1] })
  assert.deepEqual(await rows(company), [row(2, 'NO-2')])
  assert.deepEqual(await broken(company.id), [])
})

rule('skipped_lines.kept-by-screens', 'a sentence that is the beginning of another is not taken for it', async () => {
  const { company, user } = await shop()
  const order_id = await add(company, [known, { ...unknown, total: 3 }, unknown, { ...unknown, total: 30 }])
  const { notes } = (await must(company, 'orders/get_entry', { order_id })).order
  const without = (total: string) => `${notes}.`.split('\n').filter((line) => !line.endsWith(`total ${total}`))
  await must(user, 'orders/edit', { order_id, notes: without('3').join('\n') })
  assert.deepEqual(
    (await rows(company)).map(({ total }) => total),
    [30.5, 30],
  )
})

rule('skipped_lines.kept-by-screens', 'lines that the notes never listed stay', async () => {
  const { company, user } = await shop()
  const order_id = await add(company, [known, unknown])
  await must(company, 'orders/edit', { order_id, notes: 'n'.repeat(65_500) })
  await must(user, 'orders/edit', { order_id, discount: 1 })
  assert.equal((await rows(company)).length, 1)
  await must(company, 'orders/edit', { order_id, products: [known, unknown] })
  const { notes } = (await must(company, 'orders/get_entry', { order_id })).order
  assert.match(notes, /\n… and 1 more lines not found$/)
  await must(user, 'orders/edit', { order_id, discount: 2 })
  assert.equal((await rows(company)).length, 1)
  await must(user, 'orders/edit', { order_id, notes: 'Ring' })
  assert.deepEqual(await rows(company), [])
})

rule('skipped_lines.deleted', async () => {
  const { company } = await shop()
  const order_id = await add(company, [known, unknown])
  assert.equal((await rows(company)).length, 1)
  await must(company, 'orders/delete', { order_id })
  assert.deepEqual(await rows(company), [])
  assert.deepEqual(await broken(company.id), [])
})

test('a dry run stores no skipped line, and a request that is repeated with its key stores it once', async () => {
  const { company } = await shop()
  const body = { num: '1', customer_name: 'Ann', products: [known, unknown] }
  const dry = await company.call('orders/add', body, { 'Kontor-Dry-Run': 'true' })
  assert.equal(dry.body.skipped.length, 1)
  assert.deepEqual(await rows(company), [])
  for (let times = 0; times < 2; times++) await company.call('orders/add', body, { 'Idempotency-Key': 'k' })
  assert.deepEqual(await rows(company), [row(1, 'NO-1')])
})

test('a server of an earlier version can delete a sale with skipped lines', async () => {
  const { company } = await shop()
  await add(company, [known, unknown])
  await query(company.id, 'delete from stock_movements where company_id = $1', [company.id])
  await query(company.id, 'delete from sale_lines where company_id = $1', [company.id])
  await query(company.id, 'delete from sales where company_id = $1', [company.id])
  assert.deepEqual(await rows(company), [])
})
