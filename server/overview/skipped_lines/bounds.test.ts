// How many documents one assignment changes.

import assert from 'node:assert/strict'
import { level, query } from '../../test/harness/database.ts'
import { rule } from '../../test/harness/rule.ts'
import { refusal, shown } from '../../test/harness/screens.ts'
import { add, known, listed, mug, shop } from '../../test/harness/skipped-lines.ts'

rule('skipped_lines.assign.bound', async () => {
  const { company, cup, user } = await shop()
  await add(company)
  // Copies of the sale with all that belongs to it.
  for (const [table, key, columns] of [
    [
      'sales',
      'id',
      'num, num_key, status, payment, date_placed, subtotal, delivery_price, discount, total, cost, amount, lines, production, notes, products_storage_id, materials_storage_id, customer_id, source, created_at, updated_at',
    ],
    ['sale_lines', 'sale_id', 'position, item_id, amount, total, cost, exact_cost'],
    ['sale_skipped_lines', 'sale_id', 'position, kind, named_by, code, code_key, connection_id, amount, total'],
  ] as const)
    await query(
      company.id,
      `insert into ${table} (company_id, ${key}, ${columns}) select company_id, n, ${columns} from ${table}, generate_series(2, 507) n where company_id = $1 and ${key} = 1`,
      [company.id],
    )
  const answer = await shown(user, 'skipped_lines/assign', { ...mug, item_id: cup.id })
  assert.deepEqual([answer.documents, answer.remaining], [500, 7])
  assert.deepEqual(
    (await listed(user))[0].documents.map((one: { id: number }) => one.id),
    [507, 506, 505, 504, 503, 502, 501],
  )
  assert.deepEqual(await level(company, cup.id), { on_hand: '0.000', reserved: '1000.000' })
  assert.equal((await shown(user, 'skipped_lines/undo', { step: answer.step })).documents, 500)
  assert.equal((await listed(user))[0].documents_count, 507)
  assert.deepEqual(await level(company, cup.id), { on_hand: '0.000', reserved: '0.000' })
  assert.equal((await shown(user, 'skipped_lines/assign', { ...mug, item_id: cup.id })).remaining, 7)
  assert.deepEqual((await shown(user, 'skipped_lines/assign', { ...mug, item_id: cup.id })).documents, 7)
})

rule('skipped_lines.assign.bound', 'sales with many lines are changed in several steps', async () => {
  const { company, cup, user } = await shop()
  const products = [...Array<object>(2_400).fill(known), { sku: 'MUG', amount: 1, total: 1 }]
  for (let sales = 0; sales < 3; sales++) await add(company, { products })
  const assign = () => shown(user, 'skipped_lines/assign', { ...mug, item_id: cup.id })
  const [first, second] = [await assign(), await assign()]
  assert.deepEqual([first.documents, first.remaining, second.documents, second.remaining], [2, 1, 1, 0])
})

rule('skipped_lines.assign.bound', 'a document without room for the lines is left out', async () => {
  const { company, cup, user } = await shop()
  const unknown = { sku: 'MUG', amount: 1, total: 1 }
  const full = await add(company, { products: [...Array<object>(4_999).fill(known), unknown] })
  // The line that makes it full was added by hand.
  await query(company.id, 'update sales set lines = 5000 where company_id = $1 and id = $2', [company.id, full])
  const assign = { ...mug, item_id: cup.id }
  assert.equal(await refusal(user, 'skipped_lines/assign', assign), 'Too many lines. Must be at most 5000')
  await add(company)
  const answer = await shown(user, 'skipped_lines/assign', assign)
  assert.deepEqual([answer.documents, answer.remaining], [1, 0])
})
