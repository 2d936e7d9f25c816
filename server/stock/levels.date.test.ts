// stock/get_list with a date: the levels at the end of that day.

import assert from 'node:assert/strict'
import { broken } from '../test/harness/database.ts'
import { type Company, given } from '../test/harness/given.ts'
import { amounts, documents, levels, movementsOf } from '../test/harness/movements.ts'
import { accepts, add } from '../test/harness/record-calls.ts'
import { rule } from '../test/harness/rule.ts'
import { chance } from '../test/harness/seed.ts'

async function shop(): Promise<{ company: Company; item: number; home: number; other: number }> {
  const company = await given.company()
  await add(company, 'materials', { name: 'Glue', sku: 'GLUE' })
  const item = await add(company, 'products', { name: 'Table', sku: 'TABLE' })
  return { company, item, home: company.productsStorageId, other: company.materialsStorageId }
}

const on = async (company: Company, item: number, date: string) => await amounts(company, { date, ids: [item] })

rule('levels.date.end-of-day', async () => {
  const { company, item, home } = await shop()
  await documents.purchases(company, item, 10, '2026-03-02')
  await documents.orders(company, item, 3, '2026-03-04')
  assert.deepEqual(await on(company, item, '2026-03-01'), [])
  assert.deepEqual(await on(company, item, '2026-03-02'), [[item, home, 10]])
  assert.deepEqual(await on(company, item, '2026-03-03'), [[item, home, 10]])
  assert.deepEqual(await on(company, item, '2026-03-04'), [[item, home, 7]])
  assert.deepEqual(await on(company, item, '9999-12-31'), [[item, home, 7]])
})

rule('levels.date.backdated', async () => {
  const { company, item, home } = await shop()
  await documents.purchases(company, item, 10, '2026-03-05')
  await documents.writeoffs(company, item, 4, '2026-03-02')
  assert.deepEqual(await on(company, item, '2026-03-01'), [])
  assert.deepEqual(await on(company, item, '2026-03-04'), [[item, home, -4]])
  assert.deepEqual(await on(company, item, '2026-03-05'), [[item, home, 6]])
})

rule('levels.date.undone', async () => {
  const { company, item } = await shop()
  await documents.purchases(company, item, 10, '2026-03-01')
  const days = ['2026-02-28', '2026-03-01', '2026-03-03', '2026-03-09']
  const all = () => Promise.all(days.map((date) => on(company, item, date)))
  const before = await all()
  const order = await documents.orders(company, item, 3, '2026-03-02')
  const made = await documents.productions(company, item, 5, '2026-03-03')
  const moved = await documents.transfers(company, item, 5, '2026-03-03')
  assert.notDeepEqual(await all(), before)
  await accepts(company, 'orders/update_status', { order_id: order, status: 4 })
  await accepts(company, 'productions/update_status', { production_id: made, status: 0 })
  await accepts(company, 'transfers/delete', { transfer_id: moved })
  assert.deepEqual(await all(), before)
})

rule('levels.date.all-sections', async () => {
  const { company, item, home, other } = await shop()
  await documents.purchases(company, item, 10, '2026-03-01')
  await documents.writeoffs(company, item, 1, '2026-03-02')
  await documents.productions(company, item, 5, '2026-03-03')
  await documents.orders(company, item, 2, '2026-03-04')
  await documents.audits(company, item, 20, '2026-03-05')
  await documents.transfers(company, item, 6, '2026-03-06')
  const amountOn = async (date: string) => (await on(company, item, date)).find((row) => row[1] === home)?.[2]
  const days = ['2026-03-01', '2026-03-02', '2026-03-03', '2026-03-04', '2026-03-05', '2026-03-06']
  assert.deepEqual(await Promise.all(days.map(amountOn)), [10, 9, 14, 12, 20, 14])
  assert.deepEqual((await on(company, item, '2026-03-06')).find((row) => row[1] === other)?.[2], 6)
  assert.deepEqual(await broken(company.id), [])
})

rule('levels.date.filters-too', async () => {
  const { company, item, home, other } = await shop()
  await documents.purchases(company, item, 10, '2026-03-01')
  await documents.transfers(company, item, 10, '2026-03-02')
  const date = '2026-03-01'
  assert.deepEqual(await amounts(company, { date, only: 'positive', storage_id: home }), [[item, home, 10]])
  assert.deepEqual(await amounts(company, { date, only: 'positive', storage_id: other }), [])
  assert.deepEqual(await amounts(company, { date: '2026-03-02', only: 'positive' }), [[item, other, 10]])
  const page = await accepts(company, 'stock/get_list', { date, only: 'positive', limit: 1 })
  assert.deepEqual([page.stock.length, page.stock[0].amount, page.total], [1, 10, 1])
})

const dayOf = (n: number) => `2026-03-${String(n + 1).padStart(2, '0')}`

rule(
  'levels.date.end-of-day',
  'in a random history every day is the sum of the movements up to it',
  async (context) => {
    const random = chance()
    context.diagnostic(`SEED=${random.seed}`)
    const { company, item } = await shop()
    const items = [item, await add(company, 'products', { name: 'Chair' })]
    const sections = Object.keys(documents) as (keyof typeof documents)[]
    const made: { section: string; field: string; id: number }[] = []
    for (let step = 0; step < 40; step++) {
      const old = random.below(4) === 0 ? made.splice(random.below(made.length), 1)[0] : undefined
      if (old !== undefined) {
        await accepts(company, `${old.section}/delete`, { [old.field]: old.id })
        continue
      }
      const section = random.pick(sections)
      const id = await documents[section](company, random.pick(items), 1 + random.below(9), dayOf(random.below(28)))
      made.push({ section, field: `${section.replace(/s$/, '')}_id`, id })
    }
    const moved = (await movementsOf(company)) as {
      date: string
      item_id: number
      storage_id: number
      change: number
    }[]
    const sorted = (rows: readonly (readonly number[])[]) => rows.map(String).sort()
    for (let day = 0; day < 28; day++) {
      const sums = new Map<string, number[]>()
      for (const { date, item_id, storage_id, change } of moved) {
        const key = `${item_id} ${storage_id}`
        if (date <= dayOf(day)) sums.set(key, [item_id, storage_id, (sums.get(key)?.[2] ?? 0) + change])
      }
      const expected = [...sums.values()].filter((row) => row[2] !== 0)
      assert.deepEqual(sorted(await amounts(company, { date: dayOf(day) })), sorted(expected), dayOf(day))
    }
    const now = (rows: Awaited<ReturnType<typeof levels>>) =>
      sorted(rows.filter((row) => row.amount !== 0).map((row) => [row.id, row.storage_id, row.amount]))
    assert.deepEqual(now(await levels(company)), now(await levels(company, { date: '9999-12-31' })))
    assert.deepEqual(await broken(company.id), [])
  },
)
