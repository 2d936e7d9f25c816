// Audits: the counted quantities, and the stock they are compared with while goods move.

import assert from 'node:assert/strict'
import { broken, level } from '../test/harness/database.ts'
import {
  addDocument,
  deleteDocument,
  documentOf,
  editDocument,
  setStatus,
  standing,
} from '../test/harness/document-calls.ts'
import { given } from '../test/harness/given.ts'
import { isoTime, refuses } from '../test/harness/record-calls.ts'
import { rule } from '../test/harness/rule.ts'
import { shipped } from '../test/harness/sold.ts'

async function stocked() {
  const company = await given.company()
  const { id: item, sku } = await given.product(company)
  await given.stock(company, { item, amount: '10', unitCost: '2', date: '2025-01-01' })
  const onHand = async () => (await level(company, item)).on_hand
  const audit = (counted: unknown, body: object = {}) =>
    addDocument(company, 'audits', { products: [{ id: item, counted }], date: '2025-02-01', ...body })
  /** Expected and counted quantity, and the difference, of the first line. */
  const figures = async (id: number) => {
    const [line] = (await documentOf(company, 'audits', id)).products
    return [line.expected, line.counted, line.difference]
  }
  return { company, item, sku, onHand, audit, figures }
}

rule('audits.counted.moving', 'a sale shipped in between', async () => {
  const { company, item, onHand, audit, figures } = await stocked()
  const id = await audit(8)
  assert.deepEqual(await figures(id), [10, 8, -2])
  assert.equal(await onHand(), '10.000')
  await shipped(company, item, 3)
  assert.equal(await onHand(), '7.000')
  await setStatus(company, 'audits', id, 3)
  // Two were missing when it was counted, and three have been sold since: 10 - 2 - 3.
  assert.equal(await onHand(), '5.000')
  assert.deepEqual(await figures(id), [10, 8, -2])
  assert.deepEqual(await standing(company, 'audits', id), [[company.productsStorageId, item, '2025-02-01', '-2.000']])
  assert.deepEqual(await broken(company.id), [])
})

rule('audits.counted.moving', 'goods received in between, some dated before the count', async () => {
  const { company, item, onHand, audit, figures } = await stocked()
  const id = await audit(13)
  for (const date_received of ['2025-01-15', '2025-02-01', '2025-03-01'])
    await addDocument(company, 'purchases', { products: [{ id: item, amount: 5, total: 5 }], date_received, status: 3 })
  await setStatus(company, 'audits', id, 3)
  assert.deepEqual([await onHand(), await figures(id)], ['28.000', [10, 13, 3]])
  await setStatus(company, 'audits', id, 0)
  assert.deepEqual([await onHand(), await figures(id)], ['25.000', [10, 13, 3]])
  await setStatus(company, 'audits', id, 3)
  assert.deepEqual([await onHand(), await figures(id)], ['28.000', [10, 13, 3]])
  assert.deepEqual(await broken(company.id), [])
})

rule('audits.counted.fixed', async () => {
  const { company, item, audit, figures } = await stocked()
  const before = new Date().toISOString()
  const id = await audit(8)
  const after = new Date().toISOString()
  const countedAt = async () => (await documentOf(company, 'audits', id)).products[0].counted_at
  const at = await countedAt()
  assert.match(at, isoTime)
  // The database uses the clock of the machine; one second of difference is allowed.
  assert.ok(Date.parse(at) >= Date.parse(before) - 1_000 && Date.parse(at) <= Date.parse(after) + 1_000, at)
  await shipped(company, item, 3)
  await editDocument(company, 'audits', id, { notes: 'Second shelf', date: '2025-02-03' })
  await setStatus(company, 'audits', id, 3)
  assert.deepEqual([await figures(id), await countedAt()], [[10, 8, -2], at])
  assert.deepEqual(await broken(company.id), [])
})

rule('audits.counted.again', async () => {
  const { company, item, onHand, audit, figures } = await stocked()
  const id = await audit(8)
  const { counted_at: first } = (await documentOf(company, 'audits', id)).products[0]
  await shipped(company, item, 3)
  await editDocument(company, 'audits', id, { products: [{ id: item, counted: 6 }] })
  assert.deepEqual(await figures(id), [7, 6, -1])
  const { counted_at: second } = (await documentOf(company, 'audits', id)).products[0]
  assert.ok(second > first)
  await setStatus(company, 'audits', id, 3)
  assert.equal(await onHand(), '6.000')
  assert.deepEqual(await broken(company.id), [])
})

rule('audits.counted.again', 'with the same figure', async () => {
  const { company, item, onHand, audit, figures } = await stocked()
  const { id: other } = await given.product(company)
  const id = await audit(8)
  const lines = async () => (await documentOf(company, 'audits', id)).products
  const [first] = await lines()
  await shipped(company, item, 3)
  // Another item is counted, and this one is sent back.
  await editDocument(company, 'audits', id, { products: [first, { id: other, counted: 2 }] })
  assert.deepEqual(await figures(id), [10, 8, -2])
  const { counted_at } = first
  const [{ counted_at: kept }, { counted_at: later }] = await lines()
  assert.ok(kept === counted_at && later > counted_at)
  // The same figure counts as of now.
  await editDocument(company, 'audits', id, { products: [{ id: item, counted: 8 }, (await lines())[1]] })
  assert.deepEqual(await figures(id), [7, 8, 1])
  const [again, unchanged] = await lines()
  assert.ok(again.counted_at > later && unchanged.counted_at === later)
  for (const wrong of ['2020-01-01T00:00:00Z', 5, null, 'x'.repeat(100)])
    await editDocument(company, 'audits', id, { products: [{ ...again, counted_at: wrong }, unchanged] })
  assert.ok((await lines())[0].counted_at > again.counted_at)
  await setStatus(company, 'audits', id, 3)
  assert.equal(await onHand(), '8.000')
  assert.deepEqual(await broken(company.id), [])
})

rule('audits.counted.again-completed', async () => {
  const { company, item, onHand, audit } = await stocked()
  const id = await audit(8, { status: 3 })
  assert.equal(await onHand(), '8.000')
  // Nothing has moved since: a count of nine results in nine on hand.
  await editDocument(company, 'audits', id, { products: [{ id: item, counted: 9 }] })
  assert.equal(await onHand(), '9.000')
  const [line] = (await documentOf(company, 'audits', id)).products
  assert.equal(line.difference, line.counted - line.expected)
  await shipped(company, item, 4)
  await editDocument(company, 'audits', id, { products: [{ id: item, counted: 3 }] })
  assert.equal(await onHand(), '3.000')
  await deleteDocument(company, 'audits', id)
  assert.equal(await onHand(), '6.000')
  assert.deepEqual(await broken(company.id), [])
})

rule('audits.counted.storage', async () => {
  const { company, item, audit, onHand, figures } = await stocked()
  const { id: shop } = await given.storage(company, 'Shop')
  await given.stock(company, { item, amount: '4', unitCost: '2', storage: shop })
  const id = await audit(5, { storage_id: shop, status: 3 })
  assert.deepEqual(await figures(id), [4, 5, 1])
  assert.deepEqual([await onHand(), (await level(company, item, shop)).on_hand], ['10.000', '5.000'])
  const { id: board } = await given.material(company)
  await given.stock(company, { item: board, amount: '7.5', unitCost: '1', storage: shop })
  const both = await addDocument(company, 'audits', {
    storage_id: shop,
    products: [{ id: item, counted: 5 }],
    materials: [{ id: board, counted: 7.25 }],
    status: 3,
  })
  const [line] = (await documentOf(company, 'audits', both)).materials
  assert.deepEqual([line.expected, line.counted, line.difference], [7.5, 7.25, -0.25])
  assert.equal((await level(company, board, shop)).on_hand, '7.250')
  assert.deepEqual(await broken(company.id), [])
})

rule('audits.counted.zero', async () => {
  const { company, onHand, audit, figures } = await stocked()
  const id = await audit(0, { status: 3 })
  assert.deepEqual([await onHand(), await figures(id)], ['0.000', [10, 0, -10]])
  const again = await audit('0')
  assert.deepEqual(await figures(again), [0, 0, 0])
  assert.deepEqual(await broken(company.id), [])
})

rule('audits.counted.zero', 'a negative expected quantity, and an item without stock there', async () => {
  const { company, item, onHand, audit, figures } = await stocked()
  await shipped(company, item, 12)
  const id = await audit(0, { status: 3 })
  assert.deepEqual([await onHand(), await figures(id)], ['0.000', [-2, 0, 2]])
  const { id: unseen } = await given.product(company)
  const other = await audit(0, { products: [{ id: unseen, counted: 3 }], status: 3 })
  assert.deepEqual([(await level(company, unseen)).on_hand, await figures(other)], ['3.000', [0, 3, 3]])
  assert.deepEqual(await broken(company.id), [])
})

rule('audits.counted.invalid', async () => {
  const { company, item, sku, audit } = await stocked()
  const body = { storage_id: company.productsStorageId }
  const audit_id = await audit(1)
  for (const counted of [-1, '-0.001', 'x', '1,5', true, [], {}]) {
    const bySku = `Counted must be 0 or greater for product with SKU "${sku}"`
    await refuses(company, 'audits/add', { ...body, products: [{ sku, counted }] }, bySku)
    await refuses(company, 'audits/edit', { audit_id, products: [{ sku, counted }] }, bySku)
    const byId = `Counted must be 0 or greater for product with id ${item}`
    await refuses(company, 'audits/add', { ...body, products: [{ id: item, counted }] }, byId)
    const material = 'Counted must be 0 or greater for material with SKU "B"'
    await refuses(company, 'audits/add', { ...body, materials: [{ sku: 'B', counted }] }, material)
  }
})
