// Components that are products: where they are taken from, which are missing, and productions finished before that rule existed.

import assert from 'node:assert/strict'
import { broken, level, query } from '../test/harness/database.ts'
import { given } from '../test/harness/given.ts'
import { accepts, add } from '../test/harness/record-calls.ts'
import { rule } from '../test/harness/rule.ts'
import { editProduction, make, moved, production, setProduction, workshop } from '../test/harness/workshop.ts'

rule('productions.effect.product-component', async () => {
  const { company, table } = await workshop()
  const components = [{ type: 'product', id: table, amount: 2 }]
  const set = await add(company, 'products', { name: 'Set of tables', sku: 'SET', components })
  await given.stock(company, { item: table, amount: '6', unitCost: '100' })
  const id = await make(company, { products: [{ id: set, amount: 1 }], status: 3 })
  assert.equal((await level(company, table)).on_hand, '4.000')
  assert.equal((await level(company, table, company.materialsStorageId)).on_hand, '0.000')
  assert.equal((await level(company, set)).on_hand, '1.000')
  assert.equal((await production(company, id)).cost, 200)
  assert.deepEqual(await broken(company.id), [])
})

rule(
  'productions.effect.product-component',
  'with the settings of a new company, consumed stock is reduced to zero',
  async () => {
    const { company, table } = await workshop()
    const set = await add(company, 'products', {
      name: 'Set of tables',
      sku: 'SET',
      components: [{ type: 'product', id: table, amount: 2 }],
    })
    await make(company, { products: [{ id: table, amount: 4 }], status: 3 })
    const id = await make(company, { products: [{ id: set, amount: 2 }], status: 3, date_done: '2026-03-10' })
    const { stock } = await accepts(company, 'stock/get_list', { ids: [table] })
    assert.deepEqual(
      stock.map((row: { storage_id: number; amount: number }) => [row.storage_id, row.amount]),
      [[company.productsStorageId, 0]],
    )
    assert.equal((await production(company, id)).cost, 492) // 4 × 123
    // With another products storage location, the tables are taken from there.
    const annex = await add(company, 'storages', { name: 'Annex' })
    await editProduction(company, id, { products_storage_id: annex })
    assert.equal((await level(company, table)).on_hand, '4.000')
    assert.equal((await level(company, table, annex)).on_hand, '-4.000')
    await setProduction(company, id, 0)
    assert.equal((await level(company, table, annex)).on_hand, '0.000')
    assert.deepEqual(await broken(company.id), [])
  },
)

rule('productions.effect.product-component-missing', async () => {
  const { company, table } = await workshop()
  const user = await given.user(company, 'worker')
  const set = await add(company, 'products', {
    name: 'Set of tables',
    sku: 'SET',
    components: [{ type: 'product', id: table, amount: 2 }],
  })
  await given.stock(company, { item: table, amount: '3', unitCost: '100' })
  await given.stock(company, { item: table, amount: '50', unitCost: '100', storage: company.materialsStorageId })
  const id = await make(company, { products: [{ id: set, amount: 2 }] })
  const lacking = async () => (await user.call('productions/get_card', { production_id: id })).body.missing
  const [found, ...others] = await lacking()
  assert.deepEqual([found.item_id, found.needed, found.available, found.short], [table, 4, 3, 1])
  assert.deepEqual(others, [])
  await given.stock(company, { item: table, amount: '1', unitCost: '100' })
  assert.deepEqual(await lacking(), [])
})

/** A finished production as booked before the rule: its product components were taken from the materials storage location. */
async function finishedBefore() {
  const { company, table } = await workshop()
  const set = await add(company, 'products', {
    name: 'Set of tables',
    sku: 'SET',
    components: [{ type: 'product', id: table, amount: 2 }],
  })
  const { materialsStorageId: materials, productsStorageId: products } = company
  await given.stock(company, { item: table, amount: '6', unitCost: '100', storage: materials })
  // Created with one storage location for both and then separated, as in an old ledger.
  const id = await make(company, {
    products: [{ id: set, amount: 1 }],
    status: 3,
    date_done: '2026-03-10',
    products_storage_id: materials,
  })
  const own = [company.id, id]
  const move = `and section = 'productions' and document_id = $2 and part = 1`
  await query(company.id, `update stock_movements set storage_id = ${products} where company_id = $1 ${move}`, own)
  await query(
    company.id,
    `update productions set products_storage_id = ${products}, components_by_kind = false where company_id = $1 and id = $2`,
    own,
  )
  await query(
    company.id,
    `update stock_levels set storage_id = ${products} where company_id = $1 and item_id = $2 and storage_id = ${materials}`,
    [company.id, set],
  )
  assert.deepEqual(await broken(company.id), [])
  return { company, table, set, id }
}

rule('productions.effect.finished-before', async () => {
  const { company, table, id } = await finishedBefore()
  const before = await moved(company, id)
  await editProduction(company, id, { notes: 'Oiled' })
  assert.deepEqual(await moved(company, id), before)
  await editProduction(company, id, { date_done: '2026-03-11' })
  assert.deepEqual(
    await moved(company, id),
    before.map((row) => ({ ...row, date: '2026-03-11' })),
  )
  assert.deepEqual(await broken(company.id), [])
  await setProduction(company, id, 0)
  assert.deepEqual(await moved(company, id), [])
  assert.equal((await level(company, table, company.materialsStorageId)).on_hand, '6.000')
  // When it is finished again, the new rule applies.
  await setProduction(company, id, 3)
  assert.equal((await level(company, table)).on_hand, '-2.000')
  assert.equal((await level(company, table, company.materialsStorageId)).on_hand, '6.000')
  assert.deepEqual(await broken(company.id), [])
})

rule('productions.effect.finished-before', 'deleting it', async () => {
  const { company, table, set, id } = await finishedBefore()
  await accepts(company, 'productions/delete', { production_id: id })
  assert.equal((await level(company, table, company.materialsStorageId)).on_hand, '6.000')
  assert.equal((await level(company, table)).on_hand, '0.000')
  assert.equal((await level(company, set)).on_hand, '0.000')
  assert.deepEqual(await broken(company.id), [])
})
