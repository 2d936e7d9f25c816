// stock/get_movements: the filters common to all lists.

import assert from 'node:assert/strict'
import { type Company, given } from '../test/harness/given.ts'
import { documents, movementsOf } from '../test/harness/movements.ts'
import { accepts, add, refuses } from '../test/harness/record-calls.ts'
import { rule } from '../test/harness/rule.ts'

async function shop() {
  const company = await given.company()
  const glue = await add(company, 'materials', { name: 'Glue', sku: 'GLUE' })
  const table = await add(company, 'products', {
    name: 'Oak Table',
    sku: 'TB-1',
    alt_skus: ['WEB/77'],
    barcodes: ['4006381'],
  })
  const chair = await add(company, 'products', { name: 'Chair' })
  return { company, glue, table, chair }
}

const found = async (company: Company, filters: object) =>
  (await movementsOf(company, filters)).map((row) => [row.document.num, row.item_id])

rule('movements.filter.search', async () => {
  const { company, table, chair, glue } = await shop()
  await documents.purchases(company, table, 3, '2026-03-01')
  await documents.writeoffs(company, chair, 1, '2026-03-02')
  for (const search of ['oak', 'tb-1', 'web/', '006381'])
    assert.deepEqual(await found(company, { search }), [['P-1', table]], search)
  // by the number of the document, of every section
  await documents.orders(company, table, 1, '2026-03-03')
  await documents.transfers(company, table, 1, '2026-03-04')
  await documents.audits(company, chair, 7, '2026-03-05')
  await documents.productions(company, chair, 2, '2026-03-06')
  for (const [search, expected] of [
    ['p-1', [['P-1', table]]],
    ['W-', [['W-1', chair]]],
    ['a-1', [['A-1', table]]],
    [
      't-1',
      [
        ['T-1', table],
        ['T-1', table],
      ],
    ],
    ['i-1', [['I-1', chair]]],
    [
      'M-1',
      [
        ['M-1', chair],
        ['M-1', glue],
      ],
    ],
    ['%', []],
    ['P-2', []],
  ] as const)
    assert.deepEqual(await found(company, { search }), expected, search)
  const page = await accepts(company, 'stock/get_movements', { search: 'm-1', limit: 1, offset: 1 })
  assert.deepEqual([page.total, page.movements.length], [2, 1])
})

rule('movements.filter.updated-after', async () => {
  const { company, table } = await shop()
  await documents.purchases(company, table, 3, '2026-03-01')
  const [first] = await movementsOf(company)
  assert.deepEqual(await found(company, { updated_after: first.recorded_at }), [])
  await documents.writeoffs(company, table, 1, '2020-01-01')
  assert.deepEqual(await found(company, { updated_after: first.recorded_at }), [['W-1', table]])
  assert.equal((await found(company, { updated_after: '2020-01-01T00:00:00Z' })).length, 2)
  assert.deepEqual(await found(company, { updated_after: '2999-01-01T00:00:00Z' }), [])
})

rule('movements.filter.ids', async () => {
  const { company, table, chair, glue } = await shop()
  for (const item of [table, chair]) await documents.purchases(company, item, 3, '2026-03-01')
  await documents.productions(company, chair, 1, '2026-03-02')
  assert.deepEqual(await found(company, { ids: [table, `${glue}`, 987] }), [
    ['M-1', glue],
    ['P-1', table],
  ])
  assert.deepEqual(await found(company, { ids: [] }), [])
  assert.deepEqual(await found(company, { ids: [table, chair], id: chair, search: 'p-' }), [['P-2', chair]])
})

rule('movements.error.ids', async () => {
  const company = await given.company()
  for (const ids of [1, '1', {}, true]) await refuses(company, 'stock/get_movements', { ids }, 'Ids is not an array')
})

rule('movements.error.updated-after', async () => {
  const company = await given.company()
  const error = 'Invalid updated_after value. Must be a time in ISO 8601'
  for (const updated_after of ['yesterday', '2026-03-01', '', 1])
    await refuses(company, 'stock/get_movements', { updated_after }, error)
})
