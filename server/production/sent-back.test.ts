// The consumption in a response can be sent back, including products; consumed quantities keep their full precision.

import assert from 'node:assert/strict'
import { broken, cost } from '../test/harness/database.ts'
import { type Company, given } from '../test/harness/given.ts'
import { accepts, add, edit, refuses, remove } from '../test/harness/record-calls.ts'
import { rule } from '../test/harness/rule.ts'
import { editProduction, make, production, workshop } from '../test/harness/workshop.ts'

/** A workshop with a set of one table (value 123, three on hand) and two boards. */
async function sets() {
  const shop = await workshop()
  const { company, table, board } = shop
  await given.stock(company, { item: table, amount: '3', unitCost: '123' })
  const set = await add(company, 'products', {
    name: 'Set',
    sku: 'SET',
    components: [
      { type: 'product', id: table, amount: 1 },
      { type: 'material', id: board, amount: 2 },
    ],
  })
  return { ...shop, set }
}

type Line = { id: number; amount: number; cost: number }
const brief = (lines: readonly Line[]) => lines.map((line) => [line.id, line.amount, line.cost])

const stockOf = async (company: Company) => (await accepts(company, 'stock/get_list')).stock

for (const status of [0, 1, 3])
  rule('productions.use.sent-back', `status ${status}`, async () => {
    const { company, table, board, set } = await sets()
    const products = [
      { id: table, amount: 1 },
      { id: set, amount: 2 },
    ]
    const id = await make(company, { products, status, date_done: '2026-03-10', date_planned: '2026-03-09' })
    const before = await production(company, id)
    const levels = await stockOf(company)
    assert.deepEqual(
      before.materials.map((line: Line) => [line.id, line.amount]),
      [
        [board, 8],
        [before.materials[1].id, 16],
        [table, 2],
      ],
    )
    await editProduction(company, id, before)
    assert.deepEqual(await production(company, id), before, 'nothing has changed, not even its time')
    assert.deepEqual(await stockOf(company), levels)
    // and the consumption still follows the components
    if (status !== 0) return
    await edit(company, 'products', set, { components: [{ type: 'material', id: board, amount: 1 }] })
    await accepts(company, 'productions/update_status', { production_id: id, status: 3 })
    assert.deepEqual(
      (await production(company, id)).materials.map((line: Line) => [line.id, line.amount]),
      [
        [board, 6],
        [before.materials[1].id, 16],
      ],
    )
    assert.deepEqual(await broken(company.id), [])
  })

rule('productions.use.sent-back', 'with another quantity it counts as specified', async () => {
  const { company, table, board, set } = await sets()
  const id = await make(company, { products: [{ id: set, amount: 1 }] })
  const { materials } = await production(company, id)
  const changed = materials.map((line: Line) => ({ ...line, amount: line.id === table ? 2 : line.amount }))
  await editProduction(company, id, { materials: changed })
  assert.deepEqual(brief((await production(company, id)).materials), [
    [table, 2, 246],
    [board, 2, 37],
  ])
  await edit(company, 'products', set, { components: [{ type: 'material', id: board, amount: 1 }] })
  await accepts(company, 'productions/update_status', { production_id: id, status: 3 })
  assert.equal((await production(company, id)).cost, 283)
  assert.deepEqual(await broken(company.id), [])
})

rule('productions.use.product', async () => {
  const { company, table, board, set } = await sets()
  const products = [{ id: set, amount: 1 }]
  for (const named of [{ id: table }, { sku: 'TABLE' }, { sku: 'T-OLD' }]) {
    const materials = [
      { ...named, type: 'product', amount: 1 },
      { id: board, type: 'material', amount: 3 },
    ]
    const shown = await production(company, await make(company, { products, materials }))
    assert.deepEqual(brief(shown.materials), [
      [table, 1, 123],
      [board, 3, 55.5],
    ])
    assert.equal(shown.cost, 178.5)
  }
  const done = await make(company, { products, materials: [{ id: table, type: 'product', amount: 2 }], status: 3 })
  assert.equal((await production(company, done)).cost, 246)
  const { stock: left } = await accepts(company, 'stock/get_list', { ids: [table] })
  assert.equal(left[0].amount, 1)
  // a product that is not consumed yet is not accepted as a material without its type
  await refuses(
    company,
    'productions/add',
    { products, materials: [{ id: table, amount: 1 }] },
    `Material with id ${table} not found`,
  )
  const error = 'Product with SKU "BOARD" not found'
  await refuses(
    company,
    'productions/add',
    { products, materials: [{ sku: 'BOARD', type: 'product', amount: 1 }] },
    error,
  )
  assert.deepEqual(await broken(company.id), [])
})

rule('productions.use.product', 'a product deleted in the meantime can still be sent back', async () => {
  const { company, table, set } = await sets()
  const id = await make(company, { products: [{ id: set, amount: 3 }], status: 3 })
  await edit(company, 'products', set, { components: [] })
  await remove(company, 'products', table)
  const { materials } = await production(company, id)
  await editProduction(company, id, { materials: materials.map((line: Line) => ({ ...line, amount: 1 })) })
  assert.deepEqual(
    (await production(company, id)).materials.map((line: Line) => [line.id, line.amount]),
    materials.map((line: Line) => [line.id, 1]),
  )
  assert.deepEqual(await broken(company.id), [])
})

rule('productions.error.type', async () => {
  const { company, board } = await workshop()
  const right = { id: board, amount: 1 }
  for (const type of ['resource', 'materials', 'Product', '', 1, true, {}]) {
    const body = { products: [{ sku: 'TABLE', amount: 1 }], materials: [right, { ...right, type }] }
    await refuses(company, 'productions/add', body, 'Invalid type for material 1. Must be one of: material, product')
  }
})

rule('productions.cost.precise', async () => {
  const company = await given.company()
  const hour = await add(company, 'resources', { name: 'Hour', price: 0.37 })
  const pin = await add(company, 'products', {
    name: 'Pin',
    components: [{ type: 'resource', id: hour, amount: 0.013 }],
  })
  // 0.013 × 0.37 = 0.00481, each time
  for (let n = 1; n <= 3; n++) {
    const shown = await production(company, await make(company, { products: [{ id: pin, amount: 1 }], status: 3 }))
    assert.deepEqual([shown.cost, shown.products[0].cost, shown.resources[0].cost], [0, 0, 0])
  }
  assert.deepEqual(await cost(company, pin), { on_hand: '3.000', value: '0.014430', average: '0.004810' })
  // 7 × 0.013 = 0.091 hours are 0.03367, shown as 0.03
  const seven = await make(company, { products: [{ id: pin, amount: 7 }], status: 3 })
  assert.equal((await production(company, seven)).cost, 0.03)
  assert.deepEqual(await cost(company, pin), { on_hand: '10.000', value: '0.048100', average: '0.004810' })
  // rounded once: 0.4 cents are zero each, and one cent for three together
  const components = []
  for (let n = 0; n < 3; n++)
    components.push({ type: 'resource', id: await add(company, 'resources', { price: 0.04 }), amount: 0.1 })
  const nail = await add(company, 'products', { name: 'Nail', components })
  const nailed = await production(company, await make(company, { products: [{ id: nail, amount: 1 }], status: 3 }))
  assert.deepEqual(
    [nailed.cost, nailed.resources.map((line: Line) => line.cost), nailed.products[0].cost],
    [0.01, [0, 0, 0], 0.01],
  )
  assert.equal((await cost(company, nail)).value, '0.012000')
  // a change that does not concern its goods keeps their value, and changing back reverses it exactly
  await editProduction(company, seven, { notes: 'Polished' })
  await accepts(company, 'productions/update_status', { production_id: seven, status: 0 })
  assert.deepEqual(await cost(company, pin), { on_hand: '3.000', value: '0.014430', average: '0.004810' })
  assert.deepEqual(await broken(company.id), [])
})
