// stock/get_movements: the movements that explain a level.

import assert from 'node:assert/strict'
import { level } from '../test/harness/database.ts'
import { type Company, given } from '../test/harness/given.ts'
import { documents, movementsOf } from '../test/harness/movements.ts'
import { accepts, add, edit, isoTime, noRecords } from '../test/harness/record-calls.ts'
import { rule } from '../test/harness/rule.ts'

type Shop = { company: Company; table: number; glue: number; home: number; other: number }

async function shop(): Promise<Shop> {
  const company = await given.company()
  const glue = await add(company, 'materials', { name: 'Glue', sku: 'GLUE' })
  const table = await add(company, 'products', { name: 'Table', sku: 'TABLE', alt_skus: ['T-OLD'] })
  return { company, table, glue, home: company.productsStorageId, other: company.materialsStorageId }
}

/** 10 tables purchased, 5 produced with glue, 4 transferred, 2 sold, each on a different day. */
async function busy(): Promise<Shop> {
  const made = await shop()
  await documents.purchases(made.company, made.table, 10, '2026-03-01')
  await documents.productions(made.company, made.table, 5, '2026-03-02')
  await documents.transfers(made.company, made.table, 4, '2026-03-03')
  await documents.orders(made.company, made.table, 2, '2026-03-04')
  return made
}

type Row = { date: string; item_id: number; storage_id: number; change: number; balance_after: number }
const brief = async (company: Company, filters: object = {}) =>
  ((await movementsOf(company, filters)) as Row[]).map((row) => [row.date, row.change, row.balance_after])

rule('movements.row.fields', async () => {
  const { company, table, home } = await shop()
  const started = new Date().toISOString()
  const id = await documents.purchases(company, table, 3, '2026-03-01')
  const [row, ...others] = await movementsOf(company)
  assert.deepEqual(others, [])
  const { id: movement, recorded_at, request_id, ...rest } = row
  assert.ok(Number.isInteger(movement) && movement > 0)
  assert.match(recorded_at, isoTime)
  assert.ok(recorded_at >= started.slice(0, 19) && recorded_at <= new Date().toISOString().replace('Z', '999Z'))
  assert.ok(typeof request_id === 'string' && request_id !== '')
  assert.deepEqual(rest, {
    date: '2026-03-01',
    type: 'products',
    item_id: table,
    sku: 'TABLE',
    storage_id: home,
    change: 3,
    balance_after: 3,
    unit_cost: 10,
    document: { section: 'purchases', id, num: 'P-1' },
  })
})

rule('movements.row.document', async () => {
  const { company, table } = await shop()
  const numbers = {
    purchases: 'P-1',
    productions: 'M-1',
    writeoffs: 'W-1',
    transfers: 'T-1',
    audits: 'I-1',
    orders: 'A-1',
  }
  for (const [section, num] of Object.entries(numbers) as [keyof typeof documents, string][]) {
    const id = await documents[section](company, table, 7, '2026-03-01')
    const newest = (await movementsOf(company)).sort((one, two) => two.id - one.id)[0]
    assert.deepEqual(newest.document, { section, id, num })
  }
})

rule('movements.row.document', 'by its current number', async () => {
  const { company, table } = await shop()
  const id = await documents.purchases(company, table, 7, '2026-03-01')
  await accepts(company, 'purchases/edit', { purchase_id: id, num: 'NEW' })
  assert.deepEqual((await movementsOf(company))[0].document, { section: 'purchases', id, num: 'NEW' })
})

rule('movements.row.request-id', async () => {
  const { company, table } = await shop()
  const added = await company.call('writeoffs/add', { products: [{ id: table, amount: 1 }], date: '2026-03-01' })
  const changed = await company.call('writeoffs/edit', {
    writeoff_id: added.body.writeoff_id,
    products: [{ id: table, amount: 3 }],
  })
  const rows = await movementsOf(company)
  const asked = [added, changed].map((reply) => reply.headers.get('x-request-id'))
  assert.deepEqual(
    rows.map((row) => row.request_id),
    asked.reverse(),
  )
  assert.notEqual(asked[0], asked[1])
})

rule('movements.row.balance', async () => {
  const { company, table, other } = await busy()
  assert.deepEqual(await brief(company, { id: table, storage_id: company.productsStorageId }), [
    ['2026-03-04', -2, 9],
    ['2026-03-03', -4, 11],
    ['2026-03-02', 5, 15],
    ['2026-03-01', 10, 10],
  ])
  assert.deepEqual(await brief(company, { id: table, storage_id: other }), [['2026-03-03', 4, 4]])
})

rule('movements.row.balance', 'a backdated movement is listed on its date, and later balances include it', async () => {
  const { company, table, home } = await busy()
  await documents.writeoffs(company, table, 1, '2026-03-02')
  assert.deepEqual(await brief(company, { id: table, storage_id: home }), [
    ['2026-03-04', -2, 8],
    ['2026-03-03', -4, 10],
    ['2026-03-02', -1, 14],
    ['2026-03-02', 5, 15],
    ['2026-03-01', 10, 10],
  ])
})

rule('movements.row.unit-cost', async () => {
  const { company, table } = await shop()
  const line = { id: table, amount: 3, total: 10 }
  await accepts(company, 'purchases/add', {
    supplier_name: 'Wood',
    products: [line],
    status: 3,
    date_received: '2026-03-01',
  })
  await documents.orders(company, table, 2, '2026-03-02')
  assert.deepEqual(
    (await movementsOf(company)).map((row) => [row.change, row.unit_cost]),
    [
      [-2, 3.333333],
      [3, 3.333333],
    ],
  )
})

rule('movements.row.order', async () => {
  const { company } = await busy()
  const rows = await movementsOf(company)
  const dates = rows.map((row) => row.date)
  assert.deepEqual(dates, [...dates].sort().reverse())
  for (const [at, row] of rows.entries())
    assert.ok(
      at === 0 || rows[at - 1].date > row.date || rows[at - 1].id > row.id,
      'within a day, the last recorded first',
    )
})

rule('movements.row.sum', async () => {
  const { company, table, glue, home, other } = await busy()
  await given.sale(company, { products: [{ id: table, amount: 1, total: 9 }] })
  for (const [id, storage_id] of [
    [table, home],
    [table, other],
    [glue, other],
  ] as const) {
    const rows: Row[] = await movementsOf(company, { id, storage_id })
    const { on_hand } = await level(company, id, storage_id)
    assert.equal(
      rows.reduce((sum, row) => sum + row.change, 0),
      Number(on_hand),
    )
    assert.equal(rows[0]?.balance_after, Number(on_hand))
  }
})

rule('movements.row.undone', async () => {
  const { company, table } = await shop()
  const id = await documents.writeoffs(company, table, 4, '2026-03-02')
  await accepts(company, 'writeoffs/delete', { writeoff_id: id })
  assert.deepEqual(await brief(company), [
    ['2026-03-02', 4, 0],
    ['2026-03-02', -4, -4],
  ])
  const rows = await movementsOf(company)
  assert.deepEqual(
    rows.map((row) => [row.document.section, row.document.id]),
    Array(2).fill(['writeoffs', id]),
  )
})

rule('movements.filter.type', async () => {
  const { company } = await busy()
  assert.deepEqual(await brief(company, { type: 'materials' }), [['2026-03-02', -1, -1]])
  assert.equal((await brief(company, { type: 'products' })).length, 5)
})

rule('movements.filter.id', async () => {
  const { company, glue } = await busy()
  assert.deepEqual(await brief(company, { id: glue }), [['2026-03-02', -1, -1]])
  for (const id of noRecords) assert.deepEqual(await brief(company, { id }), [], `${id}`)
})

rule('movements.filter.sku', async () => {
  const { company, table } = await busy()
  assert.equal((await brief(company, { sku: ' TABLE ' })).length, 5)
  assert.equal((await brief(company, { sku: 'GLUE' })).length, 1)
  assert.deepEqual(await brief(company, { sku: 'TAB' }), [])
  await edit(company, 'products', table, { sku: 'NEW' })
  const rows = await movementsOf(company, { sku: 'NEW' })
  assert.deepEqual([rows.length, rows[0].sku], [5, 'NEW'])
})

rule('movements.filter.storage', async () => {
  const { company, table, glue, other } = await busy()
  const rows: Row[] = await movementsOf(company, { storage_id: other })
  assert.deepEqual(
    rows.map((row) => [row.item_id, row.change]),
    [
      [table, 4],
      [glue, -1],
    ],
  )
})

rule('movements.filter.days', async () => {
  const { company, table, home } = await busy()
  const of = { id: table, storage_id: home }
  const days = async (filters: object) => (await brief(company, { ...of, ...filters })).map((row) => row[0])
  assert.deepEqual(await days({ date_from: '2026-03-03' }), ['2026-03-04', '2026-03-03'])
  assert.deepEqual(await days({ date_to: '2026-03-02' }), ['2026-03-02', '2026-03-01'])
  assert.deepEqual(await days({ date_from: '2026-03-02', date_to: '2026-03-03' }), ['2026-03-03', '2026-03-02'])
  assert.deepEqual(await days({ date_from: '2026-03-05' }), [])
})

rule('movements.filter.balance-stays', async () => {
  const { company, table, home } = await busy()
  const filters = { id: table, storage_id: home, date_from: '2026-03-03', date_to: '2026-03-03' }
  assert.deepEqual(await brief(company, filters), [['2026-03-03', -4, 11]])
  const page = await accepts(company, 'stock/get_movements', { sku: 'TABLE', storage_id: home, limit: 1, offset: 1 })
  assert.deepEqual([page.movements[0].balance_after, page.total], [11, 4])
})

rule('movements.filter.own-company', async () => {
  const [{ table, home }, two] = [await busy(), await given.company()]
  for (const filters of [{}, { id: table }, { sku: 'TABLE' }, { storage_id: home }])
    assert.deepEqual(await movementsOf(two, filters), [])
})
