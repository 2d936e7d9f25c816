// Undoing one receipt of a purchase: the others keep their dates, and the ledger is as if it had never existed.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { broken, cost, level } from '../test/harness/database.ts'
import { standing } from '../test/harness/document-calls.ts'
import { given } from '../test/harness/given.ts'
import { refusal, shown } from '../test/harness/screens.ts'

async function bought() {
  const company = await given.company()
  const user = await given.user(company, 'worker')
  const table = await given.product(company, { sku: 'TABLE', name: 'Table' })
  const reply = await company.call('purchases/add', {
    supplier_name: 'Wood',
    products: [{ id: table.id, amount: 3, total: 50 }],
    date_placed: '2025-02-01',
  })
  const purchase_id: number = reply.body.purchase_id
  const receive = (amount: number, date: string) =>
    shown(user, 'purchases/receive_part', { purchase_id, date, lines: [{ id: table.id, amount }] })
  const undo = async (receipt: number): Promise<number> =>
    (await shown(user, 'purchases/undo_receipt', { purchase_id, receipt })).status
  /** Received quantities by day. */
  const come = async () => (await standing(company, 'purchases', purchase_id)).map(([, , day, amount]) => [day, amount])
  return { company, user, table, purchase_id, receive, undo, come }
}

test('one of several receipts is reversed on its day, and the total cost does not change', async () => {
  const { company, table, receive, undo, come } = await bought()
  await receive(1, '2025-02-03')
  await receive(1, '2025-02-04')
  assert.equal(await undo(1), 2)
  assert.deepEqual(await come(), [['2025-02-04', '1.000']])
  assert.deepEqual(await level(company, table.id), { on_hand: '1.000', reserved: '0.000' })
  assert.deepEqual(await broken(company.id), [])
  assert.equal((await receive(2, '2025-02-06')).status, 3)
  assert.equal((await cost(company, table.id)).value, '50.000000')
  assert.deepEqual(await broken(company.id), [])
})

test('after undoing the last receipt the purchase is Ordered and nothing is in stock', async () => {
  const { company, table, purchase_id, receive, undo, come } = await bought()
  await receive(2, '2025-02-03')
  assert.equal(await undo(1), 1)
  assert.deepEqual(await come(), [])
  assert.deepEqual(await level(company, table.id), { on_hand: '0.000', reserved: '0.000' })
  const { body } = await company.call('purchases/get_entry', { purchase_id })
  assert.equal(body.purchase.status, 1)
  assert.deepEqual(await broken(company.id), [])
})

test('the rest of a received purchase counts as a receipt: it can be undone, and keeps its date when another one is undone', async () => {
  for (const [undone, left] of [
    [1, [['2025-02-20', '2.000']]],
    [2, [['2025-02-03', '1.000']]],
  ] as const) {
    const { company, user, purchase_id, receive, undo, come } = await bought()
    await receive(1, '2025-02-03')
    await shown(user, 'purchases/update_status', { purchase_id, status: 3, date_received: '2025-02-20' })
    assert.equal(await undo(undone), 2)
    assert.deepEqual(await come(), left)
    assert.deepEqual(await broken(company.id), [])
  }
})

test('a receipt that does not exist cannot be undone, and nothing is written', async () => {
  const { company, user, purchase_id, receive, undo } = await bought()
  const path = 'purchases/undo_receipt'
  assert.equal(await refusal(user, path, { purchase_id, receipt: 1 }), 'Receipt not found')
  await receive(1, '2025-02-03')
  assert.equal(await refusal(user, path, { purchase_id, receipt: 2 }), 'Receipt not found')
  assert.equal(await refusal(user, path, { purchase_id }), 'No receipt in input')
  assert.equal(await refusal(user, path, { receipt: 1 }), 'No purchase_id in input')
  assert.equal(await refusal(user, path, { purchase_id: 999, receipt: 1 }), 'Purchase not found or access denied')
  assert.equal(await undo(1), 1)
  assert.deepEqual(await broken(company.id), [])
})
