// Undoing one shipment of a sale: the others keep their dates, and the ledger is as if it had never existed.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { broken, cost, level, query } from '../../test/harness/database.ts'
import { given } from '../../test/harness/given.ts'
import { refusal, shown } from '../../test/harness/screens.ts'

async function sold() {
  const company = await given.company({ materials_in_sales: true, timezone: 'UTC' })
  const user = await given.user(company, 'worker')
  const table = await given.product(company, { sku: 'TABLE' })
  await given.stock(company, { item: table.id, amount: '10', unitCost: '4', date: '2025-01-01' })
  const order_id = await given.sale(company, {
    products: [{ id: table.id, amount: 5, total: 50 }],
    date_placed: '2025-02-01',
  })
  const ship = (amount: number, date: string) =>
    shown(user, 'orders/ship_part', { order_id, date, lines: [{ id: table.id, amount }] })
  const undo = async (shipment: number): Promise<number> =>
    (await shown(user, 'orders/undo_shipment', { order_id, shipment })).status
  /** Shipped quantities by day. */
  const shippedRows = async () => {
    const rows = await query(
      company.id,
      `select date::text, sum(on_hand)::text as on_hand from stock_movements
       where company_id = $1 and section = 'sales' and document_id = $2 group by date
       having sum(on_hand) <> 0 or sum(value) <> 0 order by date`,
      [company.id, order_id],
    )
    return rows.map(({ date, on_hand }) => [date, on_hand])
  }
  const manager = await given.user(company, 'manager')
  const card = () => shown(manager, 'orders/get_card', { order_id })
  return { company, user, table, order_id, ship, undo, shippedRows, card }
}

test('one of several shipments is reversed on its day; the others do not change', async () => {
  const { company, table, ship, undo, shippedRows, card } = await sold()
  await ship(2, '2025-02-03')
  await ship(1, '2025-02-04')
  assert.equal(await undo(1), 2)
  assert.deepEqual(await shippedRows(), [['2025-02-04', '-1.000']])
  assert.deepEqual(await level(company, table.id), { on_hand: '9.000', reserved: '4.000' })
  const { order, shipments } = await card()
  assert.deepEqual([order.status, shipments.map((one: { shipment: number }) => one.shipment)], [2, [2]])
  assert.deepEqual(await broken(company.id), [])
  await ship(1, '2025-02-05')
  assert.deepEqual(await shippedRows(), [
    ['2025-02-04', '-1.000'],
    ['2025-02-05', '-1.000'],
  ])
})

test('after undoing the last shipment the sale is New with everything reserved, at the same costs', async () => {
  const { company, table, ship, undo, shippedRows, card } = await sold()
  const before = await cost(company, table.id)
  await ship(2, '2025-02-03')
  assert.equal(await undo(1), 0)
  assert.deepEqual(await shippedRows(), [])
  assert.deepEqual(await level(company, table.id), { on_hand: '10.000', reserved: '5.000' })
  assert.deepEqual(await cost(company, table.id), before)
  assert.equal((await card()).order.status, 0)
  assert.deepEqual(await broken(company.id), [])
})

test('the rest of a shipped sale counts as a shipment: it can be undone, and keeps its date when another one is undone', async () => {
  for (const [undone, left] of [
    [1, [['2025-02-20', '-3.000']]],
    [2, [['2025-02-03', '-2.000']]],
  ] as const) {
    const { company, user, order_id, ship, undo, shippedRows } = await sold()
    await ship(2, '2025-02-03')
    await shown(user, 'orders/update_status', { order_id, status: 3, date_shipped: '2025-02-20' })
    assert.equal(await undo(undone), 2)
    assert.deepEqual(await shippedRows(), left)
    assert.deepEqual(await broken(company.id), [])
  }
})

test('a sale shipped at once, or by its last part, can be reversed as well', async () => {
  const { company, user, order_id, ship, undo, shippedRows } = await sold()
  await shown(user, 'orders/update_status', { order_id, status: 3, date_shipped: '2025-02-20' })
  assert.equal(await undo(1), 0)
  assert.deepEqual(await shippedRows(), [])
  await ship(4, '2025-02-03')
  assert.equal((await ship(1, '2025-02-04')).status, 3)
  assert.equal(await undo(2), 2)
  assert.deepEqual(await shippedRows(), [['2025-02-03', '-4.000']])
  assert.deepEqual(await broken(company.id), [])
})

test('a shipment that does not exist cannot be undone, and nothing is written', async () => {
  const { company, user, order_id, ship, undo } = await sold()
  const path = 'orders/undo_shipment'
  assert.equal(await refusal(user, path, { order_id, shipment: 1 }), 'Shipment not found')
  await ship(2, '2025-02-03')
  for (const shipment of [2, 0, -1, 'x', 1.5])
    assert.equal(await refusal(user, path, { order_id, shipment }), 'Shipment not found')
  assert.equal(await refusal(user, path, { order_id }), 'No shipment in input')
  assert.equal(await refusal(user, path, { shipment: 1 }), 'No order_id in input')
  assert.equal(await refusal(user, path, { order_id: 999, shipment: 1 }), 'Order not found or access denied')
  assert.equal(await undo(1), 0)
  assert.equal(await refusal(user, path, { order_id, shipment: 1 }), 'Shipment not found', 'twice')
  assert.deepEqual(await broken(company.id), [])
})
