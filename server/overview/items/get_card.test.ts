// The card of an item: its levels, its past stock, its sales, and its components.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { given } from '../../test/harness/given.ts'
import { refusal, shown } from '../../test/harness/screens.ts'
import { treeOf } from './tree.ts'

const day = (back: number): string => new Date(Date.now() - back * 86_400_000).toISOString().slice(0, 10)

async function shop() {
  const company = await given.company()
  const user = await given.user(company, 'manager')
  const add = async (section: string, body: object): Promise<number> => {
    const reply = await company.call(`${section}/add`, body)
    assert.equal(reply.status, 200, reply.text)
    return Number(Object.values(reply.body)[1])
  }
  const card = (item_id: number) => shown(user, 'items/get_card', { item_id })
  return { company, user, add, card }
}

test('levels by storage location, and the stock on each of the last days', async () => {
  const { company, add, card } = await shop()
  const item = await add('products', { name: 'Table' })
  const annex = await given.storage(company, 'Annex')
  await given.stock(company, { item, amount: '10', unitCost: '2', date: day(200) })
  await given.stock(company, { item, amount: '4', unitCost: '9', date: day(89), storage: annex.id })
  await company.call('writeoffs/add', { products: [{ id: item, amount: 3 }], date: day(5) })
  await given.sale(company, { products: [{ id: item, amount: 1, total: 9 }], date_placed: day(2) })
  const { levels, series } = await card(item)
  assert.deepEqual(levels, [
    {
      storage_id: annex.id,
      storage_name: 'Annex',
      amount: 4,
      reserved: 0,
      available: 4,
      in_transit: 0,
      total_cost: 16,
    },
    {
      storage_id: company.productsStorageId,
      storage_name: 'Finished goods',
      amount: 7,
      reserved: 1,
      available: 6,
      in_transit: 0,
      total_cost: 28,
    },
  ])
  assert.equal(series.length, 90)
  assert.deepEqual(series[0], { date: day(89), amount: 14 })
  assert.deepEqual(series.at(-1), { date: day(0), amount: 11 })
  const amounts = new Map(series.map((one: { date: string; amount: number }) => [one.date, one.amount]))
  assert.deepEqual([amounts.get(day(6)), amounts.get(day(5)), amounts.get(day(1))], [14, 11, 11])
})

test('sales by week starting on Monday, without canceled sales', async () => {
  const { company, add, card } = await shop()
  const [item, other] = [await add('products', { name: 'Table' }), await add('products', { name: 'Chair' })]
  const sale = (date_placed: string, amount: number, id = item) =>
    given.sale(company, { products: [{ id, amount, total: amount * 10 }], date_placed })
  await sale(day(0), 1)
  await sale(day(0), 2)
  await sale(day(7), 5)
  await sale(day(7), 9, other)
  await sale(day(7 * 30), 50)
  const canceled = await sale(day(0), 7)
  await company.call('orders/update_status', { order_id: canceled, status: 4 })
  const { weeks } = await card(item)
  assert.equal(weeks.length, 26)
  for (const { week } of weeks) assert.equal(new Date(`${week}T00:00:00Z`).getUTCDay(), 1, `${week} is a Monday`)
  const [before, last] = weeks.slice(-2)
  assert.deepEqual([before.amount, before.total, last.amount, last.total], [5, 50, 3, 30])
  assert.ok(last.week <= day(0) && last.week > day(7))
  assert.equal(
    weeks.reduce((sum: number, one: { amount: number }) => sum + one.amount, 0),
    8,
  )
})

test('products that contain an item, and its components down to purchased items', async () => {
  const { company, add, card } = await shop()
  const board = await add('materials', { name: 'Board', sku: 'B', price: 3 })
  const hour = await add('resources', { name: 'Hour', price: 20 })
  const top = await add('products', {
    name: 'Top',
    sku: 'TOP',
    components: [
      { type: 'material', id: board, amount: 2.5 },
      { type: 'resource', id: hour, amount: 0.25 },
    ],
  })
  const table = await add('products', {
    name: 'Table',
    components: [
      { type: 'product', id: top, amount: 2 },
      { type: 'material', id: board, amount: 4 },
    ],
  })
  const leaf = { unit: 'pcs', components: [] }
  assert.deepEqual((await card(table)).tree, [
    {
      type: 'product',
      id: top,
      sku: 'TOP',
      name: 'Top',
      unit: 'pcs',
      amount: 2,
      cost: 12.5,
      total: 25,
      components: [
        { type: 'material', id: board, sku: 'B', name: 'Board', amount: 5, cost: 3, total: 15, ...leaf },
        { type: 'resource', id: hour, sku: '', name: 'Hour', amount: 0.5, cost: 20, total: 10, ...leaf },
      ],
    },
    { type: 'material', id: board, sku: 'B', name: 'Board', amount: 4, cost: 3, total: 12, ...leaf },
  ])
  const { product } = (await company.call('products/get_entry', { product_id: table })).body
  assert.equal(product.plan_cost, 37, 'the totals of the tree are the planned cost')
  const { used_in, tree, levels } = await card(board)
  assert.deepEqual(used_in, [
    { id: table, name: 'Table', amount: 4 },
    { id: top, name: 'Top', amount: 2.5 },
  ])
  assert.deepEqual([tree, levels], [[], []])
  assert.deepEqual((await card(hour)).used_in, [{ id: top, name: 'Top', amount: 0.25 }])
})

test('the planned cost is unknown when that of one component is', async () => {
  const { company, user, add, card } = await shop()
  const hour = await add('resources', { name: 'Hour' })
  const board = await add('materials', { name: 'Board', price: 3 })
  const component = (type: string, id: number) => ({ type, id, amount: 2 })
  const top = await add('products', {
    name: 'Top',
    components: [component('resource', hour), component('material', board)],
  })
  const table = await add('products', {
    name: 'Table',
    components: [component('product', top), component('material', board)],
  })
  const { tree } = await card(table)
  const costs = (nodes: { name: string; cost: number | null; total: number | null }[]) =>
    nodes.map(({ name, cost, total }) => [name, cost, total])
  assert.deepEqual(costs(tree), [
    ['Top', null, null],
    ['Board', 3, 6],
  ])
  assert.deepEqual(costs(tree[0].components), [
    ['Hour', null, null],
    ['Board', 3, 12],
  ])
  const planned = async () =>
    (await shown(user, 'products/browse')).products.map((one: { name: string; plan_cost: number | null }) => [
      one.name,
      one.plan_cost,
    ])
  assert.deepEqual(await planned(), [
    ['Table', null],
    ['Top', null],
  ])
  await company.call('resources/edit', { resource_id: hour, price: 20 })
  assert.deepEqual(await planned(), [
    ['Table', 98],
    ['Top', 46],
  ])
})

test('a tree with very many branches is truncated, and its costs are complete', () => {
  const item = (id: number) => ({ id, kind: 'product', sku: '', name: `${id}`, unit: 'pcs', cost: '1' })
  const items = Array.from({ length: 31 }, (_, id) => item(id))
  const edges = Array.from({ length: 30 }, (_, id) => [0, 1].map(() => [id, id + 1, '1'] as const)).flat()
  const tree = treeOf(0, items, edges)
  const count = (nodes: readonly { components: readonly object[] }[]): number =>
    nodes.reduce((sum, one) => sum + 1 + count(one.components as typeof nodes), 0)
  assert.equal(count(tree), 1_000)
  assert.equal(tree[0]?.cost, 2 ** 29)
})

test('a chain of any length, with quantities that multiply, gives figures of limited size', () => {
  const length = 100_000
  const items = Array.from({ length }, (_, id) => ({ id, kind: 'product', sku: '', name: '', unit: 'pcs', cost: '1' }))
  const edges = Array.from({ length: length - 1 }, (_, id) => [id, id + 1, '100000000'] as const)
  let [node] = treeOf(0, items, edges)
  let depth = 0
  for (; node !== undefined; [node] = node.components) {
    depth++
    assert.ok(
      node.amount <= 1e21 && Number(node.cost) <= 1e21 && Number(node.total) <= 1e42,
      JSON.stringify({ depth, ...node }).slice(0, 200),
    )
  }
  assert.equal(depth, 20)
})

test('an unknown item is refused', async () => {
  const { company, user, add } = await shop()
  const gone = await add('products', { name: 'Gone' })
  await company.call('products/delete', { product_id: gone })
  assert.equal(await refusal(user, 'items/get_card', {}), 'No item_id in input')
  assert.equal(await refusal(user, 'items/get_card', { item_id: gone }), 'Item not found or access denied')
  assert.equal(await refusal(user, 'items/get_card', { item_id: 'x' }), 'Item not found or access denied')
})
