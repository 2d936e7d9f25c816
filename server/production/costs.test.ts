// The cost of the products of a production.

import assert from 'node:assert/strict'
import { cost } from '../test/harness/database.ts'
import { given } from '../test/harness/given.ts'
import { add } from '../test/harness/record-calls.ts'
import { rule } from '../test/harness/rule.ts'
import { editProduction, make, production, setProduction, workshop } from '../test/harness/workshop.ts'

rule('productions.record.cost', async () => {
  const { company } = await workshop()
  const id = await make(company, { products: [{ sku: 'TABLE', amount: 3 }] })
  assert.equal((await production(company, id)).cost, 369)
  await setProduction(company, id, 3)
  assert.equal((await production(company, id)).cost, 369)
})

rule('productions.cost.products', async () => {
  const { company, board, table } = await workshop()
  // 100 boards at 18.50 and 50 at 10: 2350 / 150 = 15.666667
  await given.stock(company, { item: board, amount: '50', unitCost: '10', storage: company.materialsStorageId })
  const shown = await production(company, await make(company, { products: [{ id: table, amount: 3 }], status: 3 }))
  // 12 boards 188.000004, 48 screws 12, 4.5 hours 135
  assert.deepEqual([shown.materials[0].cost, shown.materials[1].cost, shown.resources[0].cost], [188, 12, 135])
  assert.deepEqual([shown.products[0].cost, shown.cost], [335, 335])
  assert.deepEqual(await cost(company, table), { on_hand: '3.000', value: '335.000004', average: '111.666668' })
})

rule('productions.cost.average', async () => {
  const { company, table } = await workshop()
  await given.stock(company, { item: table, amount: '2', unitCost: '100' })
  await make(company, { products: [{ id: table, amount: 3 }], status: 3 })
  // 200 + 369 over 5
  assert.deepEqual(await cost(company, table), { on_hand: '5.000', value: '569.000000', average: '113.800000' })
})

rule('productions.cost.specified', async () => {
  const { company, hour, table } = await workshop()
  const used = { materials: [{ sku: 'BOARD', amount: 7 }], resources: [{ id: hour, amount: 0.5 }] }
  await make(company, { products: [{ id: table, amount: 2 }], ...used, status: 3 })
  // 129.50 + 15 over 2
  assert.equal((await cost(company, table)).average, '72.250000')
})

rule('productions.cost.once', async () => {
  const company = await given.company()
  const materials = await Promise.all(['A', 'B', 'C'].map((name) => add(company, 'materials', { name, sku: name })))
  for (const item of materials)
    await given.stock(company, { item, amount: '10', unitCost: '0.335', storage: company.materialsStorageId })
  const components = materials.map((id) => ({ type: 'material', id, amount: 1 }))
  const table = await add(company, 'products', { name: 'Box', sku: 'BOX', components })
  const id = await make(company, { products: [{ id: table, amount: 1 }], status: 3 })
  const shown = await production(company, id)
  // 3 × 0.335 = 1.005, not 3 × 0.34
  assert.deepEqual([shown.cost, shown.products[0].cost, shown.materials[0].cost], [1.01, 1.01, 0.34])
  assert.equal((await cost(company, table)).value, '1.005000')
})

rule('productions.cost.moment', async () => {
  const { company, board, table } = await workshop()
  const id = await make(company)
  const storage = company.materialsStorageId
  await given.stock(company, { item: board, amount: '100', unitCost: '21.5', storage })
  await setProduction(company, id, 3)
  // boards cost 20 now: 80 + 4 + 45
  assert.deepEqual([(await production(company, id)).cost, (await cost(company, table)).average], [129, '129.000000'])
  await given.stock(company, { item: board, amount: '100', unitCost: '40', storage })
  await editProduction(company, id, { notes: 'Polished' })
  assert.deepEqual([(await production(company, id)).cost, (await cost(company, table)).average], [129, '129.000000'])
})

rule('productions.cost.moment', 'changing the status back does not recalculate the cost', async () => {
  const { company, board, table } = await workshop()
  const id = await make(company, { products: [{ id: table, amount: 10 }], status: 3 })
  await given.stock(company, { item: board, amount: '40', unitCost: '30', storage: company.materialsStorageId })
  await setProduction(company, id, 1)
  const { cost: totalCost, products, materials } = await production(company, id)
  assert.deepEqual([totalCost, products[0].cost, materials[0].cost], [1230, 1230, 740])
})
