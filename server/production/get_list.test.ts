// The list of productions: its rows, order, filters and pages.

import assert from 'node:assert/strict'
import { given } from '../test/harness/given.ts'
import { accepts, refuses } from '../test/harness/record-calls.ts'
import { rule } from '../test/harness/rule.ts'
import { editProduction, make, production, workshop } from '../test/harness/workshop.ts'

type Row = { id: number; num: string }

/** The list without a limit, and the same by pages of two. */
async function list(company: Parameters<typeof make>[0], filters: object = {}): Promise<Row[]> {
  const whole = await accepts(company, 'productions/get_list', { ...filters })
  const paged: Row[] = []
  for (let offset = 0; offset < whole.total; offset += 2) {
    const page = await accepts(company, 'productions/get_list', { ...filters, limit: 2, offset })
    assert.equal(page.total, whole.total)
    paged.push(...page.productions)
  }
  assert.deepEqual(paged, whole.productions)
  return whole.productions
}

const numbers = (rows: readonly Row[]) => rows.map((row) => row.num)

async function several() {
  const shop = await workshop()
  const placed: readonly (readonly [string, string])[] = [
    ['A-10', '2026-03-02'],
    ['A-9', '2026-03-02'],
    ['B-1', '2026-03-05'],
    ['A-9', '2026-03-02'],
    ['C-1', '2026-03-01'],
  ]
  const made: number[] = []
  for (const [num, date_placed] of placed) made.push(await make(shop.company, { num, date_placed }))
  return { ...shop, made }
}

rule('productions.method.get-list', async () => {
  const { company } = await workshop()
  assert.deepEqual(await accepts(company, 'productions/get_list'), { productions: [], total: 0 })
  const order = await given.sale(company, { products: [{ sku: 'TABLE', amount: 2, total: 9 }] })
  const id = await make(company, { status: 3, order_id: order, date_planned: '2026-03-01', notes: 'x' })
  const { products, materials, resources, ...record } = await production(company, id)
  assert.deepEqual([products.length, materials.length, resources.length], [1, 2, 1])
  assert.deepEqual(await accepts(company, 'productions/get_list'), { productions: [record], total: 1 })
  const other = await workshop()
  assert.equal((await accepts(other.company, 'productions/get_list')).total, 0)
})

rule('productions.list.order', async () => {
  const { company, made } = await several()
  const rows = await list(company)
  assert.deepEqual(numbers(rows), ['B-1', 'A-9', 'A-9', 'A-10', 'C-1'])
  assert.deepEqual([rows[1]?.id, rows[2]?.id], [made[1], made[3]])
  await editProduction(company, Number(made[4]), { date_placed: '2026-04-01', num: 'A-100' })
  assert.deepEqual(numbers(await list(company)), ['A-100', 'B-1', 'A-9', 'A-9', 'A-10'])
})

rule('productions.list.days', async () => {
  const { company } = await several()
  assert.deepEqual(numbers(await list(company, { date_from: '2026-03-02' })), ['B-1', 'A-9', 'A-9', 'A-10'])
  assert.deepEqual(numbers(await list(company, { date_to: '2026-03-02' })), ['A-9', 'A-9', 'A-10', 'C-1'])
  assert.deepEqual(numbers(await list(company, { date_from: '2026-03-03', date_to: '2026-03-05' })), ['B-1'])
  assert.deepEqual(await list(company, { date_from: '2026-03-06' }), [])
})

rule('productions.list.search', async () => {
  const { company } = await several()
  assert.deepEqual(numbers(await list(company, { search: 'A-9' })), ['A-9', 'A-9'])
  assert.deepEqual(numbers(await list(company, { search: '-1' })), ['B-1', 'A-10', 'C-1'])
  assert.deepEqual(numbers(await list(company, { search: '-1', date_to: '2026-03-04' })), ['A-10', 'C-1'])
  assert.deepEqual(await list(company, { search: '%' }), [])
})

rule('productions.list.updated-after', async () => {
  const { company, made } = await several()
  const [last] = (await list(company, { ids: [made[4]] })) as { updated_at?: string }[]
  const updated_after = last?.updated_at
  assert.deepEqual(await list(company, { updated_after }), [])
  await editProduction(company, Number(made[0]), { notes: 'changed' })
  assert.deepEqual(numbers(await list(company, { updated_after })), ['A-10'])
  assert.equal((await list(company, { updated_after: '2020-01-01T00:00:00Z' })).length, 5)
})

rule('productions.list.ids', async () => {
  const { company, made } = await several()
  assert.deepEqual(numbers(await list(company, { ids: [made[2], `${made[0]}`, 987] })), ['B-1', 'A-10'])
  assert.deepEqual(await list(company, { ids: [] }), [])
})

rule('productions.list.pages', async () => {
  const { company } = await several()
  const { productions, total } = await accepts(company, 'productions/get_list', { limit: 2, offset: 3 })
  assert.deepEqual([numbers(productions), total], [['A-10', 'C-1'], 5])
  const past = await accepts(company, 'productions/get_list', { limit: 2, offset: 9 })
  assert.deepEqual(past, { productions: [], total: 5 })
  for (const limit of [0, 1001, 'x', -1, 1.5])
    await refuses(company, 'productions/get_list', { limit }, 'Invalid limit value. Must be between 1 and 1000')
  for (const offset of [-1, 'x', 1.5])
    await refuses(company, 'productions/get_list', { limit: 1, offset }, 'Invalid offset value. Must be 0 or greater')
  await refuses(company, 'productions/get_list', { offset: 1 }, 'Offset requires limit')
})
