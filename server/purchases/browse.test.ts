// Purchases in the screens: the list, and the card of one.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Company, given } from '../test/harness/given.ts'
import { refusal, shown } from '../test/harness/screens.ts'

async function add(company: Company, body: object): Promise<number> {
  const reply = await company.call('purchases/add', body)
  assert.equal(reply.status, 200, reply.text)
  return reply.body.purchase_id
}

test('rows with number, supplier, dates and money; cuts, filters and sums', async () => {
  const company = await given.company()
  const user = await given.user(company, 'manager')
  const [table, chair] = [await given.product(company), await given.product(company)]
  const lines = (item: { id: number }, total: number) => [{ id: item.id, amount: 2, total }]
  const first = await add(company, {
    supplier_name: 'Wood',
    products: lines(table, 30),
    delivery_price: 5,
    date_placed: '2025-03-01',
    notes: 'By ship',
  })
  const second = await add(company, {
    supplier_name: 'Steel',
    products: lines(chair, 7),
    date_placed: '2025-03-02',
    status: 3,
  })
  const third = await add(company, {
    supplier_name: 'Wood',
    products: lines(chair, 1),
    date_placed: '2025-03-03',
    status: 4,
  })
  await company.call('purchases/update_payment', { purchase_id: second, status: 2 })
  const answer = await shown(user, 'purchases/browse', { cut: 'open' })
  assert.deepEqual(answer.purchases, [
    {
      id: first,
      num: 'P-1',
      status: 0,
      payment: 0,
      date_placed: '2025-03-01',
      date_received: '',
      supplier_id: 1,
      supplier_name: 'Wood',
      amount: 2,
      lines: 1,
      total: 35,
      source: 'api',
      notes: 'By ship',
    },
  ])
  assert.deepEqual(answer.totals, { total: 35 })
  assert.deepEqual(answer.counts, { open: 1, received: 1, canceled: 1, all: 3 })
  const sumOf = async (body: object) => (await shown(user, 'purchases/browse', body)).totals.total
  assert.deepEqual(
    [await sumOf({}), await sumOf({ cut: 'canceled' })],
    [42, 1],
    'canceled ones count only by themselves',
  )
  const ids = async (body: object) =>
    (await shown(user, 'purchases/browse', body)).purchases.map((row: { id: number }) => row.id)
  assert.deepEqual(await ids({}), [third, second, first], 'newest first')
  assert.deepEqual(await ids({ cut: 'received' }), [second])
  assert.deepEqual(await ids({ cut: 'canceled' }), [third])
  assert.deepEqual(await ids({ status: [0, 3] }), [second, first])
  assert.deepEqual(await ids({ payment: [2] }), [second])
  assert.deepEqual(await ids({ supplier_id: 1 }), [third, first])
  assert.deepEqual(await ids({ item_id: chair.id }), [third, second])
  assert.deepEqual(await ids({ date_from: '2025-03-02', date_to: '2025-03-02' }), [second])
  assert.deepEqual(await ids({ search: 'STEEL' }), [second])
  assert.deepEqual(await ids({ search: 'by ship' }), [first])
  assert.deepEqual(await ids({ search: 'p-3' }), [third])
  assert.deepEqual(await ids({ sort: 'supplier_name' }), [second, third, first])
})

test('a card contains the entry, the receipts and their movements', async () => {
  const company = await given.company()
  const user = await given.user(company, 'manager')
  const table = await given.product(company, { sku: 'TABLE', name: 'Table' })
  const purchase_id = await add(company, { supplier_name: 'Wood', products: [{ id: table.id, amount: 3, total: 30 }] })
  await shown(user, 'purchases/receive_part', { purchase_id, date: '2025-03-04', lines: [{ id: table.id, amount: 1 }] })
  const { purchase, receipts, effect, seq } = await shown(user, 'purchases/get_card', { purchase_id })
  assert.deepEqual(purchase, (await company.call('purchases/get_entry', { purchase_id })).body.purchase)
  assert.deepEqual(receipts, [
    { receipt: 1, date: '2025-03-04', lines: [{ id: table.id, sku: 'TABLE', name: 'Table', amount: 1, unit: 'pcs' }] },
  ])
  const [row] = effect
  assert.deepEqual([row.date, row.on_hand, row.reserved, row.storage_name], ['2025-03-04', 1, 0, 'Finished goods'])
  assert.ok(seq > 0)
  assert.equal(await refusal(user, 'purchases/get_card', { purchase_id: 99 }), 'Purchase not found or access denied')
})
