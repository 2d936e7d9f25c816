// The methods of productions, with their responses and effects.

import assert from 'node:assert/strict'
import { broken } from '../test/harness/database.ts'
import { accepts, add, isoTime, refuses } from '../test/harness/record-calls.ts'
import { rule } from '../test/harness/rule.ts'
import { editProduction, make, onHand, production, setProduction, workshop } from '../test/harness/workshop.ts'

const missing = 'Production not found or access denied'

rule('productions.method.add', async () => {
  const { company } = await workshop()
  assert.equal(await make(company), 1)
  assert.equal(await make(company), 2)
  assert.deepEqual(await broken(company.id), [])
})

rule('productions.method.get-entry', 'exactly the documented fields', async () => {
  const { company, board, screw, hour, table } = await workshop()
  const id = await make(company, {
    num: ' W 7 ',
    products: [{ sku: 'TABLE', amount: 2 }],
    date_placed: '2026-03-01',
    date_planned: '2026-03-05',
    notes: 'For the fair',
  })
  const { created_at, updated_at, products_storage_name, materials_storage_name, ...shown } = await production(
    company,
    id,
  )
  assert.match(created_at, isoTime)
  assert.equal(updated_at, created_at)
  const { storages } = await accepts(company, 'storages/get_list')
  const nameOf = (wanted: number) => storages.find((one: { id: number }) => one.id === wanted).name
  assert.equal(products_storage_name, nameOf(company.productsStorageId))
  assert.equal(materials_storage_name, nameOf(company.materialsStorageId))
  assert.deepEqual(shown, {
    id,
    num: 'W 7',
    status: 0,
    date_placed: '2026-03-01',
    date_planned: '2026-03-05',
    date_done: '',
    order_id: null,
    order_num: null,
    products_storage_id: company.productsStorageId,
    materials_storage_id: company.materialsStorageId,
    amount: 2,
    lines: 1,
    cost: 246,
    source: 'api',
    notes: 'For the fair',
    products: [{ id: table, sku: 'TABLE', name: 'Oak table', amount: 2, unit: 'pcs', cost: 246, position: 0 }],
    materials: [
      { id: board, sku: 'BOARD', name: 'Oak board', amount: 8, unit: 'm', cost: 148, position: 0 },
      { id: screw, sku: 'SCREW', name: 'Screw', amount: 32, unit: 'pcs', cost: 8, position: 1 },
    ],
    resources: [{ id: hour, name: 'Carpenter', amount: 3, unit: 'pcs', cost: 90, position: 2 }],
  })
})

rule('productions.method.edit', async () => {
  const { company, table } = await workshop()
  const other = await add(company, 'storages', { name: 'Annex' })
  const id = await make(company, { date_placed: '2026-03-01' })
  const changes: readonly (readonly [object, object])[] = [
    [{ num: 'X-1' }, { num: 'X-1' }],
    [{ notes: 'Urgent' }, { notes: 'Urgent' }],
    [{ date_placed: '2026-03-02' }, { date_placed: '2026-03-02' }],
    [{ date_planned: '2026-03-09' }, { date_planned: '2026-03-09' }],
    [{ date_done: '2026-03-10' }, { date_done: '2026-03-10' }],
    [{ products_storage_id: other }, { products_storage_id: other, products_storage_name: 'Annex' }],
    [{ materials_storage_id: other }, { materials_storage_id: other, materials_storage_name: 'Annex' }],
    [{ num: null, notes: null, products: null, materials: null, order_id: null }, {}],
  ]
  for (const [body, expected] of changes) {
    const before = await production(company, id)
    await editProduction(company, id, body)
    const after = await production(company, id)
    assert.deepEqual(after, { ...before, ...expected, updated_at: after.updated_at }, JSON.stringify(body))
  }
  await editProduction(company, id, { products: [{ id: table, amount: 3 }] })
  const { products, materials, amount, cost, status } = await production(company, id)
  assert.deepEqual([products.length, products[0].amount, materials[0].amount], [1, 3, 12])
  assert.deepEqual([amount, cost, status], [3, 369, 0])
  assert.deepEqual(await broken(company.id), [])
})

rule('productions.method.edit', 'it does not set the status', async () => {
  const { company } = await workshop()
  const id = await make(company)
  await editProduction(company, id, { status: 3 })
  assert.equal((await production(company, id)).status, 0)
})

rule('productions.method.delete', async () => {
  const { company } = await workshop()
  const id = await make(company)
  const kept = await make(company)
  assert.deepEqual(await accepts(company, 'productions/delete', { production_id: id }), {})
  await refuses(company, 'productions/get_entry', { production_id: id }, missing)
  await refuses(company, 'productions/edit', { production_id: id, notes: 'x' }, missing)
  await refuses(company, 'productions/update_status', { production_id: id, status: 3 }, missing)
  await refuses(company, 'productions/delete', { production_id: id }, missing)
  const { productions, total } = await accepts(company, 'productions/get_list')
  assert.deepEqual([productions.map((one: { id: number }) => one.id), total], [[kept], 1])
  assert.deepEqual(await broken(company.id), [])
})

rule('productions.method.update-status', async () => {
  const shop = await workshop()
  const id = await make(shop.company, { date_done: '2026-03-10' })
  // this sequence contains every ordered pair of two different statuses
  for (const status of [1, 0, 3, 0, 4, 1, 3, 1, 4, 3, 4, 0]) {
    await setProduction(shop.company, id, status)
    assert.equal((await production(shop.company, id)).status, status)
    assert.deepEqual(await onHand(shop), status === 3 ? [96, 984, 1] : [100, 1000, 0])
  }
  await setProduction(shop.company, id, 3)
  await setProduction(shop.company, id, 3)
  assert.deepEqual(await onHand(shop), [96, 984, 1])
  assert.deepEqual(await broken(shop.company.id), [])
})
