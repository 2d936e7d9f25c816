// Skipped lines of purchases: stored, listed together with those of sales, assigned, dismissed and restored.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { assertState, companyState } from '../../test/harness/company-state.ts'
import { broken, cost, level, query } from '../../test/harness/database.ts'
import type { Company } from '../../test/harness/given.ts'
import { rule } from '../../test/harness/rule.ts'
import { refusal, shown } from '../../test/harness/screens.ts'
import { add, known, listed, mug, sentence, shop } from '../../test/harness/skipped-lines.ts'

const unknown = { sku: 'MUG', amount: 2, total: 30.5 }

async function buy(company: Company, more: object = {}): Promise<number> {
  const reply = await company.call('purchases/add', { supplier_name: 'Bob', products: [known, unknown], ...more })
  assert.equal(reply.status, 200, reply.text)
  return reply.body.purchase_id
}

async function entry(company: Company, purchase_id: number) {
  const { purchase } = (await company.call('purchases/get_entry', { purchase_id })).body
  const lines = [...purchase.products, ...purchase.materials]
  return {
    lines: lines.map((line) => [line.sku, line.amount, line.total, line.cost]),
    notes: purchase.notes,
    total: purchase.total,
  }
}

const rows = (company: Company) =>
  query(
    company.id,
    `select purchase_id::int, position, kind, named_by, code, amount::float, total::float from purchase_skipped_lines
     where company_id = $1 order by purchase_id, position`,
    [company.id],
  )

rule('skipped_lines.purchases.stored', async () => {
  const { company, user } = await shop()
  const purchase_id = await buy(company)
  const row = { purchase_id, position: 1, kind: 'product', named_by: 'sku', code: 'MUG', amount: 2, total: 30.5 }
  assert.deepEqual(await rows(company), [row])
  await company.call('purchases/edit', { purchase_id, discount: 1 })
  assert.deepEqual(await rows(company), [row])
  await company.call('purchases/edit', { purchase_id, products: [{ ...unknown, sku: 'JUG' }, known] })
  assert.deepEqual(await rows(company), [{ ...row, position: 0, code: 'JUG' }])
  await user.call('purchases/edit', { purchase_id, products: [{ ...known, amount: 5 }] })
  assert.equal((await rows(company)).length, 1)
  await user.call('purchases/edit', { purchase_id, notes: '' })
  assert.deepEqual(await rows(company), [])
  const { body } = await company.call('purchases/edit', { purchase_id, products: [known, unknown] })
  assert.equal(body.skipped.length, 1)
  assert.equal((await rows(company)).length, 1)
  await company.call('purchases/delete', { purchase_id })
  assert.deepEqual(await rows(company), [])
  assert.deepEqual(await broken(company.id), [])
})

rule('skipped_lines.purchases.list', async () => {
  const { company, user } = await shop()
  const sale = await add(company)
  const purchase = await buy(company, { num: 'P-77' })
  const [group, ...others] = await listed(user)
  assert.deepEqual(others, [])
  assert.deepEqual(
    [group.documents_count, group.sales_count, group.purchases_count, group.amount, group.total],
    [2, 1, 1, 4, 61],
  )
  assert.deepEqual(
    group.documents.map((one: Record<string, unknown>) => [one['record'], one['id'], one['contact_name']]),
    [
      ['order', sale, 'Ann'],
      ['purchase', purchase, 'Bob'],
    ],
  )
})

rule('skipped_lines.purchases.assign', async () => {
  const { company, tea, cup, user } = await shop()
  await add(company)
  const plain = await buy(company, { notes: 'Ring twice', delivery_price: 4.05 })
  const part = await buy(company, { delivery_price: 4.05 })
  const again = await buy(company, { delivery_price: 8.1 })
  for (const purchase_id of [part, again])
    await user.call('purchases/receive_part', { purchase_id, lines: [{ id: tea.id, amount: 0.5 }] })
  const closed = [await buy(company, { status: 3 }), await buy(company, { status: 4 })]
  assert.equal((await entry(company, plain)).notes, `Ring twice\n${sentence}`)
  // Half of the tea at 10 and all of the delivery price, and the tea of the purchase that was received as a whole.
  assert.equal((await cost(company, tea.id)).value, '26.075000')
  const before = await companyState(company.id)
  const { step, documents, code_added } = await shown(user, 'skipped_lines/assign', { ...mug, item_id: cup.id })
  assert.deepEqual([documents, code_added], [4, true])
  assert.deepEqual(await entry(company, plain), {
    lines: [
      ['TEA', 1, 10, 11],
      ['CUP', 2, 30.5, 33.55],
    ],
    notes: 'Ring twice',
    total: 44.55,
  })
  // The delivery price is spread over both lines now, so that the received tea is worth less.
  assert.equal((await cost(company, tea.id)).value, '21.500000')
  assert.deepEqual(await level(company, cup.id), { on_hand: '0.000', reserved: '2.000' })
  for (const purchase_id of closed) assert.equal((await entry(company, purchase_id)).notes, sentence)
  assert.equal((await listed(user, { closed: 1 }))[0].purchases_count, 2)
  assert.deepEqual(await broken(company.id), [])
  await shown(user, 'skipped_lines/undo', { step })
  await assertState(company.id, before)
  assert.deepEqual(await broken(company.id), [])
})

rule('skipped_lines.purchases.dismiss', async () => {
  const { company, user } = await shop()
  const [one, other] = [await buy(company), await buy(company)]
  const sale = await add(company)
  const before = await companyState(company.id)
  assert.equal(one, sale)
  const { step, documents } = await shown(user, 'skipped_lines/dismiss', { ...mug, purchase_id: one })
  assert.equal(documents, 1)
  assert.deepEqual(
    (await rows(company)).map((row) => row['purchase_id']),
    [other],
  )
  assert.equal((await listed(user))[0].sales_count, 1)
  assert.equal((await entry(company, one)).notes, sentence)
  assert.equal(await refusal(user, 'skipped_lines/dismiss', { ...mug, purchase_id: one }), 'Skipped line not found')
  await shown(user, 'skipped_lines/undo', { step })
  await assertState(company.id, before)
})

test('a step stops at a sale that was changed meanwhile, although its purchases were not', async () => {
  const { company, cup, user } = await shop()
  const order_id = await add(company)
  await buy(company)
  const { step } = await shown(user, 'skipped_lines/assign', { ...mug, item_id: cup.id })
  await company.call('orders/edit', { order_id, notes: 'Ring' })
  const before = await companyState(company.id)
  assert.equal((await user.call('skipped_lines/undo', { step })).status, 409)
  await assertState(company.id, before)
})
