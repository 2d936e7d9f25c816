// stock/get_list: the filters low, search and updated_after.

import assert from 'node:assert/strict'
import { type Company, given } from '../test/harness/given.ts'
import { levels } from '../test/harness/movements.ts'
import { accepts, add, edit, refuses, remove } from '../test/harness/record-calls.ts'
import { rule } from '../test/harness/rule.ts'

const low = async (company: Company, filters: object = {}) =>
  (await levels(company, { only: 'low', ...filters })).map((row) => [row.name, row.storage_id, row.amount])

rule('levels.filter.low', async () => {
  const company = await given.company()
  const home = company.productsStorageId
  const annex = await add(company, 'storages', { name: 'Annex' })
  const chair = await add(company, 'products', { name: 'Chair', min_amount: 5 })
  await given.stock(company, { item: chair, amount: '2', unitCost: '7' })
  await given.stock(company, { item: chair, amount: '3', unitCost: '7', storage: annex })
  // 2 + 3 is enough, though neither is
  assert.deepEqual(await low(company), [])
  // a single storage location is compared alone
  assert.deepEqual(await low(company, { storage_id: annex }), [['Chair', annex, 3]])
  await edit(company, 'products', chair, { min_amount: 3 })
  assert.deepEqual(await low(company, { storage_id: annex }), [])
  assert.deepEqual(await low(company, { storage_id: home }), [['Chair', home, 2]])
  // below the minimum, all rows of the item are shown
  await edit(company, 'products', chair, { min_amount: 5.001 })
  assert.deepEqual(await low(company), [
    ['Chair', annex, 3],
    ['Chair', home, 2],
  ])
  assert.deepEqual(await low(company, { type: 'materials' }), [])
})

rule('levels.filter.low', 'on a past day, by the stock at its end', async () => {
  const company = await given.company()
  const chair = await add(company, 'products', { name: 'Chair', min_amount: 5 })
  await given.stock(company, { item: chair, amount: '4', unitCost: '7', date: '2026-03-01' })
  await given.stock(company, { item: chair, amount: '4', unitCost: '7', date: '2026-03-03' })
  const home = company.productsStorageId
  assert.deepEqual(await low(company, { date: '2026-02-28' }), [['Chair', home, 0]])
  assert.deepEqual(await low(company, { date: '2026-03-02' }), [['Chair', home, 4]])
  assert.deepEqual(await low(company, { date: '2026-03-03' }), [])
})

rule('levels.filter.low-never-moved', async () => {
  const company = await given.company()
  const annex = await add(company, 'storages', { name: 'Annex' })
  const [home, store] = [company.productsStorageId, company.materialsStorageId]
  const chair = await add(company, 'products', { name: 'Chair', sku: 'CHAIR', min_amount: 1 })
  await add(company, 'materials', { name: 'Glue', min_amount: 0.5 })
  await add(company, 'products', { name: 'Not needed' })
  const gone = await add(company, 'products', { name: 'Gone', min_amount: 1 })
  await remove(company, 'products', gone)
  assert.deepEqual(await low(company), [
    ['Glue', store, 0],
    ['Chair', home, 0],
  ])
  const [row] = (await levels(company, { only: 'low', ids: [chair] })) as readonly object[]
  const { storages } = await accepts(company, 'storages/get_list')
  assert.deepEqual(row, {
    type: 'products',
    id: chair,
    sku: 'CHAIR',
    name: 'Chair',
    unit: 'pcs',
    storage_id: home,
    storage_name: storages.find((one: { id: number }) => one.id === home).name,
    amount: 0,
    reserved: 0,
    available: 0,
    in_transit: 0,
    min_amount: 1,
    cost: 0,
    total_cost: 0,
  })
  assert.deepEqual(await low(company, { storage_id: annex }), [])
  assert.deepEqual(await low(company, { storage_id: home }), [['Chair', home, 0]])
  assert.deepEqual(await levels(company), [], 'without movements, only low items are shown')
  // once it has moved, it is shown where it is in stock
  await given.stock(company, { item: chair, amount: '0.5', unitCost: '1', storage: annex })
  assert.deepEqual(await low(company, { type: 'products' }), [['Chair', annex, 0.5]])
  const page = await accepts(company, 'stock/get_list', { only: 'low', limit: 1, offset: 1 })
  assert.deepEqual([page.total, page.stock.length, page.stock[0].name], [2, 1, 'Chair'])
})

const names = async (company: Company, filters: object) => (await levels(company, filters)).map((row) => row.name)

rule('levels.filter.search', async () => {
  const company = await given.company()
  const made = [
    await add(company, 'products', { name: 'Oak Table', sku: 'TB-1', alt_skus: ['WEB/77'], barcodes: ['4006381'] }),
    await add(company, 'materials', { name: 'Größe 50%', sku: 'M_1' }),
  ]
  for (const item of made) await given.stock(company, { item, amount: '1', unitCost: '1' })
  for (const search of ['oak', 'TABLE', ' k t ', 'tb-1', 'web/7', '40063', '381'])
    assert.deepEqual(await names(company, { search }), ['Oak Table'], search)
  for (const search of ['GRÖSSE', 'größe', '50%', 'm_', 'M_1'])
    assert.deepEqual(await names(company, { search }), ['Größe 50%'], search)
  // neither pattern characters nor a match across two codes
  for (const search of ['o%k', 'T_-1', 'TB-1WEB', 'TableTB', '1web', 'pcs'])
    assert.deepEqual(await names(company, { search }), [], search)
  assert.deepEqual(await names(company, { search: '' }), ['Größe 50%', 'Oak Table'])
  assert.deepEqual(await names(company, { search: 'oak', type: 'materials' }), [])
  const page = await accepts(company, 'stock/get_list', { search: 'o', limit: 1 })
  assert.deepEqual([page.total, page.stock.length], [1, 1])
})

rule('levels.filter.search', 'follows a change of name or codes', async () => {
  const company = await given.company()
  const item = await add(company, 'products', { name: 'Table', sku: 'OLD' })
  await given.stock(company, { item, amount: '1', unitCost: '1' })
  await edit(company, 'products', item, { name: 'Desk', sku: 'NEW', barcodes: ['123'] })
  for (const [search, found] of [
    ['table', 0],
    ['old', 0],
    ['desk', 1],
    ['new', 1],
    ['123', 1],
  ] as const)
    assert.equal((await names(company, { search })).length, found, search)
})

rule('levels.filter.updated-after', async () => {
  const company = await given.company()
  const annex = await add(company, 'storages', { name: 'Annex' })
  const [table, chair] = [
    await given.product(company, { name: 'Table' }),
    await given.product(company, { name: 'Chair' }),
  ]
  await given.stock(company, { item: table.id, amount: '1', unitCost: '1' })
  await given.stock(company, { item: chair.id, amount: '1', unitCost: '1' })
  const [last] = (await accepts(company, 'stock/get_movements', { limit: 1 })).movements
  const since = { updated_after: last.recorded_at }
  assert.deepEqual(await names(company, since), [])
  // dated to the past, recorded now
  await given.stock(company, { item: table.id, amount: '1', unitCost: '1', storage: annex, date: '2020-01-01' })
  assert.deepEqual(
    (await levels(company, since)).map((row) => [row.name, row.storage_id]),
    [['Table', annex]],
  )
  assert.deepEqual(await names(company, { ...since, date: '2020-01-01' }), ['Table'])
  assert.equal((await names(company, { updated_after: '2020-01-01T00:00:00Z' })).length, 3)
  assert.deepEqual(await names(company, { updated_after: '2999-01-01T00:00:00+02:00' }), [])
})

rule('levels.error.updated-after', async () => {
  const company = await given.company()
  const error = 'Invalid updated_after value. Must be a time in ISO 8601'
  for (const path of ['stock/get_list', 'stock/get_movements'])
    for (const updated_after of ['yesterday', '2026-02-30T00:00:00Z', '2026-03-01', '', 1, true, []])
      await refuses(company, path, { updated_after }, error)
})
