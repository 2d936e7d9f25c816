// A production and the sale it is made for: finishing, canceling and deleting on either side.

import assert from 'node:assert/strict'
import { broken, level } from '../test/harness/database.ts'
import { type Company, given } from '../test/harness/given.ts'
import { accepts, refuses } from '../test/harness/record-calls.ts'
import { rule } from '../test/harness/rule.ts'
import { accepted, entry, setStatus } from '../test/harness/sold.ts'
import {
  editProduction,
  make,
  onHand,
  production,
  setProduction,
  type Workshop,
  workshop,
} from '../test/harness/workshop.ts'

const missing = 'Production not found or access denied'
const date_done = '2026-03-10'

/** A sale of two tables that are made for it. */
async function ordered(): Promise<Workshop & { order: number; made: number }> {
  const shop = await workshop()
  const products = [{ id: shop.table, amount: 2, total: 600 }]
  const order = await given.sale(shop.company, { num: '50', products, production: 1 })
  const { productions } = await accepts(shop.company, 'productions/get_list')
  assert.equal(productions.length, 1)
  return { ...shop, order, made: productions[0].id }
}

/** The production fields of the sale. */
async function shown(company: Company, order: number) {
  const { production: mark, production_num } = await entry(company, order)
  return [mark, production_num]
}

async function link(company: Company, id: number) {
  const { status, order_id, order_num } = await production(company, id)
  return [status, order_id, order_num]
}

rule('productions.sale.finish', async () => {
  const shop = await ordered()
  const { company, order, made, table } = shop
  assert.deepEqual(await link(company, made), [0, order, 'A-50'])
  await setProduction(company, made, 3, { date_done })
  assert.deepEqual(await onHand(shop), [92, 968, 2])
  const { products, materials, resources, cost } = await production(company, made)
  // 8 boards 148, 32 screws 8, 3 hours 90
  assert.deepEqual([materials[0].cost, materials[1].cost, resources[0].cost], [148, 8, 90])
  assert.deepEqual([products[0].cost, cost], [246, 246])
  assert.deepEqual(await shown(company, order), [1, 'M-1'])
  assert.deepEqual(await level(company, table), { on_hand: '2.000', reserved: '2.000' })
  await accepted(company, 'orders/update_status', { order_id: order, status: 3, date_shipped: '2026-03-11' })
  assert.deepEqual(await onHand(shop), [92, 968, 0])
  assert.deepEqual((await entry(company, order)).products[0].cost, 246)
  assert.deepEqual(await broken(company.id), [])
})

rule('productions.sale.finish', 'at the storage locations of the sale', async () => {
  const shop = await workshop()
  const { company, board, table } = shop
  const annex = await given.storage(company, 'Annex')
  const order = await given.sale(company, {
    products: [{ id: table, amount: 1, total: 9 }],
    products_storage_id: annex.id,
    materials_storage_id: annex.id,
    production: 1,
  })
  await setProduction(company, 1, 3)
  assert.equal((await level(company, table, annex.id)).on_hand, '1.000')
  assert.equal((await level(company, board, annex.id)).on_hand, '-4.000')
  assert.equal((await production(company, 1)).order_id, order)
  assert.deepEqual(await broken(company.id), [])
})

rule('productions.sale.finish', 'a product without components, once the consumption is specified', async () => {
  const { company, board } = await workshop()
  const bare = await given.product(company, { sku: 'BARE' })
  const products = [{ id: bare.id, amount: 2 }]
  const order_id = await given.sale(company, { products: [{ id: bare.id, amount: 2, total: 9 }] })
  await refuses(company, 'productions/add', { order_id, products }, 'Order has no products with components')
  await make(company, { order_id, products, materials: [{ id: board, amount: 3 }] })
  await setProduction(company, 1, 3)
  assert.equal((await level(company, bare.id)).on_hand, '2.000')
  assert.equal((await production(company, 1)).cost, 55.5)
  assert.deepEqual(await broken(company.id), [])
})

rule('productions.sale.follows', async () => {
  const shop = await ordered()
  const { company, order, made, table } = shop
  await accepted(company, 'orders/edit', { order_id: order, products: [{ id: table, amount: 5, total: 9 }] })
  const { products, amount, lines } = await production(company, made)
  assert.deepEqual([products.length, products[0].amount, amount, lines], [1, 5, 5, 1])
  await setProduction(company, made, 3)
  assert.deepEqual(await onHand(shop), [80, 920, 5])
  // done, it does not change
  await accepted(company, 'orders/edit', { order_id: order, products: [{ id: table, amount: 9, total: 9 }] })
  assert.deepEqual(await onHand(shop), [80, 920, 5])
  assert.equal((await production(company, made)).amount, 5)
  assert.deepEqual(await broken(company.id), [])
})

rule('productions.sale.follows', 'and its cost is that of its lines', async () => {
  const { company, order, made, table } = await ordered()
  // edited in its own section: 2 tables have a value of 246
  await editProduction(company, made, { products: [{ id: table, amount: 2 }] })
  await accepted(company, 'orders/edit', { order_id: order, products: [{ id: table, amount: 5, total: 9 }] })
  const { cost, products, materials, resources } = await production(company, made)
  const sum = (lines: readonly { cost: number }[]) => lines.reduce((all, line) => all + line.cost, 0)
  assert.equal(products[0].amount, 5)
  assert.equal(sum(materials) + sum(resources), cost, 'the cost is the sum of the consumed items')
  assert.equal(sum(products), cost, 'and of the lines')
})

rule('productions.sale.link', async () => {
  const shop = await workshop()
  const { company, table } = shop
  const order = await given.sale(company, { num: '51', products: [{ id: table, amount: 1, total: 9 }] })
  assert.deepEqual(await shown(company, order), [0, null])
  const id = await make(company, { num: 'OWN', order_id: order })
  assert.deepEqual(await shown(company, order), [1, 'OWN'])
  assert.deepEqual(await link(company, id), [0, order, 'A-51'])
  await setProduction(company, id, 3)
  assert.deepEqual(await shown(company, order), [1, 'OWN'])
  assert.deepEqual(await broken(company.id), [])
})

rule('productions.sale.link', 'an edit moves it to another sale', async () => {
  const { company, order, made, table } = await ordered()
  const other = await given.sale(company, { num: '52', products: [{ id: table, amount: 2, total: 9 }] })
  await editProduction(company, made, { order_id: other })
  assert.deepEqual(await link(company, made), [0, other, 'A-52'])
  assert.equal((await shown(company, order))[1], null)
  assert.deepEqual(await shown(company, other), [1, 'M-1'])
  assert.deepEqual(await broken(company.id), [])
})

const endings = [
  [
    'turning it off',
    (company: Company, order: number) => accepted(company, 'orders/edit', { order_id: order, production: 0 }),
  ],
  ['canceling the sale', (company: Company, order: number) => setStatus(company, order, 4)],
  ['deleting the sale', (company: Company, order: number) => accepted(company, 'orders/delete', { order_id: order })],
] as const

for (const [name, end] of endings) {
  rule('productions.sale.sale-planned', name, async () => {
    const { company, order, made } = await ordered()
    await end(company, order)
    await refuses(company, 'productions/get_entry', { production_id: made }, missing)
    assert.equal((await accepts(company, 'productions/get_list')).total, 0)
    assert.deepEqual(await broken(company.id), [])
  })

  rule('productions.sale.sale-planned', `${name}, after changing back to planned`, async () => {
    const shop = await ordered()
    const { company, order, made } = shop
    for (const status of [3, 1, 0]) await setProduction(company, made, status)
    await end(company, order)
    await refuses(company, 'productions/get_entry', { production_id: made }, missing)
    assert.deepEqual(await onHand(shop), [100, 1000, 0])
    assert.deepEqual(await broken(company.id), [])
  })

  for (const [status, after] of [
    [1, [100, 1000, 0]],
    [3, [92, 968, 2]],
  ] as const)
    rule('productions.sale.sale-started', `${name}, status ${status}`, async () => {
      const shop = await ordered()
      const { company, order, made } = shop
      await setProduction(company, made, status)
      await end(company, order)
      assert.deepEqual(await link(company, made), [status, null, null])
      assert.deepEqual(await onHand(shop), after)
      assert.deepEqual(await broken(company.id), [])
      // it continues without the sale
      await setProduction(company, made, 3)
      assert.deepEqual(await onHand(shop), [92, 968, 2])
      assert.deepEqual(await broken(company.id), [])
    })
}

rule('productions.sale.cancel-production', async () => {
  const shop = await ordered()
  const { company, order, made, table } = shop
  await setProduction(company, made, 3, { date_done })
  await setStatus(company, order, 3)
  await setProduction(company, made, 4)
  assert.deepEqual(await onHand(shop), [100, 1000, -2])
  const { status, products } = await entry(company, order)
  assert.deepEqual([status, products[0].id, products[0].amount], [3, table, 2])
  assert.deepEqual(await broken(company.id), [])
  await setStatus(company, order, 4)
  assert.deepEqual(await onHand(shop), [100, 1000, 0])
  assert.deepEqual(await broken(company.id), [])
})

for (const status of [0, 1, 3])
  rule('productions.sale.delete-production', `status ${status}`, async () => {
    const shop = await ordered()
    const { company, order, made, table } = shop
    await setProduction(company, made, status)
    await accepts(company, 'productions/delete', { production_id: made })
    assert.deepEqual(await onHand(shop), [100, 1000, 0])
    assert.equal((await shown(company, order))[1], null)
    assert.deepEqual(await level(company, table), { on_hand: '0.000', reserved: '2.000' })
    assert.deepEqual(await broken(company.id), [])
    // the sale remains, and may order another production
    await accepted(company, 'orders/edit', { order_id: order, production: 1 })
    assert.deepEqual(await shown(company, order), [1, 'M-2'])
    assert.deepEqual(await broken(company.id), [])
  })
