// Shipping a sale in parts: quantities, dates, what remains, and reversal.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { broken, cost, level, query } from '../../test/harness/database.ts'
import { type Company, given } from '../../test/harness/given.ts'
import { refusal, shown } from '../../test/harness/screens.ts'

/** Shipped quantities by storage location, item and day. */
async function shippedRows(company: Company, order: number): Promise<unknown[][]> {
  const rows = await query(
    company.id,
    `select storage_id::int, item_id::int, date::text, sum(on_hand)::text as on_hand from stock_movements
     where company_id = $1 and section = 'sales' and document_id = $2 group by storage_id, item_id, date
     having sum(on_hand) <> 0 or sum(value) <> 0 order by date, storage_id, item_id`,
    [company.id, order],
  )
  return rows.map((row) => [row.storage_id, row.item_id, row.date, row.on_hand])
}

async function sold(amount = 5) {
  const company = await given.company({ materials_in_sales: true, timezone: 'UTC' })
  const user = await given.user(company, 'worker')
  const table = await given.product(company, { sku: 'TABLE' })
  const board = await given.material(company, { sku: '' })
  await given.stock(company, { item: table.id, amount: '10', unitCost: '4', date: '2025-01-01' })
  const order = await given.sale(company, {
    products: [{ id: table.id, amount, total: 50 }],
    materials: [{ id: board.id, amount: 2, total: 6 }],
    date_placed: '2025-02-01',
  })
  const ship = (lines: unknown, more: object = {}) =>
    shown(user, 'orders/ship_part', { order_id: order, lines, ...more })
  const entry = async () => (await company.call('orders/get_entry', { order_id: order })).body.order
  return { company, user, table, board, order, ship, entry }
}

test('a shipment moves goods on its day, the rest stays reserved, and the sale becomes Partially shipped', async () => {
  const { company, table, board, order, ship, entry } = await sold()
  assert.deepEqual(await ship([{ id: table.id, amount: 2 }], { date: '2025-02-03' }), { success: true, status: 2 })
  assert.deepEqual(await level(company, table.id), { on_hand: '8.000', reserved: '3.000' })
  assert.deepEqual(await level(company, board.id, company.materialsStorageId), { on_hand: '0.000', reserved: '2.000' })
  await ship([{ id: table.id, amount: '1.5' }, { id: board.id, amount: 0.5 }], { date: '2025-02-05' }) // biome-ignore format: lines
  assert.deepEqual(await level(company, table.id), { on_hand: '6.500', reserved: '1.500' })
  assert.deepEqual(await shippedRows(company, order), [
    [company.productsStorageId, table.id, '2025-02-03', '-2.000'],
    [company.productsStorageId, table.id, '2025-02-05', '-1.500'],
    [company.materialsStorageId, board.id, '2025-02-05', '-0.500'],
  ])
  const { status, date_shipped, cost: costs } = await entry()
  assert.deepEqual([status, date_shipped, costs], [2, '', 20])
  assert.deepEqual(await broken(company.id), [])
})

test('when nothing remains the sale becomes Shipped, on the passed date', async () => {
  const { company, table, board, order, ship, entry } = await sold()
  await ship([{ id: table.id, amount: 5 }], { date: '2025-02-03' })
  const last = await ship([{ id: board.id, amount: 2 }], { date: '2025-02-09' })
  assert.equal(last.status, 3)
  const { status, date_shipped } = await entry()
  assert.deepEqual([status, date_shipped], [3, '2025-02-09'])
  assert.deepEqual(await shippedRows(company, order), [
    [company.productsStorageId, table.id, '2025-02-03', '-5.000'],
    [company.materialsStorageId, board.id, '2025-02-09', '-2.000'],
  ])
  assert.deepEqual(await broken(company.id), [])
})

test('without a date the goods leave today, and date_shipped is not set', async () => {
  const { company, table, board, order, ship, entry } = await sold()
  const all = [{ id: table.id, amount: 5 }, { id: board.id, amount: 2 }] // biome-ignore format: lines
  assert.equal((await ship(all)).status, 3)
  assert.equal((await entry()).date_shipped, '')
  const today = new Date().toISOString().slice(0, 10)
  assert.deepEqual(
    (await shippedRows(company, order)).map((row) => row[2]),
    [today, today],
  )
  assert.deepEqual(await broken(company.id), [])
})

test('several lines of one item are added up', async () => {
  const { company, table, ship } = await sold()
  await ship([{ id: table.id, amount: 2 }, { id: String(table.id), amount: 1 }]) // biome-ignore format: lines
  assert.deepEqual(await level(company, table.id), { on_hand: '7.000', reserved: '2.000' })
  assert.deepEqual(await broken(company.id), [])
})

for (const { about, path, body, levels } of [
  { about: 'reopening', path: 'update_status', body: { status: 0 }, levels: { on_hand: '10.000', reserved: '5.000' } },
  { about: 'packing', path: 'update_status', body: { status: 1 }, levels: { on_hand: '10.000', reserved: '5.000' } },
  { about: 'canceling', path: 'update_status', body: { status: 4 }, levels: { on_hand: '10.000', reserved: '0.000' } },
  { about: 'deleting', path: 'delete', body: {}, levels: { on_hand: '10.000', reserved: '0.000' } },
]) {
  test(`${about} reverses the shipments and their value`, async () => {
    const { company, table, order, ship } = await sold()
    const before = await cost(company, table.id)
    await ship([{ id: table.id, amount: 2 }], { date: '2025-02-03' })
    await ship([{ id: table.id, amount: 2 }], { date: '2025-02-04' })
    const reply = await company.call(`orders/${path}`, { order_id: order, ...body })
    assert.equal(reply.status, 200, reply.text)
    assert.deepEqual(await level(company, table.id), levels)
    assert.deepEqual(await cost(company, table.id), before)
    assert.deepEqual(await shippedRows(company, order), [])
    assert.deepEqual(await broken(company.id), [])
  })
}

test('shipping the rest keeps the dates of the parts', async () => {
  const { company, table, board, order, ship } = await sold()
  await ship([{ id: table.id, amount: 2 }], { date: '2025-02-03' })
  await company.call('orders/update_status', { order_id: order, status: 3, date_shipped: '2025-02-20' })
  assert.deepEqual(await shippedRows(company, order), [
    [company.productsStorageId, table.id, '2025-02-03', '-2.000'],
    [company.productsStorageId, table.id, '2025-02-20', '-3.000'],
    [company.materialsStorageId, board.id, '2025-02-20', '-2.000'],
  ])
  assert.deepEqual(await broken(company.id), [])
})

test('invalid shipments are refused with their exact texts, and nothing is written', async () => {
  const { company, user, table, board, order, ship } = await sold()
  await ship([{ id: table.id, amount: 2 }])
  const before = await level(company, table.id)
  const other = await given.product(company)
  const line = { id: table.id, amount: 1 }
  for (const [body, text] of [
    [{ lines: [line] }, 'No order_id in input'],
    [{ order_id: order, lines: [line], date: '2025-02-30' }, 'Date is not a valid date in format YYYY-MM-DD'],
    [{ order_id: order, lines: 1 }, 'Lines is not an array'],
    [{ order_id: order }, 'Nothing to ship in input'],
    [{ order_id: order, lines: [] }, 'Nothing to ship in input'],
    [{ order_id: order, lines: [line, 7] }, 'Line 1 must be an object'],
    [{ order_id: order, lines: [{ amount: 1 }] }, 'Id not set for line 0'],
    [{ order_id: order, lines: [{ id: table.id }] }, 'Amount not set for line 0'],
    [{ order_id: order, lines: [{ id: table.id, amount: 0 }] }, 'Amount must be greater than 0 for line 0'],
    [{ order_id: order, lines: [{ id: table.id, amount: '0.0004' }] }, 'Amount must be greater than 0 for line 0'],
    [{ order_id: order, lines: [{ id: table.id, amount: 'many' }] }, 'Amount must be greater than 0 for line 0'],
    [{ order_id: order, lines: [{ id: table.id, amount: 1e9 }] }, 'Amount is too large for line 0'],
    [{ order_id: 999, lines: [line] }, 'Order not found or access denied'],
    [{ order_id: order, lines: [line, { id: other.id, amount: 1 }] }, 'Line 1 names an item that is not in the order'],
    [{ order_id: order, lines: [{ id: 'x', amount: 1 }] }, 'Line 0 names an item that is not in the order'],
    [{ order_id: order, lines: [{ id: table.id, amount: 3.001 }] }, 'Only 3 left to ship of product with SKU "TABLE"'],
    [{ order_id: order, lines: [line, { ...line, amount: 2.5 }] }, 'Only 2 left to ship of product with SKU "TABLE"'],
    [{ order_id: order, lines: [{ id: board.id, amount: 3 }] }, `Only 2 left to ship of material with id ${board.id}`],
  ] as const) {
    assert.equal(await refusal(user, 'orders/ship_part', body), text, JSON.stringify(body))
  }
  assert.deepEqual(await level(company, table.id), before)
  await company.call('orders/update_status', { order_id: order, status: 3 })
  assert.equal(await refusal(user, 'orders/ship_part', { order_id: order, lines: [line] }), 'Order is already shipped')
  await company.call('orders/update_status', { order_id: order, status: 4 })
  assert.equal(await refusal(user, 'orders/ship_part', { order_id: order, lines: [line] }), 'Order is canceled')
  assert.deepEqual(await broken(company.id), [])
})

test('the public API does not have this method', async () => {
  const { company, table, order } = await sold()
  const reply = await company.call('orders/ship_part', { order_id: order, lines: [{ id: table.id, amount: 1 }] })
  assert.deepEqual([reply.status, reply.body.error], [404, 'Unknown method'])
})

test('all shipments of a sale have at most 10,000 lines', async () => {
  const { company, user, table, order, ship } = await sold(20_000)
  await query(
    company.id,
    `insert into sale_shipments (company_id, sale_id, shipment, item_id, amount, date)
     select $1, $2, n, $3, 1, '2025-02-03' from generate_series(1, 9999) n`,
    [company.id, order, table.id],
  )
  await query(company.id, 'update sales set status = 2 where company_id = $1 and id = $2', [company.id, order])
  await ship([{ id: table.id, amount: 1 }])
  assert.equal(
    await refusal(user, 'orders/ship_part', { order_id: order, lines: [{ id: table.id, amount: 1 }] }),
    'Too many lines in all parts. Must be at most 10000',
  )
})
