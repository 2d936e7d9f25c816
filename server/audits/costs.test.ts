// What the surplus of an audit is worth: the cost that was entered, or what is known of the cost of its item.

import assert from 'node:assert/strict'
import { broken, cost } from '../test/harness/database.ts'
import { addDocument, deleteDocument, documentOf, editDocument, setStatus } from '../test/harness/document-calls.ts'
import { type Company, given } from '../test/harness/given.ts'
import { accepts, refuses } from '../test/harness/record-calls.ts'
import { rule } from '../test/harness/rule.ts'

const lineOf = async (company: Company, id: number) => {
  const { products, materials } = await documentOf(company, 'audits', id)
  return [...products, ...materials][0]
}
/** What the first line of an audit says about its value. */
async function valued(company: Company, id: number) {
  const { unit_cost, cost: value, cost_source } = await lineOf(company, id)
  return [unit_cost, value, cost_source]
}

async function board(company: Company, price: number) {
  const { material_id: id } = await accepts(company, 'materials/add', { name: 'Board', sku: `B-${price}`, price })
  return id as number
}

async function table(company: Company, components: readonly object[]) {
  const { product_id: id } = await accepts(company, 'products/add', { name: 'Table', price: 900, components })
  return id as number
}

const count = (company: Company, lines: object, more: object = {}) =>
  addDocument(company, 'audits', { storage_id: company.materialsStorageId, ...lines, status: 3, ...more })

rule('audits.cost.given', async () => {
  const company = await given.company()
  const item = await board(company, 18.5)
  const id = await count(company, { materials: [{ id: item, counted: 4, unit_cost: '12.123456' }] })
  assert.deepEqual(await valued(company, id), [12.123456, 48.49, 'given'])
  assert.deepEqual(await cost(company, item), { on_hand: '4.000', value: '48.493824', average: '12.123456' })
  // With what is on hand it makes a new average: 48.493824 + 6 × 20 over 10.
  await count(company, { materials: [{ id: item, counted: 10, unit_cost: 20 }] })
  assert.deepEqual(await cost(company, item), { on_hand: '10.000', value: '168.493824', average: '16.849382' })
  await count(company, { materials: [{ id: item, counted: 11, unit_cost: 0 }] })
  assert.equal((await cost(company, item)).value, '168.493824')
  assert.deepEqual(await broken(company.id), [])
})

rule('audits.cost.given', 'undone exactly', async () => {
  const company = await given.company()
  const item = await board(company, 0)
  await given.stock(company, { item, amount: '10', unitCost: '2', storage: company.materialsStorageId })
  const id = await count(company, { materials: [{ id: item, counted: 15, unit_cost: 5 }] })
  assert.deepEqual(await cost(company, item), { on_hand: '15.000', value: '45.000000', average: '3.000000' })
  await setStatus(company, 'audits', id, 0)
  assert.deepEqual(await cost(company, item), { on_hand: '10.000', value: '20.000000', average: '2.000000' })
  assert.deepEqual(await valued(company, id), [5, 25, 'given'])
  await setStatus(company, 'audits', id, 3)
  await deleteDocument(company, 'audits', id)
  assert.deepEqual(await cost(company, item), { on_hand: '10.000', value: '20.000000', average: '2.000000' })
  assert.deepEqual(await broken(company.id), [])
})

rule('audits.cost.price', async () => {
  const company = await given.company()
  const item = await board(company, 18.5)
  const id = await count(company, { materials: [{ id: item, counted: 4 }] }, { status: 0 })
  assert.deepEqual(await valued(company, id), [null, 74, 'price'])
  // The price is that at completion.
  await accepts(company, 'materials/edit', { material_id: item, price: 20 })
  await setStatus(company, 'audits', id, 3)
  assert.deepEqual(await valued(company, id), [null, 80, 'price'])
  assert.deepEqual(await cost(company, item), { on_hand: '4.000', value: '80.000000', average: '20.000000' })
  await editDocument(company, 'audits', id, { materials: [{ id: item, counted: 6 }] })
  assert.deepEqual(await valued(company, id), [null, 120, 'price'])
  // Now there is an average.
  await accepts(company, 'materials/edit', { material_id: item, price: 30 })
  const later = await count(company, { materials: [{ id: item, counted: 7 }] })
  assert.deepEqual(await valued(company, later), [null, 20, 'average'])
  assert.deepEqual(await broken(company.id), [])
})

rule('audits.cost.price', 'goods received between counting and completion have an average', async () => {
  const company = await given.company()
  const item = await board(company, 18.5)
  const id = await count(company, { materials: [{ id: item, counted: 4 }] }, { status: 0 })
  await given.stock(company, { item, amount: '1', unitCost: '15', storage: company.materialsStorageId })
  await setStatus(company, 'audits', id, 3)
  assert.deepEqual(await valued(company, id), [null, 60, 'average'])
  assert.deepEqual(await cost(company, item), { on_hand: '5.000', value: '75.000000', average: '15.000000' })
  assert.deepEqual(await broken(company.id), [])
})

rule('audits.cost.components', async () => {
  const company = await given.company()
  const wood = await board(company, 18.5)
  const { resource_id: labour } = await accepts(company, 'resources/add', { name: 'Carpenter', price: 40 })
  const item = await table(company, [
    { type: 'material', id: wood, amount: 4 },
    { type: 'resource', id: labour, amount: 1.5 },
  ])
  const id = await count(company, { products: [{ id: item, counted: 2 }] })
  assert.deepEqual(await valued(company, id), [null, 268, 'components'])
  assert.deepEqual(await cost(company, item), { on_hand: '2.000', value: '268.000000', average: '134.000000' })
  // The sale price of a product says nothing about its cost.
  const bought = await table(company, [])
  const free = await board(company, 0)
  const half = await table(company, [
    { type: 'material', id: wood, amount: 1 },
    { type: 'material', id: free, amount: 1 },
  ])
  for (const unknown of [bought, half]) {
    const other = await count(company, { products: [{ id: unknown, counted: 2 }] })
    assert.deepEqual(await valued(company, other), [null, 0, 'none'])
  }
  assert.deepEqual(await broken(company.id), [])
})

rule('audits.cost.source', async () => {
  const company = await given.company()
  const item = await board(company, 18.5)
  const at = async (line: object, status = 0) => {
    const id = await count(company, { materials: [{ id: item, ...line }] }, { status })
    return (await lineOf(company, id)).cost_source
  }
  assert.equal(await at({ counted: 1 }), 'price')
  assert.equal(await at({ counted: 1, unit_cost: 5 }), 'given')
  assert.equal(await at({ counted: 0, unit_cost: 5 }), 'average')
  assert.equal(await at({ counted: 2 }, 3), 'price')
  assert.equal(await at({ counted: 3 }), 'average')
  assert.equal(await at({ counted: 1 }, 3), 'average')
  await accepts(company, 'materials/edit', { material_id: item, price: 0 })
  const other = await board(company, 0)
  const id = await count(company, { materials: [{ id: other, counted: 1 }] })
  assert.deepEqual(await valued(company, id), [null, 0, 'none'])
})

rule('audits.cost.shortage', 'with a unit cost', async () => {
  const company = await given.company()
  const item = await board(company, 18.5)
  await given.stock(company, { item, amount: '10', unitCost: '2', storage: company.materialsStorageId })
  const id = await count(company, { materials: [{ id: item, counted: 4, unit_cost: 9 }] })
  assert.deepEqual(await valued(company, id), [9, -12, 'average'])
  assert.deepEqual(await cost(company, item), { on_hand: '4.000', value: '8.000000', average: '2.000000' })
  assert.deepEqual(await broken(company.id), [])
})

rule('audits.cost.edited', async () => {
  const company = await given.company()
  const item = await board(company, 0)
  const id = await count(company, { materials: [{ id: item, counted: 4, unit_cost: 5 }] })
  const edit = (line: object) => editDocument(company, 'audits', id, { materials: [{ id: item, ...line }] })
  await edit({ counted: 6 })
  assert.deepEqual(await valued(company, id), [5, 30, 'given'])
  // A line that is sent back is not counted again, and gets its new cost.
  const { counted_at } = await lineOf(company, id)
  await edit({ counted: 6, counted_at, unit_cost: 7.5 })
  assert.deepEqual(await valued(company, id), [7.5, 45, 'given'])
  assert.equal((await lineOf(company, id)).counted_at, counted_at)
  assert.deepEqual(await cost(company, item), { on_hand: '6.000', value: '45.000000', average: '7.500000' })
  await edit({ counted: 6, counted_at, unit_cost: null })
  assert.deepEqual((await valued(company, id))[0], null)
  assert.deepEqual(await broken(company.id), [])
})

rule('audits.cost.invalid-cost', async () => {
  const company = await given.company()
  const item = await board(company, 1)
  const audit_id = await count(company, { materials: [{ id: item, counted: 1 }] })
  for (const unit_cost of [-1, '-0.0000001', 'x', '1,5', true, [], {}, 1e12, '999999999999.9999996']) {
    const error = 'Unit cost must be a number, 0 or greater for material with SKU "B-1"'
    const lines = { materials: [{ sku: 'B-1', counted: 1, unit_cost }] }
    await refuses(company, 'audits/add', { storage_id: company.materialsStorageId, ...lines }, error)
    await refuses(company, 'audits/edit', { audit_id, ...lines }, error)
  }
})

rule('audits.cost.worker', async () => {
  const company = await given.company()
  const item = await board(company, 3)
  const worker = await given.user(company, 'worker')
  const id = await count(company, { materials: [{ id: item, counted: 4, unit_cost: 5 }] }, { status: 0 })
  const { body } = await worker.call('audits/get_entry', { audit_id: id })
  const [line] = body.audit.materials
  assert.deepEqual([line.counted, 'unit_cost' in line, 'cost' in line], [4, false, false])
  const storage_id = company.materialsStorageId
  for (const unit_cost of [5, null]) {
    const materials = [{ id: item, counted: 5, unit_cost }]
    assert.equal((await worker.call('audits/add', { storage_id, materials })).status, 403)
    assert.equal((await worker.call('audits/edit', { audit_id: id, materials })).status, 403)
  }
  // Counting again does not remove the cost.
  assert.equal((await worker.call('audits/edit', { audit_id: id, materials: [{ id: item, counted: 5 }] })).status, 200)
  assert.deepEqual(await valued(company, id), [5, 25, 'given'])
})
