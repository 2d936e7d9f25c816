// The consumption of a production: by the components of its products, or as specified.

import assert from 'node:assert/strict'
import { broken, cost } from '../test/harness/database.ts'
import { given } from '../test/harness/given.ts'
import { add, edit, refuses } from '../test/harness/record-calls.ts'
import { rule } from '../test/harness/rule.ts'
import { editProduction, make, onHand, production, setProduction, workshop } from '../test/harness/workshop.ts'

type Used = { id: number; amount: number; cost: number }
const usedOf = (lines: readonly Used[]) => lines.map((line) => [line.id, line.amount, line.cost])

rule('productions.use.components', async () => {
  const { company, board, screw, hour } = await workshop()
  const id = await make(company, { products: [{ sku: 'TABLE', amount: 2.5 }], status: 3 })
  const shown = await production(company, id)
  assert.deepEqual(usedOf(shown.materials), [
    [board, 10, 185],
    [screw, 40, 10],
  ])
  assert.deepEqual(usedOf(shown.resources), [[hour, 3.75, 112.5]])
})

rule('productions.use.components', 'quantities with six decimals, rounded to three when consumed', async () => {
  const { company, board } = await workshop()
  const components = [{ type: 'material', id: board, amount: 0.000125 }]
  const pin = await add(company, 'products', { sku: 'PIN', components })
  for (const [amount, used] of [
    [1000, 0.125],
    [100, 0.013],
    [9996, 1.25],
  ] as const) {
    const { materials } = await production(company, await make(company, { products: [{ id: pin, amount }], status: 3 }))
    assert.equal(materials[0].amount, used, `${amount} pins`)
  }
  assert.deepEqual(await broken(company.id), [])
})

rule('productions.use.components', 'several products consume the sum of their components', async () => {
  const shop = await workshop()
  const { company, board, table } = shop
  const shelf = await add(company, 'products', {
    sku: 'SHELF',
    components: [{ type: 'material', id: board, amount: 3 }],
  })
  const products = [
    { id: table, amount: 1 },
    { id: shelf, amount: 2 },
  ]
  const shown = await production(company, await make(company, { products, status: 3 }))
  assert.deepEqual(shown.materials[0].amount, 10)
  assert.deepEqual(
    shown.products.map((line: Used) => line.cost),
    [123, 111],
  )
  assert.equal(shown.cost, 234)
  assert.deepEqual(await onHand(shop), [90, 984, 1])
  assert.deepEqual(await broken(company.id), [])
})

rule('productions.use.at-finishing', async () => {
  const shop = await workshop()
  const { company, board, table } = shop
  const id = await make(company)
  await edit(company, 'products', table, { components: [{ type: 'material', id: board, amount: 5 }] })
  await setProduction(company, id, 3)
  assert.deepEqual(await onHand(shop), [95, 1000, 1])
  const { materials, resources, cost: totalCost } = await production(company, id)
  assert.deepEqual([usedOf(materials), resources, totalCost], [[[board, 5, 92.5]], [], 92.5])
  assert.deepEqual(await broken(company.id), [])
})

rule('productions.use.specified', async () => {
  const shop = await workshop()
  const { company, board, hour } = shop
  const id = await make(company, {
    materials: [{ sku: 'BOARD', amount: 5.5 }],
    resources: [{ id: hour, amount: 2 }],
    status: 3,
  })
  const shown = await production(company, id)
  assert.deepEqual(usedOf(shown.materials), [[board, 5.5, 101.75]])
  assert.deepEqual(usedOf(shown.resources), [[hour, 2, 60]])
  assert.deepEqual([shown.cost, shown.products[0].cost], [161.75, 161.75])
  assert.deepEqual(await onHand(shop), [94.5, 1000, 1])
  assert.deepEqual(await broken(company.id), [])
})

rule('productions.use.specified', 'the specified consumption is kept when the production is finished', async () => {
  const shop = await workshop()
  const id = await make(shop.company, { materials: [{ sku: 'SCREW', amount: 3 }] })
  await setProduction(shop.company, id, 1)
  await setProduction(shop.company, id, 3)
  assert.deepEqual(await onHand(shop), [100, 997, 1])
  assert.deepEqual(await broken(shop.company.id), [])
})

rule('productions.use.specified-later', async () => {
  const shop = await workshop()
  const { company, hour } = shop
  const id = await make(company, { status: 3 })
  await editProduction(company, id, { materials: [{ sku: 'BOARD', amount: 6 }], resources: [{ id: hour, amount: 1 }] })
  assert.deepEqual(await onHand(shop), [94, 1000, 1])
  const shown = await production(company, id)
  assert.deepEqual([shown.cost, shown.products[0].cost], [141, 141])
  assert.equal((await cost(company, shop.table)).average, '141.000000')
  assert.deepEqual(await broken(company.id), [])
})

rule('productions.use.specified-later', 'a planned production consumes it when it is finished', async () => {
  const shop = await workshop()
  const id = await make(shop.company)
  await editProduction(shop.company, id, { materials: [{ sku: 'BOARD', amount: 6 }] })
  await setProduction(shop.company, id, 3)
  assert.deepEqual(await onHand(shop), [94, 1000, 1])
})

rule('productions.use.stays', async () => {
  const shop = await workshop()
  const { company, board, table } = shop
  const id = await make(company, { status: 3, date_done: '2026-03-10' })
  const before = await production(company, id)
  await edit(company, 'products', table, { components: [{ type: 'material', id: board, amount: 50 }] })
  await setProduction(company, id, 3, { date_done: '2026-03-12' })
  const { date_done, updated_at, ...after } = await production(company, id)
  assert.deepEqual({ ...before, date_done, updated_at }, { ...after, date_done, updated_at })
  assert.deepEqual(await onHand(shop), [96, 984, 1])
  assert.deepEqual(await broken(company.id), [])
})

rule('productions.use.no-components', async () => {
  const { company } = await workshop()
  const bare = await given.product(company, { sku: 'BARE' })
  const error = 'Product with SKU "BARE" has no components'
  await refuses(company, 'productions/add', { products: [{ sku: 'BARE', amount: 1 }] }, error)
  await refuses(company, 'productions/add', { products: [{ id: bare.id, amount: 1 }], status: 3 }, error)
  const both = [
    { sku: 'TABLE', amount: 1 },
    { sku: 'BARE', amount: 1 },
  ]
  await refuses(company, 'productions/add', { products: both }, error)
  const id = await make(company)
  await refuses(company, 'productions/edit', { production_id: id, products: both }, error)
})

rule('productions.use.no-components', 'an empty array specifies nothing', async () => {
  const { company } = await workshop()
  await given.product(company, { sku: 'BARE' })
  const body = { products: [{ sku: 'BARE', amount: 1 }], materials: [], resources: [] }
  await refuses(company, 'productions/add', body, 'Product with SKU "BARE" has no components')
})

rule(
  'productions.use.specified',
  'the response of get_entry can be sent back: an empty array specifies no consumption',
  async () => {
    const shop = await workshop()
    const { company, table } = shop
    await given.sale(company, { products: [{ id: table, amount: 1, total: 9 }], production: 1 })
    const { products, materials, resources } = await production(company, 1)
    await editProduction(company, 1, { products, materials, resources })
    await setProduction(company, 1, 3)
    assert.deepEqual(await onHand(shop), [96, 984, 1])
  },
)

rule('productions.use.too-much', async () => {
  const { company, board } = await workshop()
  for (const amount of [5000, 999_999_999]) {
    const components = [{ type: 'material', id: board, amount }]
    const huge = await add(company, 'products', { components })
    const reply = await company.call('productions/add', { products: [{ id: huge, amount: 999_999_999 }] })
    assert.equal(reply.status, 400, reply.text)
    assert.match(reply.body.error, /^Amount is too large for /)
  }
})

rule('productions.use.none-needed', async () => {
  const shop = await workshop()
  await given.product(shop.company, { sku: 'BARE' })
  const products = [{ sku: 'BARE', amount: 2 }]
  const id = await make(shop.company, { products, materials: [{ sku: 'BOARD', amount: 1 }], status: 3 })
  assert.deepEqual(await onHand(shop), [99, 1000, 0])
  const shown = await production(shop.company, id)
  assert.deepEqual([shown.products[0].amount, shown.products[0].cost], [2, 18.5])
  assert.deepEqual(await broken(shop.company.id), [])
})

rule('productions.record.materials', async () => {
  const { company } = await workshop()
  const lines = (await production(company, await make(company))).materials
  assert.deepEqual(
    lines.map((line: object) => Object.keys(line).sort()),
    Array(2).fill(['amount', 'cost', 'id', 'name', 'position', 'sku', 'unit']),
  )
})

rule('productions.record.resources', 'at their current price', async () => {
  const { company, hour } = await workshop()
  await edit(company, 'resources', hour, { price: 33.33 })
  const shown = await production(company, await make(company, { products: [{ sku: 'TABLE', amount: 3 }], status: 3 }))
  // 4.5 hours at 33.33 are 149.985
  assert.deepEqual(usedOf(shown.resources), [[hour, 4.5, 149.99]])
})
