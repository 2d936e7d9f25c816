// Write-offs: quantities, storage locations, dates, and value.

import assert from 'node:assert/strict'
import { broken, cost, level } from '../test/harness/database.ts'
import {
  addDocument,
  deleteDocument,
  documentOf,
  editDocument,
  listed,
  standing,
} from '../test/harness/document-calls.ts'
import { given } from '../test/harness/given.ts'
import { accepts, isoTime } from '../test/harness/record-calls.ts'
import { rule } from '../test/harness/rule.ts'

async function stocked(amount = '10', unitCost = '2') {
  const company = await given.company()
  const { id: item } = await given.product(company)
  await given.stock(company, { item, amount, unitCost, date: '2025-01-01' })
  const onHand = async () => (await level(company, item)).on_hand
  const writeOff = (gone: number, body: object = {}) =>
    addDocument(company, 'writeoffs', { products: [{ id: item, amount: gone }], date: '2025-02-01', ...body })
  return { company, item, onHand, writeOff }
}

rule('writeoffs.effect.out', async () => {
  const { company, item, writeOff } = await stocked()
  const { id: board } = await given.material(company)
  const id = await writeOff(4, { materials: [{ id: board, amount: 1.5 }] })
  assert.deepEqual(await level(company, item), { on_hand: '6.000', reserved: '0.000' })
  assert.equal((await level(company, board, company.materialsStorageId)).on_hand, '-1.500')
  assert.deepEqual(
    new Set(await standing(company, 'writeoffs', id)),
    new Set([
      [company.productsStorageId, item, '2025-02-01', '-4.000'],
      [company.materialsStorageId, board, '2025-02-01', '-1.500'],
    ]),
  )
  assert.deepEqual(await broken(company.id), [])
})

rule('writeoffs.effect.out', 'from the passed storage locations', async () => {
  const { company, item, writeOff } = await stocked()
  const { id: board } = await given.material(company)
  const [{ id: shop }, { id: cellar }] = [await given.storage(company, 'Shop'), await given.storage(company, 'Cellar')]
  const materials = [{ id: board, amount: 2 }]
  const id = await writeOff(4, { materials, products_storage_id: shop, materials_storage_id: cellar })
  assert.equal((await level(company, item, shop)).on_hand, '-4.000')
  assert.equal((await level(company, board, cellar)).on_hand, '-2.000')
  const record = await documentOf(company, 'writeoffs', id)
  assert.deepEqual([record.products_storage_name, record.materials_storage_name], ['Shop', 'Cellar'])
  assert.deepEqual(await broken(company.id), [])
})

rule('writeoffs.effect.edited', async () => {
  const { company, item, onHand, writeOff } = await stocked()
  const storage = company.productsStorageId
  const { id: other } = await given.product(company)
  const { id: shop } = await given.storage(company, 'Shop')
  const id = await writeOff(4)
  const edited = async (body: object) => {
    await editDocument(company, 'writeoffs', id, { ...body })
    return await standing(company, 'writeoffs', id)
  }
  assert.deepEqual(await edited({ notes: 'Broken' }), [[storage, item, '2025-02-01', '-4.000']])
  assert.deepEqual(await edited({ products: [{ id: item, amount: 6 }] }), [[storage, item, '2025-02-01', '-6.000']])
  assert.deepEqual(await edited({ products: [{ id: item, amount: 1 }] }), [[storage, item, '2025-02-01', '-1.000']])
  assert.deepEqual(await edited({ date: '2025-01-20' }), [[storage, item, '2025-01-20', '-1.000']])
  assert.deepEqual(await edited({ products_storage_id: shop }), [[shop, item, '2025-01-20', '-1.000']])
  assert.equal(await onHand(), '10.000')
  assert.deepEqual(await edited({ products: [{ id: other, amount: 2 }] }), [[shop, other, '2025-01-20', '-2.000']])
  assert.equal((await level(company, item, shop)).on_hand, '0.000')
  assert.deepEqual(await broken(company.id), [])
})

rule('writeoffs.effect.below-zero', async () => {
  const { company, onHand, writeOff } = await stocked()
  const id = await writeOff(12.5)
  assert.equal(await onHand(), '-2.500')
  await deleteDocument(company, 'writeoffs', id)
  assert.equal(await onHand(), '10.000')
  assert.deepEqual(await broken(company.id), [])
})

rule('writeoffs.cost.average', async () => {
  const { company, item, writeOff } = await stocked('3', '3.333333')
  const id = await writeOff(2)
  // 2 × 3.333333 = 6.666666
  const record = await documentOf(company, 'writeoffs', id)
  assert.deepEqual([record.cost, record.products[0].cost], [6.67, 6.67])
  assert.deepEqual(await cost(company, item), { on_hand: '1.000', value: '3.333333', average: '3.333333' })
  await given.stock(company, { item, amount: '1', unitCost: '5' })
  // 8.333333 over 2 is 4.1666665, with 6 decimals 4.166667.
  const { id: other } = await given.product(company)
  const second = await writeOff(1, {
    products: [
      { id: item, amount: 0.5 },
      { id: other, amount: 7 },
      { id: item, amount: 0.5 },
    ],
  })
  const lines = (await documentOf(company, 'writeoffs', second)).products
  assert.deepEqual(
    lines.map((line: { cost: number }) => line.cost),
    [2.08, 0, 2.08],
  )
  assert.equal((await cost(company, item)).average, '4.166666')
  assert.deepEqual(await broken(company.id), [])
})

rule('writeoffs.cost.stays', async () => {
  const { company, item, writeOff } = await stocked()
  const id = await writeOff(4)
  await given.stock(company, { item, amount: '6', unitCost: '6' })
  // 6 × 2 + 6 × 6 = 48 over 12 is 4.
  assert.equal((await cost(company, item)).average, '4.000000')
  await editDocument(company, 'writeoffs', id, { notes: 'Burnt' })
  assert.equal((await documentOf(company, 'writeoffs', id)).cost, 8)
  // The four return with their value of 8: 56 over 16.
  await deleteDocument(company, 'writeoffs', id)
  assert.deepEqual(await cost(company, item), { on_hand: '16.000', value: '56.000000', average: '3.500000' })
  assert.deepEqual(await broken(company.id), [])
})

rule('writeoffs.record.fields', async () => {
  const { company, writeOff } = await stocked()
  const id = await writeOff(4, { num: 'GONE 7', notes: 'Broken' })
  const { products, materials, ...record } = await documentOf(company, 'writeoffs', id)
  assert.deepEqual([products.length, materials], [1, []])
  assert.deepEqual(await listed(company, 'writeoffs'), [record])
  const { storages } = await accepts(company, 'storages/get_list')
  const names = new Map(storages.map((one: { id: number; name: string }) => [one.id, one.name]))
  const { created_at, updated_at, ...rest } = record
  assert.deepEqual(rest, {
    id,
    num: 'GONE 7',
    date: '2025-02-01',
    products_storage_id: company.productsStorageId,
    products_storage_name: names.get(company.productsStorageId),
    materials_storage_id: company.materialsStorageId,
    materials_storage_name: names.get(company.materialsStorageId),
    amount: 4,
    lines: 1,
    cost: 8,
    source: 'api',
    notes: 'Broken',
  })
  for (const time of [created_at, updated_at]) assert.match(time, isoTime)
})

rule('writeoffs.record.line', async () => {
  const { company, item, writeOff } = await stocked()
  const { products } = await documentOf(company, 'writeoffs', await writeOff(4))
  const { sku, name, unit } = (await accepts(company, 'products/get_entry', { product_id: item })).product
  assert.deepEqual(products, [{ id: item, sku, name, amount: 4, unit, cost: 8, position: 0 }])
})

rule('writeoffs.record.no-status', async () => {
  const { company, writeOff } = await stocked()
  const writeoff_id = await writeOff(1)
  const reply = await company.call('writeoffs/update_status', { writeoff_id, status: 3 })
  assert.deepEqual([reply.status, reply.body], [404, { success: false, error: 'Unknown method' }])
})
