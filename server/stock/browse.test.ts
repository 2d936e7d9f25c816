// Stock as the screens list it: by storage location or by item, now or on a past day.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { given } from '../test/harness/given.ts'
import { refusal, shown } from '../test/harness/screens.ts'

type Row = Record<string, unknown> & { readonly name: string; readonly storage_name: string | null }

async function shop() {
  const company = await given.company({ materials_in_sales: true })
  const user = await given.user(company, 'manager')
  const annex = await given.storage(company, 'Annex')
  const add = async (section: string, body: object): Promise<number> => {
    const reply = await company.call(`${section}/add`, body)
    assert.equal(reply.status, 200, reply.text)
    return Number(Object.values(reply.body)[1])
  }
  const category = await add('categories', { name: 'Tables', type: 'products' })
  const table = await add('products', { name: 'Table', sku: 'T-1', min_amount: 10, categories: [category] })
  const board = await add('materials', { name: 'Board', sku: 'B-1' })
  await given.stock(company, { item: table, amount: '5', unitCost: '4', date: '2025-01-01' })
  await given.stock(company, { item: table, amount: '3', unitCost: '12', date: '2025-01-05', storage: annex.id })
  await company.call('writeoffs/add', { materials: [{ id: board, amount: 2 }], date: '2025-01-03' })
  await given.sale(company, { products: [{ id: table, amount: 2, total: 20 }], date_placed: '2025-01-04' })
  const rows = async (body: object = {}): Promise<Row[]> => (await shown(user, 'stock/browse', body)).stock
  const named = async (body: object = {}) =>
    (await rows(body)).map((row) => [row.name, row.storage_name, row['amount']])
  return { company, user, annex, add, category, table, board, rows, named }
}

test('by storage location, a row is an item at one storage location', async () => {
  const { user, table, annex, company, rows, named } = await shop()
  assert.deepEqual(await named(), [
    ['Board', 'Materials', -2],
    ['Table', 'Annex', 3],
    ['Table', 'Finished goods', 5],
  ])
  assert.deepEqual((await rows({ search: 't-1', storage_id: company.productsStorageId }))[0], {
    type: 'products',
    id: table,
    sku: 'T-1',
    name: 'Table',
    picture: null,
    unit: 'pcs',
    storage_id: company.productsStorageId,
    storage_name: 'Finished goods',
    amount: 5,
    reserved: 2,
    available: 3,
    in_transit: 0,
    min_amount: 10,
    cost: 7, // (5 × 4 + 3 × 12) / 8
    total_cost: 35,
    is_low: true,
    is_deleted: false,
    is_storage_deleted: false,
  })
  const { total, totals } = await shown(user, 'stock/browse', { type: 'products' })
  assert.deepEqual([total, totals], [2, { total_cost: 56 }])
  assert.deepEqual(await named({ storage_id: annex.id }), [['Table', 'Annex', 3]])
})

test('by item, a row is the total of an item, and items without movements are included', async () => {
  const { add, annex, named, rows } = await shop()
  await add('products', { name: 'Zebra wood' })
  await add('resources', { name: 'Hour' })
  assert.deepEqual(await named({ by: 'item' }), [
    ['Board', null, -2],
    ['Table', null, 8],
    ['Zebra wood', null, 0],
  ])
  const [row] = await rows({ by: 'item', search: 'table' })
  assert.deepEqual([row?.['storage_id'], row?.['reserved'], row?.['total_cost']], [null, 2, 56])
  assert.deepEqual(await named({ by: 'item', storage_id: annex.id }), [['Table', null, 3]])
})

test('on a past day, by the effective dates of the movements', async () => {
  const { named, rows } = await shop()
  assert.deepEqual(await named({ date: '2024-12-31' }), [])
  assert.deepEqual(await named({ date: '2025-01-02' }), [['Table', 'Finished goods', 5]])
  assert.deepEqual(await named({ date: '2025-01-03' }), [['Board', 'Materials', -2], ['Table', 'Finished goods', 5]]) // biome-ignore format: rows
  assert.deepEqual(
    (await rows({ date: '2025-01-03', search: 'table' })).map((row) => row['reserved']),
    [0],
  )
  assert.deepEqual(
    (await rows({ date: '2025-01-04', search: 'table' })).map((row) => row['reserved']),
    [2],
  )
  assert.deepEqual(await named({ date: '2025-01-05', by: 'item' }), [['Board', null, -2], ['Table', null, 8]]) // biome-ignore format: rows
})

test('only positive, negative or low stock; by type and by category', async () => {
  const { company, add, category, table, named, rows } = await shop()
  await add('products', { name: 'Chair', min_amount: 1 })
  assert.deepEqual(await named({ only: 'positive' }), [['Table', 'Annex', 3], ['Table', 'Finished goods', 5]]) // biome-ignore format: rows
  assert.deepEqual(await named({ only: 'negative' }), [['Board', 'Materials', -2]])
  assert.deepEqual(await named({ only: 'low' }), [
    ['Chair', 'Finished goods', 0],
    ['Table', 'Annex', 3],
    ['Table', 'Finished goods', 5],
  ])
  assert.deepEqual(await named({ only: 'low', by: 'item' }), [['Chair', null, 0], ['Table', null, 8]]) // biome-ignore format: rows
  await company.call('products/edit', { product_id: table, min_amount: 8 })
  assert.deepEqual(
    await named({ only: 'low' }),
    [['Chair', 'Finished goods', 0]],
    'eight at two storage locations are enough',
  )
  assert.deepEqual(
    (await rows({ search: 'table' })).map((row) => row['is_low']),
    [false, false],
  )
  assert.deepEqual(await named({ type: 'materials' }), [['Board', 'Materials', -2]])
  assert.deepEqual(
    (await named({ category_id: category })).map(([name]) => name),
    ['Table', 'Table'],
  )
})

test('deleted items and storage locations are shown only while they have stock', async () => {
  const { company, annex, board, named, add } = await shop()
  const empty = await add('storages', { name: 'Empty' })
  await given.deleted(company, 'storage', annex.id)
  await given.deleted(company, 'storage', empty)
  await given.deleted(company, 'item', board)
  assert.deepEqual(
    (await named()).map(([name, storage]) => [name, storage]),
    [
      ['Board', 'Materials'],
      ['Table', 'Annex'],
      ['Table', 'Finished goods'],
    ],
  )
  await company.call('audits/add', {
    storage_id: company.materialsStorageId,
    materials: [{ id: board, counted: 0 }],
    status: 3,
  })
  const gone = await given.material(company, { name: 'Gone' })
  await given.stock(company, { item: gone.id, amount: '1', unitCost: '1', date: '2025-01-01' })
  await company.call('writeoffs/add', {
    materials: [{ id: gone.id, amount: 1 }],
    materials_storage_id: company.productsStorageId,
  })
  assert.ok((await named()).some(([name]) => name === 'Gone'))
  await given.deleted(company, 'item', gone.id)
  assert.ok(!(await named()).some(([name]) => name === 'Gone'))
  assert.ok(!(await named({ by: 'item' })).some(([name]) => name === 'Gone'))
})

test('invalid fields are refused with the message of the field', async () => {
  const { user } = await shop()
  for (const [body, text] of [
    [{ by: 'shelf' }, 'Invalid by value. Must be one of: item, storage'],
    [{ date: '2025-13-01' }, 'Date is not a valid date in format YYYY-MM-DD'],
    [{ only: 'some' }, 'Invalid only value. Must be one of: all, positive, negative, low'],
    [{ type: 'product' }, 'Invalid type value. Must be one of: products, materials'],
  ] as const) {
    assert.equal(await refusal(user, 'stock/browse', body), text)
  }
})
