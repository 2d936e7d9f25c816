// orders/ship over HTTP: parts and the rest, tracking, how lines name their items, repetition, and every refusal.

import assert from 'node:assert/strict'
import { broken, level } from '../../test/harness/database.ts'
import { type Company, given } from '../../test/harness/given.ts'
import { accepts, refuses } from '../../test/harness/record-calls.ts'
import { rule } from '../../test/harness/rule.ts'

/** Five tables and two boards are sold; ten tables are on hand. */
async function sold() {
  const company = await given.company({ materials_in_sales: true, timezone: 'UTC' })
  const table = await given.product(company, { sku: 'TABLE', alt_skus: ['T-5'] })
  const board = await given.material(company, { sku: 'BOARD' })
  await given.stock(company, { item: table.id, amount: '10', unitCost: '4', date: '2025-01-01' })
  const order_id = await given.sale(company, {
    products: [{ id: table.id, amount: 5, total: 50 }],
    materials: [{ id: board.id, amount: 2, total: 6 }],
    date_placed: '2025-02-01',
  })
  const ship = async (more: object = {}) => await accepts(company, 'orders/ship', { order_id, ...more })
  const refused = async (more: object, error: string) => {
    const before = await entry()
    await refuses(company, 'orders/ship', { order_id, ...more }, error)
    assert.deepEqual(await entry(), before)
  }
  const entry = async () =>
    (await accepts(company, 'orders/get_entry', { order_id, include: ['shipments', 'meta'] })).order
  return { company, table, board, order_id, ship, refused, entry }
}

const tables = (company: Company, table: { readonly id: number }) => level(company, table.id)

rule('orders/ship.part', async () => {
  const { company, table, ship, entry } = await sold()
  await ship({ lines: [{ id: table.id, amount: 2 }], date: '2025-02-03' })
  assert.deepEqual(await tables(company, table), { on_hand: '8.000', reserved: '3.000' })
  await ship({ lines: [{ id: table.id, amount: '0.5' }] })
  const { status, date_shipped, shipments, products } = await entry()
  const today = new Date().toISOString().slice(0, 10)
  assert.deepEqual([status, date_shipped, products[0].shipped], [2, '', 2.5])
  assert.deepEqual(
    shipments.map((one: { date: string }) => one.date),
    ['2025-02-03', today],
  )
  assert.deepEqual(await broken(company.id), [])
})

rule('orders/ship.rest', async () => {
  const { company, table, board, ship, entry } = await sold()
  await ship({ lines: [{ id: table.id, amount: 2 }], date: '2025-02-03' })
  await ship({ date: '2025-02-09' })
  const { status, date_shipped, shipments } = await entry()
  assert.deepEqual([status, date_shipped, shipments.length], [3, '2025-02-09', 2])
  assert.deepEqual(await tables(company, table), { on_hand: '5.000', reserved: '0.000' })
  assert.deepEqual(await level(company, board.id, company.materialsStorageId), { on_hand: '-2.000', reserved: '0.000' })
  assert.deepEqual(await broken(company.id), [])
})

rule('orders/ship.answer', async () => {
  const { table, ship } = await sold()
  assert.deepEqual(await ship({ lines: [{ id: table.id, amount: 2 }] }), { shipment: 1, status: 2 })
  assert.deepEqual(await ship(), { shipment: 2, status: 3 })
})

rule('orders/ship.tracking', async () => {
  const { company, table, order_id, ship, entry } = await sold()
  await ship({ lines: [{ id: table.id, amount: 2 }], tracking_number: ' 0034 ', carrier: 'DHL' })
  await ship({ lines: [{ id: table.id, amount: 1 }] })
  await ship({ tracking_number: 42 })
  const tracking = async () =>
    (await entry()).shipments.map((one: Record<string, unknown>) => [one['tracking_number'], one['carrier']])
  assert.deepEqual(await tracking(), [['0034', 'DHL'], ['', ''], ['42', '']]) // biome-ignore format: rows
  // An edit that keeps the goods keeps the shipments.
  await accepts(company, 'orders/edit', { order_id, products: [{ id: table.id, amount: 5, total: 60 }] })
  assert.deepEqual((await tracking()).slice(0, 2), [['0034', 'DHL'], ['', '']]) // biome-ignore format: rows
})

rule('orders/ship.named', async () => {
  const { company, table, board, ship, entry } = await sold()
  await accepts(company, 'products/edit', { product_id: table.id, external_id: 'shop-table' })
  const names = [{ id: table.id, sku: 'BOARD' }, { sku: 'table' }, { sku: 'T-5' }, { external_id: 'shop-table' }, { position: 0 }] // biome-ignore format: names
  for (const name of names) await ship({ lines: [{ ...name, amount: 1 }] })
  await ship({ lines: [{ sku: 'BOARD', external_id: 'none', amount: 1 }, { position: '1', amount: 1 }] }) // biome-ignore format: names
  const { status, shipments } = await entry()
  const ids = shipments.map((one: { lines: { id: number; amount: number }[] }) => one.lines.map((line) => [line.id, line.amount])) // biome-ignore format: one line
  assert.deepEqual([status, ids], [3, [...names.map(() => [[table.id, 1]]), [[board.id, 2]]]])
})

rule('orders/ship.sent-back', async () => {
  const { ship, entry } = await sold()
  const { products, materials } = await entry()
  assert.deepEqual(await ship({ lines: [...products, ...materials] }), { shipment: 1, status: 3 })
})

rule('orders/ship.by-item', async () => {
  const { company, table, order_id, ship, refused, entry } = await sold()
  await accepts(company, 'orders/edit', { order_id, products: [1, 4].map((amount) => ({ id: table.id, amount, total: 1 })) }) // biome-ignore format: one line
  await refused({ lines: [{ position: 0, amount: 3 }, { position: 1, amount: 3 }] }, 'Only 2 left to ship of product with SKU "TABLE"') // biome-ignore format: one line
  await ship({ lines: [{ position: 0, amount: 3 }, { sku: 'TABLE', amount: 1 }] }) // biome-ignore format: one line
  const { products } = await entry()
  assert.deepEqual([products[0].shipped, products[1].shipped], [1, 3])
})

rule('orders/ship.repeated', async () => {
  const { company, table, order_id, refused } = await sold()
  const send = async (body: object, key: string) =>
    await company.call('orders/ship', { order_id, ...body }, { 'idempotency-key': key })
  const part = { lines: [{ id: table.id, amount: 3 }] }
  const [first, second] = [await send(part, 'a'), await send(part, 'a')]
  assert.deepEqual([second.text, second.headers.get('idempotent-replayed')], [first.text, 'true'])
  assert.deepEqual(await tables(company, table), { on_hand: '7.000', reserved: '2.000' })
  await refused(part, 'Only 2 left to ship of product with SKU "TABLE"')
  const [rest, again] = [await send({}, 'b'), await send({}, 'b')]
  assert.deepEqual([rest.status, again.text], [200, rest.text])
  await refused({}, 'Order is already shipped')
  assert.deepEqual(await tables(company, table), { on_hand: '5.000', reserved: '0.000' })
  assert.deepEqual(await broken(company.id), [])
})

rule('orders/ship.concurrent', async () => {
  const { company, table, order_id } = await sold()
  const replies = await Promise.all(
    Array.from({ length: 8 }, () => company.call('orders/ship', { order_id, lines: [{ sku: 'TABLE', amount: 2 }] })),
  )
  const statuses = replies.map(({ status }) => status).toSorted()
  assert.deepEqual(statuses, [200, 200, 400, 400, 400, 400, 400, 400])
  const numbers = replies.flatMap(({ status, body }) => (status === 200 ? [body.shipment] : []))
  assert.deepEqual(numbers.toSorted(), [1, 2])
  assert.deepEqual(await tables(company, table), { on_hand: '6.000', reserved: '1.000' })
  assert.deepEqual(await broken(company.id), [])
})

rule('orders/ship.dry-run', async () => {
  const { company, table, order_id, entry } = await sold()
  const before = await entry()
  const reply = await company.call('orders/ship', { order_id }, { 'kontor-dry-run': 'true' })
  const { effects, ...fields } = reply.body
  assert.deepEqual(fields, { success: true, shipment: 1, status: 3, dry_run: true })
  const { on_hand, reserved } = effects.stock.find((one: { id: number }) => one.id === table.id)
  assert.deepEqual([on_hand, reserved], [[10, 5], [5, 0]]) // biome-ignore format: pairs
  assert.deepEqual(await entry(), before)
})

rule('orders/ship.version', async () => {
  const { company, order_id, ship, entry } = await sold()
  const { version } = await entry()
  const stale = await company.call('orders/ship', { order_id, version: version - 1 })
  assert.deepEqual([stale.status, stale.body.error], [409, 'The order was changed meanwhile'])
  assert.equal((await ship({ version })).status, 3)
})

rule('orders/ship.undone', async () => {
  const { company, table, order_id, ship, entry } = await sold()
  for (const status of [0, 1, 4]) {
    await accepts(company, 'orders/update_status', { order_id, status: 0 })
    await ship({ lines: [{ id: table.id, amount: 1 }], tracking_number: 'X' })
    await accepts(company, 'orders/update_status', { order_id, status })
    assert.deepEqual((await entry()).shipments, [])
  }
  await accepts(company, 'orders/update_status', { order_id, status: 0 })
  assert.deepEqual(await tables(company, table), { on_hand: '10.000', reserved: '5.000' })
  assert.deepEqual(await broken(company.id), [])
})

rule('orders/ship.error.no-order-id', async () => {
  const company = await given.company()
  for (const order_id of [undefined, null, '', ' '])
    await refuses(company, 'orders/ship', { order_id }, 'No order_id in input')
})

rule('orders/ship.error.order-not-found', async () => {
  const { company, order_id } = await sold()
  const other = await given.company()
  const text = 'Order not found or access denied'
  await refuses(other, 'orders/ship', { order_id }, text)
  for (const id of [0, -1, 999_999, 'x', {}]) await refuses(company, 'orders/ship', { order_id: id }, text)
  await accepts(company, 'orders/delete', { order_id })
  await refuses(company, 'orders/ship', { order_id }, text)
})

rule('orders/ship.error.date', async () => {
  const { refused } = await sold()
  for (const date of ['2025-02-30', '', 7]) await refused({ date }, 'Date is not a valid date in format YYYY-MM-DD')
})

rule('orders/ship.error.lines', async () => {
  const { refused } = await sold()
  await refused({ lines: {} }, 'Lines is not an array')
  await refused({ lines: [] }, 'Nothing to ship in input')
  await refused({ lines: [{ position: 0, amount: 1 }, 7] }, 'Line 1 must be an object')
  for (const name of [{}, { id: '' }, { sku: ' ' }, { external_id: '' }])
    await refused({ lines: [{ ...name, amount: 1 }] }, 'Id, sku, external_id or position not set for line 0')
  await refused({ lines: Array(5001).fill({ position: 0, amount: 0.001 }) }, 'Too many lines. Must be at most 5000')
})

rule('orders/ship.error.amount', async () => {
  const { refused } = await sold()
  await refused({ lines: [{ position: 0 }] }, 'Amount not set for line 0')
  for (const amount of [0, -1, 'x', 0.0004])
    await refused({ lines: [{ position: 0, amount }] }, 'Amount must be greater than 0 for line 0')
  await refused({ lines: [{ position: 0, amount: 1e9 }] }, 'Amount is too large for line 0')
})

rule('orders/ship.error.text', async () => {
  const { refused } = await sold()
  for (const field of ['tracking_number', 'carrier']) {
    await refused({ [field]: [] }, `Invalid ${field} value. Must be a string`)
    await refused({ [field]: 'x'.repeat(256) }, `Invalid ${field} value. Must be at most 255 characters`)
  }
})

rule('orders/ship.error.canceled', async () => {
  const { company, order_id, refused } = await sold()
  await accepts(company, 'orders/update_status', { order_id, status: 4 })
  await refused({}, 'Order is canceled')
})

rule('orders/ship.error.shipped', async () => {
  const { company, table, board, order_id, ship, refused } = await sold()
  await ship({ lines: [{ id: table.id, amount: 4 }] })
  await accepts(company, 'orders/edit', { order_id, products: [{ id: table.id, amount: 4, total: 4 }] })
  await refused({}, 'Order is already shipped')
  await accepts(company, 'orders/update_status', { order_id, status: 3 })
  await refused({}, 'Order is already shipped')
  await refused({ lines: [{ id: board.id, amount: 1 }] }, 'Order is already shipped')
})

rule('orders/ship.error.not-in-order', async () => {
  const { company, refused } = await sold()
  const other = await given.product(company, { sku: 'CHAIR' })
  for (const name of [{ id: other.id }, { sku: 'CHAIR' }, { sku: 'NONE' }, { external_id: 'x' }, { position: 2 }, { position: -1 }, { position: 'x' }]) // biome-ignore format: names
    await refused({ lines: [{ position: 0, amount: 1 }, { ...name, amount: 1 }] }, 'Line 1 names an item that is not in the order') // biome-ignore format: one line
})

rule('orders/ship.error.more-than-left', async () => {
  const { company, table, ship, refused } = await sold()
  await refused({ lines: [{ sku: 'TABLE', amount: 5.001 }] }, 'Only 5 left to ship of product with SKU "TABLE"')
  await ship({ lines: [{ sku: 'TABLE', amount: 4.5 }] })
  await refused({ lines: [{ sku: 'BOARD', amount: 1 }, { sku: 'TABLE', amount: 1 }] }, 'Only 0.5 left to ship of product with SKU "TABLE"') // biome-ignore format: one line
  assert.deepEqual(await tables(company, table), { on_hand: '5.500', reserved: '0.500' })
})
