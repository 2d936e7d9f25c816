// Write-offs, transfers and audits in the screens: lists and cards.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { given } from '../test/harness/given.ts'
import { refusal, shown } from '../test/harness/screens.ts'

async function shop() {
  const company = await given.company()
  const user = await given.user(company, 'manager')
  const annex = await given.storage(company, 'Annex')
  const [table, chair] = [await given.product(company, { name: 'Table', sku: 'T' }), await given.product(company)]
  await given.stock(company, { item: table.id, amount: '9', unitCost: '2', date: '2025-01-01' })
  const add = async (section: string, body: object): Promise<number> => {
    const reply = await company.call(`${section}/add`, body)
    assert.equal(reply.status, 200, reply.text)
    return Number(Object.values(reply.body)[1])
  }
  const ids = async (section: string, body: object) =>
    (await shown(user, `${section}/browse`, body))[section].map((row: { id: number }) => row.id)
  const main = company.productsStorageId
  return { company, user, annex: annex.id, main, table, chair, add, ids }
}

test('write-offs: rows, filters, sums and the card', async () => {
  const { company, user, annex, main, table, chair, add, ids } = await shop()
  const first = await add('writeoffs', { products: [{ id: table.id, amount: 3 }], date: '2025-02-01', notes: 'Broken' })
  const second = await add('writeoffs', {
    products: [{ id: chair.id, amount: 1 }],
    date: '2025-02-02',
    products_storage_id: annex,
  })
  const { writeoffs, totals, total } = await shown(user, 'writeoffs/browse')
  assert.deepEqual(writeoffs[1], {
    id: first,
    num: 'W-1',
    date: '2025-02-01',
    products_storage_id: main,
    products_storage_name: 'Finished goods',
    materials_storage_id: company.materialsStorageId,
    materials_storage_name: 'Materials',
    amount: 3,
    lines: 1,
    cost: 6,
    notes: 'Broken',
  })
  assert.deepEqual([total, totals], [2, { cost: 6 }])
  assert.deepEqual(await ids('writeoffs', {}), [second, first])
  assert.deepEqual(await ids('writeoffs', { storage_id: annex }), [second])
  assert.deepEqual(await ids('writeoffs', { storage_id: company.materialsStorageId }), [second, first])
  assert.deepEqual(await ids('writeoffs', { item_id: table.id }), [first])
  assert.deepEqual(await ids('writeoffs', { search: 'BROK' }), [first])
  assert.deepEqual(await ids('writeoffs', { date_from: '2025-02-02' }), [second])
  const card = await shown(user, 'writeoffs/get_card', { writeoff_id: first })
  assert.deepEqual(card.writeoff, (await company.call('writeoffs/get_entry', { writeoff_id: first })).body.writeoff)
  assert.deepEqual(
    card.effect.map((row: { on_hand: number }) => row.on_hand),
    [-3],
  )
  assert.equal(await refusal(user, 'writeoffs/get_card', { writeoff_id: 9 }), 'Write-off not found or access denied')
})

test('transfers: rows, filters and the card', async () => {
  const { company, user, annex, main, table, add, ids } = await shop()
  const between = { storage_from_id: main, storage_to_id: annex, products: [{ id: table.id, amount: 4 }] }
  const first = await add('transfers', { ...between, date: '2025-02-01', date_received: '2025-02-03' })
  const second = await add('transfers', {
    ...between,
    date: '2025-02-02',
    status: 1,
    storage_to_id: company.materialsStorageId,
  })
  const { transfers, totals } = await shown(user, 'transfers/browse', { ids: [first] })
  assert.deepEqual(transfers, [
    {
      id: first,
      num: 'T-1',
      status: 3,
      date: '2025-02-01',
      date_received: '2025-02-03',
      storage_from_id: main,
      storage_from_name: 'Finished goods',
      storage_to_id: annex,
      storage_to_name: 'Annex',
      amount: 4,
      lines: 1,
      cost: 8,
      notes: '',
    },
  ])
  assert.deepEqual(totals, { cost: 8 })
  assert.deepEqual(await ids('transfers', { status: [1] }), [second])
  assert.deepEqual(await ids('transfers', { storage_id: annex }), [first])
  assert.deepEqual(await ids('transfers', { storage_id: main }), [second, first])
  const card = await shown(user, 'transfers/get_card', { transfer_id: first })
  const moved = card.effect.map((row: Record<string, unknown>) => [row['date'], row['storage_name'], row['on_hand']])
  assert.deepEqual(moved, [
    ['2025-02-01', 'Finished goods', -4],
    ['2025-02-03', 'Annex', 4],
  ])
})

test('audits: rows, filters and the card', async () => {
  const { company, user, annex, main, table, add, ids } = await shop()
  const first = await add('audits', {
    storage_id: main,
    products: [{ id: table.id, counted: 7 }],
    date: '2025-02-01',
    status: 3,
  })
  const second = await add('audits', {
    storage_id: annex,
    products: [{ id: table.id, counted: 0 }],
    date: '2025-02-02',
  })
  const { audits } = await shown(user, 'audits/browse', { status: [3] })
  assert.deepEqual(audits, [
    {
      id: first,
      num: 'I-1',
      status: 3,
      date: '2025-02-01',
      storage_id: main,
      storage_name: 'Finished goods',
      amount: 7,
      lines: 1,
      cost: -4,
      notes: '',
    },
  ])
  assert.deepEqual(await ids('audits', { storage_id: annex }), [second])
  const card = await shown(user, 'audits/get_card', { audit_id: first })
  assert.deepEqual(card.audit, (await company.call('audits/get_entry', { audit_id: first })).body.audit)
  assert.deepEqual(
    card.effect.map((row: { on_hand: number }) => row.on_hand),
    [-2],
  )
  assert.equal(await refusal(user, 'audits/browse', { status: [1] }), 'Invalid status value. Must be one of: 0, 3, 4')
})
