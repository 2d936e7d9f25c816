// stock/get_movements by pages and as a whole, and its errors.

import assert from 'node:assert/strict'
import { given } from '../test/harness/given.ts'
import { movementsOf } from '../test/harness/movements.ts'
import { accepts, refuses } from '../test/harness/record-calls.ts'
import { rule } from '../test/harness/rule.ts'

rule('movements.pages', async () => {
  const company = await given.company()
  const items: number[] = []
  for (let at = 0; at < 60; at++) items.push((await given.material(company)).id)
  const materials = items.map((id) => ({ id, amount: 1, total: 1 }))
  const added = await accepts(company, 'purchases/add', {
    supplier_name: 'Wood Ltd',
    materials,
    date_received: '2026-03-01',
  })
  // received and reversed repeatedly: more movements than the longest page
  for (let round = 0; round < 18; round++)
    await accepts(company, 'purchases/update_status', {
      purchase_id: added.purchase_id,
      status: round % 2 === 0 ? 3 : 0,
    })
  const whole = await movementsOf(company)
  assert.equal(whole.length, 1080)
  const paged: unknown[] = []
  while (paged.length < whole.length) {
    const page = await accepts(company, 'stock/get_movements', { limit: 1000, offset: paged.length })
    assert.equal(page.total, 1080)
    assert.equal(page.movements.length, Math.min(1000, 1080 - paged.length))
    paged.push(...page.movements)
  }
  assert.deepEqual(paged, whole)
  const some = await accepts(company, 'stock/get_movements', { id: items[7], limit: 2, offset: 17 })
  assert.deepEqual(some, { movements: whole.filter((row) => row.item_id === items[7]).slice(17), total: 18 })
  assert.deepEqual(await accepts(company, 'stock/get_movements', { limit: 5, offset: 5000 }), {
    movements: [],
    total: 1080,
  })
})

rule('movements.error.type', async () => {
  const company = await given.company()
  for (const type of ['resources', 'product', '', 1, true, []])
    await refuses(company, 'stock/get_movements', { type }, 'Invalid type value. Must be one of: products, materials')
})

rule('movements.error.date', async () => {
  const company = await given.company()
  for (const field of ['date_from', 'date_to'])
    for (const date of ['2026-02-30', 'x', '', 1, true, '2026-03-01T00:00:00Z'])
      await refuses(company, 'stock/get_movements', { [field]: date }, 'Date is not a valid date in format YYYY-MM-DD')
})

rule('movements.error.page', async () => {
  const company = await given.company()
  for (const limit of [0, 1001, 'x', ''])
    await refuses(company, 'stock/get_movements', { limit }, 'Invalid limit value. Must be between 1 and 1000')
  await refuses(company, 'stock/get_movements', { limit: 1, offset: -1 }, 'Invalid offset value. Must be 0 or greater')
  await refuses(company, 'stock/get_movements', { offset: 1 }, 'Offset requires limit')
})
