// Completed audits: their movements, their cost, and their record in responses.

import assert from 'node:assert/strict'
import { broken, cost, level } from '../test/harness/database.ts'
import {
  addDocument,
  deleteDocument,
  documentOf,
  editDocument,
  listed,
  setStatus,
  standing,
} from '../test/harness/document-calls.ts'
import { given } from '../test/harness/given.ts'
import { accepts, isoTime } from '../test/harness/record-calls.ts'
import { rule } from '../test/harness/rule.ts'

async function stocked() {
  const company = await given.company()
  const { id: item } = await given.product(company)
  await given.stock(company, { item, amount: '10', unitCost: '2', date: '2025-01-01' })
  const onHand = async () => (await level(company, item)).on_hand
  const audit = (counted: unknown, body: object = {}) =>
    addDocument(company, 'audits', { products: [{ id: item, counted }], date: '2025-02-01', ...body })
  return { company, item, onHand, audit }
}

rule('audits.status.default', async () => {
  const { company, onHand, audit } = await stocked()
  const id = await audit(8)
  assert.equal((await documentOf(company, 'audits', id)).status, 0)
  await setStatus(company, 'audits', id, 4)
  await audit(7, { status: 4 })
  assert.equal(await onHand(), '10.000')
  assert.deepEqual(await standing(company, 'audits', id), [])
  assert.deepEqual(await broken(company.id), [])
})

rule('audits.status.completed', async () => {
  const { company, item, onHand, audit } = await stocked()
  const id = await audit(8)
  await setStatus(company, 'audits', id, 3)
  assert.equal(await onHand(), '8.000')
  assert.deepEqual(await standing(company, 'audits', id), [[company.productsStorageId, item, '2025-02-01', '-2.000']])
  assert.deepEqual(await standing(company, 'audits', await audit(8, { status: 3 })), [])
  for (const status of [0, 4]) {
    await setStatus(company, 'audits', id, status)
    assert.deepEqual([await onHand(), await standing(company, 'audits', id)], ['10.000', []])
    await setStatus(company, 'audits', id, 3)
    assert.equal(await onHand(), '8.000')
  }
  assert.deepEqual(await broken(company.id), [])
})

rule('audits.status.date', async () => {
  const { company, item, audit } = await stocked()
  const id = await audit(8, { status: 3 })
  await editDocument(company, 'audits', id, { date: '2025-03-01' })
  assert.deepEqual(await standing(company, 'audits', id), [[company.productsStorageId, item, '2025-03-01', '-2.000']])
  assert.deepEqual(await broken(company.id), [])
})

rule('audits.cost.surplus', async () => {
  const { company, item, audit } = await stocked()
  await given.stock(company, { item, amount: '5', unitCost: '5' })
  // 20 + 25 over 15 is 3; two more at 3 make 51 over 17.
  const id = await audit(17, { status: 3 })
  assert.deepEqual(await cost(company, item), { on_hand: '17.000', value: '51.000000', average: '3.000000' })
  assert.equal((await documentOf(company, 'audits', id)).products[0].cost, 6)
  // The current average cost is that at completion.
  const later = await audit(19)
  await given.stock(company, { item, amount: '17', unitCost: '5' })
  await setStatus(company, 'audits', later, 3)
  assert.deepEqual(await cost(company, item), { on_hand: '36.000', value: '144.000000', average: '4.000000' })
  assert.equal((await documentOf(company, 'audits', later)).products[0].cost, 8)
  await setStatus(company, 'audits', later, 0)
  await deleteDocument(company, 'audits', id)
  assert.deepEqual(await cost(company, item), { on_hand: '32.000', value: '130.000000', average: '4.062500' })
  assert.deepEqual(await broken(company.id), [])
})

rule('audits.cost.shortage', async () => {
  const { company, item, audit } = await stocked()
  await audit(4, { status: 3 })
  assert.deepEqual(await cost(company, item), { on_hand: '4.000', value: '8.000000', average: '2.000000' })
  await audit(0, { status: 3 })
  assert.deepEqual(await cost(company, item), { on_hand: '0.000', value: '0.000000', average: '2.000000' })
  await audit(5, { status: 3 })
  assert.deepEqual(await cost(company, item), { on_hand: '5.000', value: '10.000000', average: '2.000000' })
  assert.deepEqual(await broken(company.id), [])
})

rule('audits.record.fields', async () => {
  const { company, audit } = await stocked()
  const id = await audit(8, { num: 'INV 7', notes: 'Yearly' })
  const { products, materials, ...record } = await documentOf(company, 'audits', id)
  assert.deepEqual([products.length, materials], [1, []])
  assert.deepEqual(await listed(company, 'audits'), [record])
  const { storages } = await accepts(company, 'storages/get_list')
  const { name } = storages.find((one: { id: number }) => one.id === company.productsStorageId)
  const { cost: totalCost, amount, created_at, updated_at, ...rest } = record
  assert.deepEqual(rest, {
    id,
    num: 'INV 7',
    status: 0,
    date: '2025-02-01',
    storage_id: company.productsStorageId,
    storage_name: name,
    lines: 1,
    source: 'api',
    notes: 'Yearly',
  })
  assert.deepEqual([typeof totalCost, typeof amount], ['number', 'number'])
  for (const time of [created_at, updated_at]) assert.match(time, isoTime)
})

rule('audits.record.line', async () => {
  const { company, item, audit } = await stocked()
  const [line] = (await documentOf(company, 'audits', await audit(12))).products
  const { sku, name, unit } = (await accepts(company, 'products/get_entry', { product_id: item })).product
  const { id, position, expected, counted, difference } = line
  assert.deepEqual([id, line.sku, line.name, line.unit, position], [item, sku, name, unit, 0])
  assert.deepEqual([expected, counted, difference, line.cost], [10, 12, 2, 4])
  assert.deepEqual([line.unit_cost, line.cost_source], [null, 'average'])
  assert.match(line.counted_at, isoTime)
})
