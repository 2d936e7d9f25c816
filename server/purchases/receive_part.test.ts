// Receiving a purchase in parts: quantities, dates, costs, what remains, and reversal.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { broken, cost, level, query } from '../test/harness/database.ts'
import { standing } from '../test/harness/document-calls.ts'
import { given } from '../test/harness/given.ts'
import { refusal, shown } from '../test/harness/screens.ts'

async function bought(amount = 5, more: object = {}) {
  const company = await given.company()
  const user = await given.user(company, 'worker')
  const table = await given.product(company, { sku: 'TABLE', name: 'Table' })
  const board = await given.material(company, { sku: '', name: 'Board' })
  const reply = await company.call('purchases/add', {
    supplier_name: 'Wood',
    products: [{ id: table.id, amount, total: 50 }],
    materials: [{ id: board.id, amount: 2, total: 10 }],
    date_placed: '2025-02-01',
    ...more,
  })
  assert.equal(reply.status, 200, reply.text)
  const purchase_id: number = reply.body.purchase_id
  const receive = (lines: unknown, and: object = {}) =>
    shown(user, 'purchases/receive_part', { purchase_id, lines, ...and })
  const entry = async () => (await company.call('purchases/get_entry', { purchase_id })).body.purchase
  const value = async (item: number) =>
    (
      await query(
        company.id,
        `select sum(value)::text as value from stock_movements where company_id = $1 and section = 'purchases' and document_id = $2 and item_id = $3 and kind = 'move'`,
        [company.id, purchase_id, item],
      )
    )[0].value
  return { company, user, table, board, purchase_id, receive, entry, value }
}

test('a receipt moves goods on its day at their share of the cost, and the purchase becomes Partially received', async () => {
  const { company, table, board, purchase_id, receive, entry } = await bought(5, { delivery_price: 6 })
  // 60 in lines and 6 for delivery: the tables cost 55, one of them 11.
  assert.deepEqual(await receive([{ id: table.id, amount: 2 }], { date: '2025-02-03' }), { success: true, status: 2 })
  assert.deepEqual(await level(company, table.id), { on_hand: '2.000', reserved: '0.000' })
  assert.deepEqual(await cost(company, table.id), { on_hand: '2.000', value: '22.000000', average: '11.000000' })
  await receive([{ id: table.id, amount: '1.5' }, { id: board.id, amount: 0.5 }], { date: '2025-02-05' }) // biome-ignore format: lines
  assert.deepEqual(await standing(company, 'purchases', purchase_id), [
    [company.productsStorageId, table.id, '2025-02-03', '2.000'],
    [company.productsStorageId, table.id, '2025-02-05', '1.500'],
    [company.materialsStorageId, board.id, '2025-02-05', '0.500'],
  ])
  assert.deepEqual(await cost(company, table.id), { on_hand: '3.500', value: '38.500000', average: '11.000000' })
  const { status, date_received } = await entry()
  assert.deepEqual([status, date_received], [2, ''])
  assert.deepEqual(await broken(company.id), [])
})

test('the shares of any receipts add up exactly to the cost', async () => {
  const { company, table, board, receive, value } = await bought(3, { delivery_price: 0.01 })
  for (const amount of [1, 1, 1]) await receive([{ id: table.id, amount }])
  await receive([{ id: board.id, amount: 2 }])
  assert.equal(await value(table.id), '50.010000')
  assert.equal(await value(board.id), '10.000000')
  assert.deepEqual(await broken(company.id), [])
})

test('when nothing remains the purchase becomes Received, on the passed date', async () => {
  const { company, table, board, purchase_id, receive, entry } = await bought()
  await receive([{ id: table.id, amount: 5 }], { date: '2025-02-03' })
  assert.equal((await receive([{ id: board.id, amount: 2 }], { date: '2025-02-09' })).status, 3)
  const { status, date_received } = await entry()
  assert.deepEqual([status, date_received], [3, '2025-02-09'])
  assert.deepEqual(await standing(company, 'purchases', purchase_id), [
    [company.productsStorageId, table.id, '2025-02-03', '5.000'],
    [company.materialsStorageId, board.id, '2025-02-09', '2.000'],
  ])
  assert.deepEqual(await broken(company.id), [])
})

test('receiving the rest keeps the dates of the receipts and the total cost', async () => {
  const { company, table, board, purchase_id, receive, value } = await bought()
  await receive([{ id: table.id, amount: 2 }], { date: '2025-02-03' })
  await company.call('purchases/update_status', { purchase_id, status: 3, date_received: '2025-02-20' })
  const all = [
    [company.productsStorageId, table.id, '2025-02-03', '2.000'],
    [company.productsStorageId, table.id, '2025-02-20', '3.000'],
    [company.materialsStorageId, board.id, '2025-02-20', '2.000'],
  ]
  assert.deepEqual(await standing(company, 'purchases', purchase_id), all)
  assert.equal(await value(table.id), '50.000000')
  await company.call('purchases/edit', { purchase_id, date_received: '2025-02-21' })
  assert.deepEqual(
    (await standing(company, 'purchases', purchase_id)).map((row) => row[2]),
    ['2025-02-03', '2025-02-21', '2025-02-21'],
  )
  assert.deepEqual(await broken(company.id), [])
})

for (const { about, path, body } of [
  { about: 'setting it to New', path: 'update_status', body: { status: 0 } },
  { about: 'setting it to Ordered', path: 'update_status', body: { status: 1 } },
  { about: 'canceling', path: 'update_status', body: { status: 4 } },
  { about: 'deleting', path: 'delete', body: {} },
]) {
  test(`${about} reverses the receipts and their value`, async () => {
    const { company, table, purchase_id, receive } = await bought()
    await given.stock(company, { item: table.id, amount: '1', unitCost: '3', date: '2025-01-01' })
    const before = await cost(company, table.id)
    await receive([{ id: table.id, amount: 2 }], { date: '2025-02-03' })
    await receive([{ id: table.id, amount: 1 }], { date: '2025-02-04' })
    const reply = await company.call(`purchases/${path}`, { purchase_id, ...body })
    assert.equal(reply.status, 200, reply.text)
    assert.deepEqual(await level(company, table.id), { on_hand: '1.000', reserved: '0.000' })
    assert.deepEqual(await cost(company, table.id), before)
    assert.deepEqual(await standing(company, 'purchases', purchase_id), [])
    assert.deepEqual(await broken(company.id), [])
  })
}

test('editing the lines keeps receipts up to the new quantity, at the new cost', async () => {
  const { company, table, purchase_id, receive, entry } = await bought()
  await receive([{ id: table.id, amount: 2 }], { date: '2025-02-03' })
  await receive([{ id: table.id, amount: 2 }], { date: '2025-02-05' })
  const edit = async (amount: number, total: number) => {
    const reply = await company.call('purchases/edit', { purchase_id, products: [{ id: table.id, amount, total }] })
    assert.equal(reply.status, 200, reply.text)
    assert.equal((await entry()).status, 2)
    assert.deepEqual(await broken(company.id), [])
    return (await standing(company, 'purchases', purchase_id)).map((row) => [row[2], row[3]])
  }
  assert.deepEqual(await edit(8, 16), [['2025-02-03', '2.000'], ['2025-02-05', '2.000']]) // biome-ignore format: rows
  assert.equal((await cost(company, table.id)).average, '2.000000')
  assert.deepEqual(await edit(3, 9), [['2025-02-03', '2.000'], ['2025-02-05', '1.000']]) // biome-ignore format: rows
  assert.equal((await cost(company, table.id)).value, '9.000000')
  const annex = await given.storage(company, 'Annex')
  await company.call('purchases/edit', { purchase_id, products_storage_id: annex.id })
  assert.deepEqual(await level(company, table.id, annex.id), { on_hand: '3.000', reserved: '0.000' })
  assert.deepEqual(await level(company, table.id), { on_hand: '0.000', reserved: '0.000' })
  assert.deepEqual(await broken(company.id), [])
})

test('expected stock is reduced by receipts', async () => {
  const { company, table, receive } = await bought(5)
  const user = await given.user(company, 'manager')
  const order_id = await given.sale(company, { products: [{ id: table.id, amount: 5, total: 1 }] })
  const expected = async () => (await shown(user, 'orders/get_card', { order_id })).lines[0].expected
  assert.equal(await expected(), 5)
  await receive([{ id: table.id, amount: 2 }])
  assert.equal(await expected(), 3)
})

test('invalid receipts are refused with their exact texts, and nothing is written', async () => {
  const { company, user, table, board, purchase_id, receive } = await bought()
  await receive([{ id: table.id, amount: 2 }])
  const other = await given.product(company)
  const line = { id: table.id, amount: 1 }
  for (const [body, text] of [
    [{ lines: [line] }, 'No purchase_id in input'],
    [{ purchase_id, lines: [line], date: '03.02.2025' }, 'Date is not a valid date in format YYYY-MM-DD'],
    [{ purchase_id, lines: 'all' }, 'Lines is not an array'],
    [{ purchase_id }, 'Nothing to receive in input'],
    [{ purchase_id, lines: [null] }, 'Line 0 must be an object'],
    [{ purchase_id, lines: [{ amount: 1 }] }, 'Id not set for line 0'],
    [{ purchase_id, lines: [{ id: table.id }] }, 'Amount not set for line 0'],
    [{ purchase_id, lines: [{ id: table.id, amount: -1 }] }, 'Amount must be greater than 0 for line 0'],
    [{ purchase_id, lines: [{ id: table.id, amount: '1e12' }] }, 'Amount is too large for line 0'],
    [{ purchase_id: 999, lines: [line] }, 'Purchase not found or access denied'],
    [{ purchase_id, lines: [{ id: other.id, amount: 1 }] }, 'Line 0 names an item that is not in the purchase'],
    [{ purchase_id, lines: [{ id: table.id, amount: 4 }] }, 'Only 3 left to receive of product with SKU "TABLE"'],
    [{ purchase_id, lines: [{ id: board.id, amount: 2.5 }] }, `Only 2 left to receive of material with id ${board.id}`],
  ] as const) {
    assert.equal(await refusal(user, 'purchases/receive_part', body), text, JSON.stringify(body))
  }
  assert.deepEqual(await level(company, table.id), { on_hand: '2.000', reserved: '0.000' })
  await company.call('purchases/update_status', { purchase_id, status: 3 })
  const again = { purchase_id, lines: [line] }
  assert.equal(await refusal(user, 'purchases/receive_part', again), 'Purchase is already received')
  await company.call('purchases/update_status', { purchase_id, status: 4 })
  assert.equal(await refusal(user, 'purchases/receive_part', again), 'Purchase is canceled')
})

test('the audit reports receipts without movements, and receipts of more than was bought', async () => {
  const { company, table, receive } = await bought()
  await receive([{ id: table.id, amount: 2 }], { date: '2025-02-03' })
  const names = async () => (await broken(company.id)).map(({ invariant }) => invariant)
  await query(company.id, 'update purchase_receipts set amount = 3 where company_id = $1', [company.id])
  assert.deepEqual(await names(), ['a purchase has moved exactly what its state demands'])
  await query(company.id, 'update purchase_receipts set amount = 6 where company_id = $1', [company.id])
  assert.ok((await names()).includes('only what is bought has been received'))
  await query(company.id, 'update purchase_receipts set amount = 2 where company_id = $1', [company.id])
  await query(company.id, `update purchases set date_effective = '2025-01-01' where company_id = $1`, [company.id])
  assert.deepEqual(await names(), ['a purchase has a date of receipt exactly while it is received'])
})
