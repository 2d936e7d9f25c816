// stock/get_list: the fields of a row, which rows are listed, their order and pages.

import assert from 'node:assert/strict'
import { cost } from '../test/harness/database.ts'
import { type Company, given } from '../test/harness/given.ts'
import { amounts, levels } from '../test/harness/movements.ts'
import { accepts, add, edit, noRecords, refuses } from '../test/harness/record-calls.ts'
import { rule } from '../test/harness/rule.ts'

type Shop = { company: Company; annex: number; chair: number; table: number; board: number; group: number }

/** Table: 5 in the home storage, -2 in the annex. Chair: 3 at home, below its minimum of 4. Board: 40 in the annex. */
async function stocked(): Promise<Shop> {
  const company = await given.company()
  const annex = await add(company, 'storages', { name: 'Annex' })
  const group = await add(company, 'categories', { name: 'Oak', type: 'products' })
  const table = await add(company, 'products', {
    name: 'Table',
    sku: 'TABLE',
    alt_skus: ['T-OLD'],
    min_amount: 1.5,
    categories: [group],
  })
  const chair = await add(company, 'products', { name: 'Chair', sku: 'CHAIR', min_amount: 4 })
  const board = await add(company, 'materials', { name: 'Board', sku: 'TABLE' })
  await given.stock(company, { item: table, amount: '5', unitCost: '10.123456' })
  await given.stock(company, { item: chair, amount: '3', unitCost: '7' })
  await given.stock(company, { item: board, amount: '40', unitCost: '2.5', storage: annex })
  await accepts(company, 'writeoffs/add', { products: [{ id: table, amount: 2 }], products_storage_id: annex })
  return { company, annex, chair, table, board, group }
}

rule('levels.row.fields', async () => {
  const { company, table } = await stocked()
  await given.sale(company, { products: [{ id: table, amount: 1.5, total: 9 }] })
  const rows = await levels(company, { ids: [table], storage_id: company.productsStorageId })
  const { storages } = await accepts(company, 'storages/get_list')
  const home = storages.find((one: { id: number }) => one.id === company.productsStorageId)
  assert.deepEqual(rows, [
    {
      type: 'products',
      id: table,
      sku: 'TABLE',
      name: 'Table',
      unit: 'pcs',
      storage_id: company.productsStorageId,
      storage_name: home.name,
      amount: 5,
      reserved: 1.5,
      available: 3.5,
      in_transit: 0,
      min_amount: 1.5,
      cost: 10.123456,
      total_cost: 50.62,
    },
  ])
})

rule('levels.row.reserved', async () => {
  const { company, table, annex } = await stocked()
  await given.sale(company, { products: [{ id: table, amount: 4, total: 9 }], products_storage_id: annex })
  await given.sale(company, { products: [{ id: table, amount: 7, total: 9 }] })
  const rows = (await levels(company, { ids: [table] })) as readonly object[]
  assert.deepEqual(
    rows.map((row) => ['amount', 'reserved', 'available'].map((field) => row[field as keyof typeof row])),
    [
      [-2, 4, -6],
      [5, 7, -2],
    ],
  )
})

rule('levels.row.storages', async () => {
  const { company, table, chair, board, annex } = await stocked()
  const home = company.productsStorageId
  assert.deepEqual(await amounts(company), [
    [board, annex, 40],
    [chair, home, 3],
    [table, annex, -2],
    [table, home, 5],
  ])
})

rule('levels.row.cost', async () => {
  const { company, table, annex } = await stocked()
  await given.stock(company, { item: table, amount: '3', unitCost: '20', storage: annex })
  const { average } = await cost(company, table)
  const rows = (await levels(company, { ids: [table] })) as (Awaited<ReturnType<typeof levels>>[number] & {
    cost: number
    total_cost: number
  })[]
  // 5 at 10.123456 less 2, plus 3 at 20: 90.370368 over 6
  assert.equal(average, '15.061728')
  assert.deepEqual(
    rows.map((row) => [row.amount, row.cost, row.total_cost]),
    [
      [1, 15.061728, 15.06],
      [5, 15.061728, 75.31],
    ],
  )
})

rule('levels.row.order', async () => {
  const company = await given.company()
  const [b, a] = [await add(company, 'storages', { name: 'B' }), await add(company, 'storages', { name: 'A' })]
  const items = [
    await given.product(company, { name: 'Item 10' }),
    await given.product(company, { name: 'Item 9' }),
    await given.material(company, { name: 'Zinc' }),
  ]
  for (const { id } of items)
    for (const storage of [b, a]) await given.stock(company, { item: id, amount: '1', unitCost: '1', storage })
  assert.deepEqual(
    (await levels(company)).map((row) => [row.type, row.name, row.storage_name]),
    [
      ['materials', 'Zinc', 'A'],
      ['materials', 'Zinc', 'B'],
      ['products', 'Item 9', 'A'],
      ['products', 'Item 9', 'B'],
      ['products', 'Item 10', 'A'],
      ['products', 'Item 10', 'B'],
    ],
  )
})

const names = async (company: Company, filters: object) => (await levels(company, filters)).map((row) => row.name)

rule('levels.filter.type', async () => {
  const { company } = await stocked()
  assert.deepEqual(await names(company, { type: 'materials' }), ['Board'])
  assert.deepEqual(await names(company, { type: 'products' }), ['Chair', 'Table', 'Table'])
})

rule('levels.filter.storage', async () => {
  const { company, annex } = await stocked()
  assert.deepEqual(await names(company, { storage_id: annex }), ['Board', 'Table'])
  assert.deepEqual(await names(company, { storage_id: `${company.productsStorageId}` }), ['Chair', 'Table'])
  for (const storage_id of noRecords) assert.deepEqual(await names(company, { storage_id }), [], `${storage_id}`)
})

rule('levels.filter.category', async () => {
  const { company, group } = await stocked()
  assert.deepEqual(await names(company, { category_id: group }), ['Table', 'Table'])
  assert.deepEqual(await names(company, { category_id: 987 }), [])
})

rule('levels.filter.ids', async () => {
  const { company, board, chair } = await stocked()
  assert.deepEqual(await names(company, { ids: [chair, `${board}`, 987] }), ['Board', 'Chair'])
})

rule('levels.filter.ids', 'an empty array of ids matches nothing', async () => {
  const { company } = await stocked()
  assert.deepEqual(await names(company, { ids: [] }), [])
})

rule('levels.filter.sku', async () => {
  const { company } = await stocked()
  assert.deepEqual(await names(company, { sku: ' CHAIR ' }), ['Chair'])
  // a material and a product may have the same SKU
  assert.deepEqual(await names(company, { sku: 'TABLE' }), ['Board', 'Table', 'Table'])
  assert.deepEqual(await names(company, { sku: 'TABL' }), [])
})

rule('levels.filter.only', async () => {
  const { company, table } = await stocked()
  await accepts(company, 'writeoffs/add', { products: [{ id: table, amount: 5 }] })
  const home = company.productsStorageId
  assert.equal((await names(company, { only: 'all' })).length, 4)
  assert.deepEqual(await names(company, { only: 'positive' }), ['Board', 'Chair'])
  assert.deepEqual(await names(company, { only: 'negative' }), ['Table'])
  // 3 of 4 chairs, and no table at home
  assert.deepEqual(await names(company, { only: 'low', storage_id: home }), ['Chair', 'Table'])
})

rule('levels.filter.only', 'an item exactly at its minimum is not low', async () => {
  const { company, chair } = await stocked()
  assert.deepEqual(await names(company, { only: 'low', ids: [chair] }), ['Chair'])
  await edit(company, 'products', chair, { min_amount: 3 })
  assert.deepEqual(await names(company, { only: 'low', ids: [chair] }), [])
})

rule('levels.filter.together', async () => {
  const { company, annex, table, board } = await stocked()
  assert.deepEqual(await names(company, { storage_id: annex, type: 'products' }), ['Table'])
  assert.deepEqual(await names(company, { storage_id: annex, only: 'positive', ids: [table, board] }), ['Board'])
  assert.deepEqual(await names(company, { sku: 'TABLE', type: 'products', only: 'positive' }), ['Table'])
})

rule('levels.filter.own-company', async () => {
  const [one, two] = [await stocked(), await given.company()]
  const { annex, group, table } = one
  for (const filters of [{}, { storage_id: annex }, { category_id: group }, { ids: [table] }, { sku: 'TABLE' }])
    assert.deepEqual(await levels(two, filters), [])
})

rule('levels.pages', async () => {
  const { company } = await stocked()
  const all = await levels(company)
  assert.equal(all.length, 4)
  for (const limit of [1, 3, 1000])
    for (let offset = 0; offset <= 4; offset += limit) {
      const page = await accepts(company, 'stock/get_list', { limit, offset })
      assert.deepEqual(page, { stock: all.slice(offset, offset + limit), total: 4 })
    }
  const some = await accepts(company, 'stock/get_list', { type: 'products', limit: 1, offset: 1 })
  assert.deepEqual(some, { stock: all.slice(2, 3), total: 3 })
})

rule('levels.error.type', async () => {
  const company = await given.company()
  for (const type of ['resources', 'product', '', 1, true, []])
    await refuses(company, 'stock/get_list', { type }, 'Invalid type value. Must be one of: products, materials')
})

rule('levels.error.only', async () => {
  const company = await given.company()
  const error = 'Invalid only value. Must be one of: all, positive, negative, low'
  for (const only of ['zero', 'Low', '', 1, true, []]) await refuses(company, 'stock/get_list', { only }, error)
})

rule('levels.error.ids', async () => {
  const company = await given.company()
  for (const ids of [1, '1', {}, true]) await refuses(company, 'stock/get_list', { ids }, 'Ids is not an array')
})

rule('levels.error.date', async () => {
  const company = await given.company()
  for (const date of ['2026-02-30', 'x', '', 1, true, '2026-03-01T00:00:00Z'])
    await refuses(company, 'stock/get_list', { date }, 'Date is not a valid date in format YYYY-MM-DD')
})

rule('levels.error.page', async () => {
  const company = await given.company()
  for (const limit of [0, 1001, 'x', ''])
    await refuses(company, 'stock/get_list', { limit }, 'Invalid limit value. Must be between 1 and 1000')
  await refuses(company, 'stock/get_list', { limit: 1, offset: -1 }, 'Invalid offset value. Must be 0 or greater')
  await refuses(company, 'stock/get_list', { offset: 1 }, 'Offset requires limit')
})
