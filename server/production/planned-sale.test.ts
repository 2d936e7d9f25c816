// A planned production ordered by a sale: its fields, and that its lines follow those of the sale.

import assert from 'node:assert/strict'
import { broken } from '../test/harness/database.ts'
import { type Company, given } from '../test/harness/given.ts'
import { accepts, add, edit, refuses } from '../test/harness/record-calls.ts'
import { rule } from '../test/harness/rule.ts'
import { accepted, entry } from '../test/harness/sold.ts'
import { editProduction, make, onHand, production, setProduction, workshop } from '../test/harness/workshop.ts'

type Line = { id: number; amount: number; cost: number }
const brief = (lines: readonly Line[]) => lines.map((line) => [line.id, line.amount, line.cost])

const order = (company: Company, products: readonly object[], more: object = {}) =>
  given.sale(company, { products, production: 1, ...more })

const resell = (company: Company, order_id: number, products: readonly object[]) =>
  accepted(company, 'orders/edit', { order_id, products })

rule('productions.sale.planned-use', async () => {
  const { company, board, screw, hour, table } = await workshop()
  const sold = await order(company, [{ id: table, amount: 2, total: 600 }])
  const alone = await make(company, { products: [{ id: table, amount: 2 }] })
  const [ordered, own] = [await production(company, 1), await production(company, alone)]
  assert.deepEqual(brief(ordered.products), [[table, 2, 246]])
  assert.deepEqual(brief(ordered.materials), [
    [board, 8, 148],
    [screw, 32, 8],
  ])
  assert.deepEqual(brief(ordered.resources), [[hour, 3, 90]])
  const { id, num, order_id, order_num, created_at, updated_at, ...rest } = ordered
  assert.deepEqual([id, num, order_id, order_num], [1, 'M-1', sold, (await entry(company, sold)).num])
  assert.deepEqual({ ...own, ...rest }, own, 'the same as a production added separately')
  const { productions } = await accepts(company, 'productions/get_list', { ids: [1] })
  assert.equal(productions[0].cost, 246)
  assert.deepEqual(await broken(company.id), [])
})

rule('productions.sale.planned-use', 'as soon as an edit of the sale orders it, and again after Canceled', async () => {
  const { company, board, table } = await workshop()
  const sold = await given.sale(company, { products: [{ id: table, amount: 2, total: 600 }] })
  await accepted(company, 'orders/edit', { order_id: sold, production: 1 })
  assert.deepEqual([(await production(company, 1)).cost, (await production(company, 1)).materials[0].id], [246, board])
  await resell(company, sold, [{ sku: 'TABLE', amount: 3, total: 9 }])
  const { cost, materials } = await production(company, 1)
  assert.deepEqual([cost, materials[0].amount], [369, 12])
  for (const status of [4, 0]) await accepted(company, 'orders/update_status', { order_id: sold, status })
  assert.deepEqual([(await production(company, 2)).cost, (await production(company, 2)).materials[0].amount], [369, 12])
  assert.deepEqual(await broken(company.id), [])
})

rule(
  'productions.sale.planned-use',
  'a specified consumption is kept when the sale changes, at current costs',
  async () => {
    const { company, board, hour, table } = await workshop()
    const sold = await order(company, [{ id: table, amount: 2, total: 600 }])
    await editProduction(company, 1, { materials: [{ id: board, amount: 5 }], resources: [{ id: hour, amount: 1 }] })
    await given.stock(company, { item: board, amount: '100', unitCost: '21.5', storage: company.materialsStorageId })
    await resell(company, sold, [{ id: table, amount: 4, total: 600 }])
    const shown = await production(company, 1)
    assert.deepEqual([brief(shown.materials), brief(shown.resources)], [[[board, 5, 100]], [[hour, 1, 30]]])
    assert.deepEqual([brief(shown.products), shown.cost], [[[table, 4, 130]], 130])
  },
)

rule('productions.sale.never-refused', async () => {
  const { company, board } = await workshop()
  const bare = await add(company, 'products', { name: 'Bare' })
  const components = [{ type: 'material', id: board, amount: 999_999_999 }]
  const huge = await add(company, 'products', { name: 'Huge', components })
  const sold = await order(company, [
    { id: bare, amount: 2, total: 9 },
    { id: huge, amount: 999_999_999, total: 9 },
  ])
  const shown = await production(company, 1)
  assert.deepEqual([brief(shown.products), shown.materials, shown.cost], [[[huge, 999_999_999, 0]], [], 0])
  // the response can be sent back, although one product of the sale has no components
  const { products, materials, resources } = shown
  await editProduction(company, 1, { products, materials, resources })
  assert.equal((await production(company, 1)).updated_at, shown.updated_at)
  await resell(company, sold, [{ id: bare, amount: 3, total: 9 }])
  assert.equal((await entry(company, sold)).production_num, null)
  assert.deepEqual(await broken(company.id), [])
})

for (const status of [1, 3])
  rule('productions.sale.back-to-planned', `from ${status}`, async () => {
    const shop = await workshop()
    const { company, table } = shop
    const sold = await order(company, [{ id: table, amount: 2, total: 600 }])
    await setProduction(company, 1, status)
    const shelf = await add(company, 'products', {
      name: 'Shelf',
      components: [{ type: 'material', sku: 'BOARD', amount: 3 }],
    })
    await resell(company, sold, [
      { id: shelf, amount: 1, total: 9 },
      { id: table, amount: 5, total: 9 },
    ])
    assert.deepEqual(brief((await production(company, 1)).products), [[table, 2, 246]])
    await setProduction(company, 1, 0)
    const shown = await production(company, 1)
    assert.deepEqual(brief(shown.products), [
      [shelf, 1, 55.5],
      [table, 5, 615],
    ])
    assert.deepEqual([shown.materials[0].amount, shown.cost], [23, 670.5])
    assert.deepEqual(await onHand(shop), [100, 1000, 0])
    assert.deepEqual(await broken(company.id), [])
  })

rule('productions.sale.nothing-to-make', async () => {
  const shop = await workshop()
  const { company, table } = shop
  const chair = await add(company, 'products', { name: 'Chair' })
  const sold = await given.sale(company, { products: [{ id: chair, amount: 1, total: 9 }] })
  const id = await make(company, { products: [{ id: table, amount: 2 }], order_id: sold, status: 3 })
  assert.equal((await entry(company, sold)).production, 1)
  await setProduction(company, id, 0)
  const { order_id, products } = await production(company, id)
  assert.deepEqual([order_id, brief(products)], [null, [[table, 2, 246]]])
  const { production: isMadeToOrder, production_num } = await entry(company, sold)
  assert.deepEqual([isMadeToOrder, production_num], [0, null])
  assert.deepEqual(await onHand(shop), [100, 1000, 0])
  assert.deepEqual(await broken(company.id), [])
})

rule('productions.sale.nothing-to-make', 'one that makes what the sale orders stays linked', async () => {
  const { company, table } = await workshop()
  const sold = await order(company, [{ id: table, amount: 2, total: 600 }])
  await setProduction(company, 1, 1)
  await edit(company, 'products', table, { components: [] })
  await setProduction(company, 1, 0)
  const { order_id, products } = await production(company, 1)
  assert.deepEqual([order_id, products[0].id], [sold, table])
  // it can be edited, but makes nothing else
  const chair = await add(company, 'products', {
    name: 'Chair',
    components: [{ type: 'material', sku: 'BOARD', amount: 1 }],
  })
  const other = { production_id: 1, products: [{ id: chair, amount: 2 }] }
  await refuses(company, 'productions/edit', other, followsSale)
  await editProduction(company, 1, { products: [{ id: table, amount: 2 }], notes: 'Oiled' })
  assert.deepEqual(await broken(company.id), [])
})

const followsSale = 'Products of a planned production are those of its order'

rule('productions.sale.own-lines', async () => {
  const { company, table } = await workshop()
  await order(company, [{ id: table, amount: 2, total: 600 }])
  const before = await production(company, 1)
  for (const products of [
    [{ id: table, amount: 3 }],
    [
      { id: table, amount: 2 },
      { id: table, amount: 1 },
    ],
    [
      { id: table, amount: 1 },
      { id: table, amount: 1 },
    ],
  ])
    await refuses(company, 'productions/edit', { production_id: 1, products }, followsSale)
  assert.deepEqual(await production(company, 1), before)
  // the same lines are not a change, and other fields may change
  await editProduction(company, 1, {
    products: [{ sku: 'TABLE', amount: '2.0' }],
    notes: 'Oiled',
    date_planned: '2026-03-20',
  })
  const { notes, date_planned, products, cost } = await production(company, 1)
  assert.deepEqual([notes, date_planned, brief(products), cost], ['Oiled', '2026-03-20', [[table, 2, 246]], 246])
  // once started, or without its sale, its lines are independent
  await setProduction(company, 1, 1)
  await editProduction(company, 1, { products: [{ id: table, amount: 3 }] })
  assert.deepEqual(brief((await production(company, 1)).products), [[table, 3, 369]])
  await setProduction(company, 1, 0)
  await editProduction(company, 1, { order_id: 0, products: [{ id: table, amount: 7 }] })
  assert.deepEqual(brief((await production(company, 1)).products), [[table, 7, 861]])
  assert.deepEqual(await broken(company.id), [])
})

rule('productions.sale.own-storages', async () => {
  const { company, table } = await workshop()
  const [annex, yard] = [await given.storage(company, 'Annex'), await given.storage(company, 'Yard')]
  const sold = await order(company, [{ id: table, amount: 2, total: 600 }])
  await editProduction(company, 1, { materials_storage_id: annex.id })
  await resell(company, sold, [{ id: table, amount: 3, total: 600 }])
  const storages = async () => {
    const shown = await production(company, 1)
    return [shown.products_storage_id, shown.materials_storage_id]
  }
  assert.deepEqual(await storages(), [company.productsStorageId, annex.id])
  await accepted(company, 'orders/edit', { order_id: sold, products_storage_id: yard.id })
  assert.deepEqual(await storages(), [yard.id, annex.id])
  await accepted(company, 'orders/edit', { order_id: sold, materials_storage_id: yard.id })
  assert.deepEqual(await storages(), [yard.id, yard.id])
})

rule('productions.sale.link', 'a planned one takes the lines of the sale', async () => {
  const { company, table } = await workshop()
  const [one, two] = [
    await given.sale(company, { products: [{ id: table, amount: 4, total: 9 }] }),
    await given.sale(company, { products: [{ id: table, amount: 5, total: 9 }] }),
  ]
  const id = await make(company, { products: [{ id: table, amount: 1 }], order_id: one })
  assert.deepEqual(brief((await production(company, id)).products), [[table, 4, 492]])
  await editProduction(company, id, { order_id: two })
  assert.deepEqual(brief((await production(company, id)).products), [[table, 5, 615]])
  const started = await make(company, { products: [{ id: table, amount: 1 }], order_id: one, status: 1 })
  assert.deepEqual(brief((await production(company, started)).products), [[table, 1, 123]])
  assert.deepEqual(await broken(company.id), [])
})

rule('productions.sale.planned-use', 'finishing uses the components at that time', async () => {
  const shop = await workshop()
  const { company, board, table } = shop
  await order(company, [{ id: table, amount: 2, total: 600 }])
  await edit(company, 'products', table, { components: [{ type: 'material', id: board, amount: 5 }] })
  assert.equal((await production(company, 1)).cost, 246)
  await setProduction(company, 1, 3)
  assert.deepEqual(await onHand(shop), [90, 1000, 2])
  assert.equal((await production(company, 1)).cost, 185)
})
