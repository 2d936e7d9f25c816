// The card of a sale: its lines with their stock, shipments, stock movements, requests.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { query } from '../../test/harness/database.ts'
import { given } from '../../test/harness/given.ts'
import { refusal, shown } from '../../test/harness/screens.ts'

async function shop() {
  const company = await given.company({ materials_in_sales: true, number_prefix: '' })
  const user = await given.user(company, 'manager')
  const table = await given.product(company, { sku: 'TABLE', name: 'Table' })
  const board = await given.material(company, { sku: 'BOARD', name: 'Board' })
  const card = (order_id: number) => shown(user, 'orders/get_card', { order_id })
  return { company, user, table, board, card }
}

/** A sale of two tables and some board, with one table shipped. */
async function partlyShipped() {
  const { company, user, table, board, card } = await shop()
  await given.made(company, table.id)
  await given.stock(company, { item: table.id, amount: '5', unitCost: '4', date: '2025-01-01' })
  const order_id = await given.sale(company, {
    num: '7',
    products: [{ id: table.id, amount: 2, total: 50 }],
    materials: [{ id: board.id, amount: 1.5, total: 6 }],
    date_placed: '2025-02-01',
    production: 1,
  })
  await shown(user, 'orders/ship_part', { order_id, date: '2025-02-03', lines: [{ id: table.id, amount: 1 }] })
  return { company, table, board, card, order_id }
}

test('a card contains the entry, and its lines with their stock', async () => {
  const { company, table, board, card, order_id } = await partlyShipped()
  const { order, lines } = await card(order_id)
  assert.deepEqual(order, (await company.call('orders/get_entry', { order_id })).body.order)
  assert.deepEqual(lines, [
    {
      type: 'product',
      id: table.id,
      sku: 'TABLE',
      name: 'Table',
      unit: 'pcs',
      position: 0,
      amount: 2,
      price: 25,
      total: 50,
      cost: 8,
      shipped: 1,
      left: 1,
      on_hand: 4,
      reserved: 1,
      available: 3,
      expected: 2,
      mark: 'in_stock',
    },
    {
      type: 'material',
      id: board.id,
      sku: 'BOARD',
      name: 'Board',
      unit: 'pcs',
      position: 1,
      amount: 1.5,
      price: 4,
      total: 6,
      cost: 0,
      shipped: 0,
      left: 1.5,
      on_hand: 0,
      reserved: 1.5,
      available: -1.5,
      expected: 0,
      mark: 'missing',
    },
  ])
})

test('a card contains the shipments and productions of the sale, its stock movements and its requests', async () => {
  const { company, table, board, card, order_id } = await partlyShipped()
  const { seq, shipments, productions, effect, skipped, requests } = await card(order_id)
  assert.deepEqual(shipments, [
    { shipment: 1, date: '2025-02-03', lines: [{ id: table.id, sku: 'TABLE', name: 'Table', amount: 1, unit: 'pcs' }] },
  ])
  assert.deepEqual(productions, [{ id: 1, num: 'M-1', status: 0 }])
  const changes = effect.map((row: Record<string, unknown>) => [
    row['date'],
    row['item_id'],
    row['on_hand'],
    row['reserved'],
  ])
  assert.deepEqual(changes, [
    ['2025-02-01', table.id, 0, 2],
    ['2025-02-01', board.id, 0, 1.5],
    ['2025-02-03', table.id, -1, -1],
  ])
  assert.equal(effect[0].storage_name, 'Finished goods')
  assert.equal(skipped, null)
  assert.deepEqual(
    requests.map((one: { method: string; status: number }) => [one.method, one.status]),
    [
      ['orders/ship_part', 200],
      ['orders/add', 200],
    ],
  )
  assert.equal(requests[1].request_id, effect[0].request_id)
  const [clock] = await query(company.id, 'select seq::int from company_clock where company_id = $1', [company.id])
  assert.equal(seq, clock.seq)
  await given.customer(company)
  assert.equal((await card(order_id)).seq, seq, 'changes of other records are not changes of the sale')
})

test('shipments of an item on several lines fill the first line first', async () => {
  const { company, user, table, card } = await shop()
  const products = [3, 2, 1].map((amount) => ({ id: table.id, amount, total: 1 }))
  const order_id = await given.sale(company, { products })
  await shown(user, 'orders/ship_part', { order_id, lines: [{ id: table.id, amount: 4 }] })
  const { lines } = await card(order_id)
  assert.deepEqual(
    lines.map((line: { shipped: number; left: number }) => [line.shipped, line.left]),
    [
      [3, 0],
      [1, 1],
      [0, 1],
    ],
  )
  assert.deepEqual(
    lines.map((line: { mark: string | null }) => line.mark),
    [null, 'missing', 'missing'],
  )
})

test('line marks follow the allocation: stock of earlier sales does not count, expected stock does', async () => {
  const { company, table, card } = await shop()
  await given.stock(company, { item: table.id, amount: '3', unitCost: '4', date: '2025-01-01' })
  const sale = (amount: number, date_placed: string) =>
    given.sale(company, { products: [{ id: table.id, amount, total: 1 }], date_placed })
  const [first, second] = [await sale(2, '2025-02-01'), await sale(2, '2025-02-02')]
  const markOf = async (id: number) => (await card(id)).lines[0].mark
  assert.deepEqual([await markOf(first), await markOf(second)], ['in_stock', 'missing'])
  await company.call('purchases/add', { supplier_name: 'Wood', products: [{ id: table.id, amount: 1, total: 3 }] })
  assert.deepEqual([await markOf(first), await markOf(second)], ['in_stock', 'expected'])
})

for (const { about, status, expected } of [
  { about: 'shipped', status: 3, expected: [2, 0, null] },
  { about: 'canceled', status: 4, expected: [0, 0, null] },
]) {
  test(`a ${about} sale has nothing left to ship`, async () => {
    const { company, table, card } = await shop()
    const order_id = await given.sale(company, { products: [{ id: table.id, amount: 2, total: 1 }] })
    await company.call('orders/update_status', { order_id, status })
    const { lines } = await card(order_id)
    assert.deepEqual([lines[0].shipped, lines[0].left, lines[0].mark], expected)
  })
}

test('skipped lines are shown with their sentences from the notes', async () => {
  const { company, table, card } = await shop()
  const order_id = await given.sale(company, {
    products: [{ id: table.id, amount: 1, total: 1 }, { sku: 'NOPE', amount: 2, total: 9 }], // biome-ignore format: lines
    materials: [{ id: 999, amount: 1, total: 1 }],
    notes: 'Ring twice\nProduct is fragile',
  })
  assert.equal(
    (await card(order_id)).skipped,
    'Product not found: SKU "NOPE", amount 2, total 9\nMaterial not found: id 999, amount 1, total 1',
  )
})

test('an unknown sale is refused', async () => {
  const { user } = await shop()
  assert.equal(await refusal(user, 'orders/get_card', {}), 'No order_id in input')
  assert.equal(await refusal(user, 'orders/get_card', { order_id: 9 }), 'Order not found or access denied')
  assert.equal(await refusal(user, 'orders/get_card', { order_id: 'x' }), 'Order not found or access denied')
})
