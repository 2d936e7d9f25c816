// Stock and cost figures of an item: amounts over all storage locations, the average cost, the cost by components.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Company, given } from '../test/harness/given.ts'
import { accepts, add, edit, editChanges, entry, list } from '../test/harness/record-calls.ts'
import { rule } from '../test/harness/rule.ts'

const goods = ['materials', 'products'] as const
type Goods = (typeof goods)[number]

/** The figures of an item, in its entry and in the list; both must agree. */
async function figures(company: Company, section: Goods, id: number) {
  const { amount, reserved, available, cost } = await entry(company, section, id)
  const [listed] = await list(company, section, { ids: [id] })
  assert.deepEqual([listed.amount, listed.reserved, listed.available, listed.cost], [amount, reserved, available, cost])
  return { amount, reserved, available, cost }
}

/** An item with 5 and 2.5 in two storage locations, and a sale of 3 of it. */
async function stocked(company: Company, section: Goods) {
  const id = await add(company, section)
  const storage = await add(company, 'storages')
  await given.stock(company, { item: id, amount: '5', unitCost: '2' })
  await given.stock(company, { item: id, amount: '2.5', unitCost: '5', storage })
  const order_id = await given.sale(company, { [section]: [{ id, amount: 3, total: 30 }] })
  return { id, order_id }
}

rule('catalog.item.amount', async () => {
  const company = await given.company({ materials_in_sales: true })
  for (const section of goods) {
    assert.equal((await entry(company, section, await add(company, section))).amount, 0)
    const { id, order_id } = await stocked(company, section)
    assert.equal((await figures(company, section, id)).amount, 7.5)
    await accepts(company, 'orders/update_status', { order_id, status: 3 })
    assert.equal((await figures(company, section, id)).amount, 4.5)
    const more = await given.sale(company, { [section]: [{ id, amount: 6.125, total: 1 }] })
    await accepts(company, 'orders/update_status', { order_id: more, status: 3 })
    assert.equal((await figures(company, section, id)).amount, -1.625)
    await accepts(company, 'orders/delete', { order_id: more })
    assert.equal((await figures(company, section, id)).amount, 4.5)
  }
})

test('updated_after finds moved stock in the list of stock, not in the list of items', async () => {
  const company = await given.company()
  for (const section of goods) {
    const id = await add(company, section)
    const { updated_at: updated_after } = await entry(company, section, id)
    await given.stock(company, { item: id, amount: '5', unitCost: '2' })
    assert.deepEqual(await list(company, section, { updated_after }), [])
    const { body } = await company.call('stock/get_list', { type: section, updated_after })
    assert.deepEqual(
      body.stock.map((level: { id: number; amount: number }) => [level.id, level.amount]),
      [[id, 5]],
    )
  }
})

rule('catalog.item.reserved', async () => {
  const company = await given.company({ materials_in_sales: true })
  for (const section of goods) {
    assert.equal((await entry(company, section, await add(company, section))).reserved, 0)
    const { id, order_id } = await stocked(company, section)
    assert.equal((await figures(company, section, id)).reserved, 3)
    const storage = await add(company, 'storages')
    const elsewhere = await given.sale(company, {
      [section]: [{ id, amount: 1.5, total: 1 }],
      [`${section}_storage_id`]: storage,
    })
    assert.equal((await figures(company, section, id)).reserved, 4.5)
    await accepts(company, 'orders/update_status', { order_id, status: 3 })
    assert.equal((await figures(company, section, id)).reserved, 1.5)
    await accepts(company, 'orders/update_status', { order_id: elsewhere, status: 4 })
    assert.equal((await figures(company, section, id)).reserved, 0)
  }
})

rule('catalog.item.available', async () => {
  const company = await given.company({ materials_in_sales: true })
  for (const section of goods) {
    assert.equal((await entry(company, section, await add(company, section))).available, 0)
    const { id, order_id } = await stocked(company, section)
    assert.equal((await figures(company, section, id)).available, 4.5)
    await given.sale(company, { [section]: [{ id, amount: 5.001, total: 1 }] })
    assert.equal((await figures(company, section, id)).available, -0.501)
    await accepts(company, 'orders/update_status', { order_id, status: 3 })
    assert.equal((await figures(company, section, id)).available, -0.501)
  }
})

rule('catalog.item.cost', async () => {
  const company = await given.company({ materials_in_sales: true })
  for (const section of goods) {
    assert.equal((await entry(company, section, await add(company, section, { price: 9 }))).cost, 0)
    const { id, order_id } = await stocked(company, section)
    // 5 × 2 + 2.5 × 5 = 22.5 for 7.5.
    assert.equal((await figures(company, section, id)).cost, 3)
    await accepts(company, 'orders/update_status', { order_id, status: 3 })
    assert.equal((await figures(company, section, id)).cost, 3)
    // 4.5 × 3 + 1.5 × 1 = 15 for 6.
    await given.stock(company, { item: id, amount: '1.5', unitCost: '1' })
    assert.equal((await figures(company, section, id)).cost, 2.5)
    // 15 + 3 × 1 = 18 for 9; then 18 + 1 for 12: 1.583333…
    await given.stock(company, { item: id, amount: '3', unitCost: '1' })
    await given.stock(company, { item: id, amount: '3', unitCost: '0.333333' })
    assert.equal((await figures(company, section, id)).cost, 1.583333)
  }
})

rule('catalog.item.plan_cost', async () => {
  const company = await given.company()
  const board = await add(company, 'materials', { price: 9 })
  const glue = await add(company, 'materials', { price: 9 })
  const carpenter = await add(company, 'resources', { price: 40 })
  await given.stock(company, { item: board, amount: '10', unitCost: '12.5', storage: company.materialsStorageId })
  await given.stock(company, { item: glue, amount: '1', unitCost: '8', storage: company.materialsStorageId })
  const id = await add(company, 'products', { price: 500 })
  assert.equal((await entry(company, 'products', id)).plan_cost, 0)
  // 4 × 12.5 + 0.25 × 8 + 1.5 × 40 = 112.
  const components = [
    { type: 'material', id: board, amount: 4 },
    { type: 'material', id: glue, amount: 0.25 },
    { type: 'resource', id: carpenter, amount: 1.5 },
  ]
  await edit(company, 'products', id, { components })
  assert.equal((await entry(company, 'products', id)).plan_cost, 112)
  assert.equal((await list(company, 'products'))[0].plan_cost, 112)
  // A more expensive hour, and a receipt that changes the average of the board to (125 + 10 × 17.5) / 20 = 15: 60 + 2 + 75.
  await edit(company, 'resources', carpenter, { price: 50 })
  await given.stock(company, { item: board, amount: '10', unitCost: '17.5', storage: company.materialsStorageId })
  assert.equal((await entry(company, 'products', id)).plan_cost, 137)
  await editChanges(company, 'products', id, { components: [] }, { components: [], plan_cost: 0 })
})

rule('catalog.item.plan_cost', 'of a product made of products', async () => {
  const company = await given.company()
  const board = await add(company, 'materials')
  await given.stock(company, { item: board, amount: '10', unitCost: '3', storage: company.materialsStorageId })
  const leg = await add(company, 'products', { components: [{ type: 'material', id: board, amount: 2 }] })
  // Its average equals the cost of its components, so that both valuations agree.
  await given.stock(company, { item: leg, amount: '4', unitCost: '6' })
  const table = await add(company, 'products', {
    components: [
      { type: 'product', id: leg, amount: 4 },
      { type: 'material', id: board, amount: 1.5 },
    ],
  })
  assert.equal((await entry(company, 'products', leg)).plan_cost, 6)
  assert.equal((await entry(company, 'products', table)).plan_cost, 28.5)
})

rule('catalog.item.plan_cost', 'of many layers, each product made of both products of the layer below', async () => {
  const company = await given.company()
  const board = await add(company, 'materials')
  await given.stock(company, { item: board, amount: '1', unitCost: '1', storage: company.materialsStorageId })
  let below = [{ type: 'material', id: board, amount: 1 }]
  for (let layer = 0; layer < 24; layer++) {
    const pair = [
      await add(company, 'products', { components: below }),
      await add(company, 'products', { components: below }),
    ]
    // Its average equals the cost of its components.
    for (const item of pair) await given.stock(company, { item, amount: '1', unitCost: '1' })
    below = pair.map((id) => ({ type: 'product', id, amount: 0.5 }))
  }
  assert.equal((await entry(company, 'products', below[0]?.id ?? 0)).plan_cost, 1)
  assert.equal((await list(company, 'products', {}, 10)).length, 48)
})
