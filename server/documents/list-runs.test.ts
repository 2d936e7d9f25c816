// The runs of a list stay short however documents get to a day: added, moved there by an edit, or created by a sale.

import assert from 'node:assert/strict'
import { broken, query } from '../test/harness/database.ts'
import { type Company, given } from '../test/harness/given.ts'
import { loadSales } from '../test/harness/many-sales.ts'
import { accepts } from '../test/harness/record-calls.ts'
import { rule } from '../test/harness/rule.ts'

const day = '2024-03-05'
const many = 2_000

/** The runs of a list on the day: the number of documents in each. */
const runsOf = async (company: Company, list: string): Promise<number[]> =>
  (
    await query(
      company.id,
      `select entries::int from list_runs where company_id = $1 and list = $2 and listed = date '9999-12-31' - $3::date order by from_key, from_id`,
      [company.id, list, day],
    )
  ).map((row) => row.entries)

/** One single run, as it would be if all documents had been moved to the day one by one without splitting. */
async function unsplit(company: Company, list: string): Promise<void> {
  const runs = await runsOf(company, list)
  const entries = runs.reduce((sum, one) => sum + one, 0)
  await query(company.id, 'delete from list_runs where company_id = $1 and list = $2', [company.id, list])
  await query(
    company.id,
    `insert into list_runs (company_id, list, listed, from_key, from_id, entries) values ($1, $2, date '9999-12-31' - $3::date, '', 0, $4)`,
    [company.id, list, day, entries],
  )
}

const numbers = async (company: Company, section: string, field = 'num'): Promise<unknown[]> => {
  const { [section]: records } = await accepts(company, `${section}/get_list`, { limit: 1000, offset: many / 2 - 400 })
  return records.map((one: Record<string, unknown>) => one[field])
}

rule('documents.list.runs', 'of sales', async () => {
  const company = await loadSales({ sales: many, days: 1, lastDay: day })
  const product = await given.product(company)
  const order_id = await given.sale(company, {
    products: [{ id: product.id, amount: 1, total: 1 }],
    date_placed: '2024-01-01',
  })
  await query(company.id, `delete from list_runs where company_id = $1 and list = 'sales'`, [company.id])
  await query(
    company.id,
    `insert into list_runs (company_id, list, listed, from_key, from_id, entries)
     select $1, 'sales', s.listed, '', 0, count(*) from sales s where s.company_id = $1 group by s.listed`,
    [company.id],
  )
  assert.deepEqual(await runsOf(company, 'sales'), [many])
  const before = await numbers(company, 'orders')
  await accepts(company, 'orders/edit', { order_id, notes: 'Nothing moves' })
  assert.deepEqual(await runsOf(company, 'sales'), [many])
  await accepts(company, 'orders/edit', { order_id, num: 'ZZZ', date_placed: day })
  assert.deepEqual(await runsOf(company, 'sales'), [many / 2, many / 2 + 1])
  assert.deepEqual(await numbers(company, 'orders'), before)
  assert.deepEqual(await broken(company.id), [])
  // a new number on the same day
  await unsplit(company, 'sales')
  await accepts(company, 'orders/edit', { order_id, num: '0' })
  assert.deepEqual(await runsOf(company, 'sales'), [many / 2 + 1, many / 2])
  assert.deepEqual(await broken(company.id), [])
})

rule('documents.list.runs', 'of productions: added, moved, and created by a sale', async () => {
  const company = await given.company()
  const { id: product } = await given.product(company)
  const { id: material } = await given.material(company)
  await given.made(company, product)
  const body = { products: [{ id: product, amount: 1 }], materials: [{ id: material, amount: 1 }] }
  const { production_id } = await accepts(company, 'productions/add', {
    ...body,
    date_placed: '2024-01-01',
    num: 'ZZZ',
  })
  await query(
    company.id,
    `with made as (
       insert into productions (company_id, id, num, num_key, status, date_placed, products_storage_id, materials_storage_id, source, created_at, updated_at)
       select $1, 100 + n.i, 'N' || n.i, 'N' || length(n.i::text) || n.i, 0, $2, $3, $4, 'api', now(), now() from generate_series(1, ${many}) n (i)),
     counted as (
       insert into list_runs (company_id, list, listed, from_key, from_id, entries) values ($1, 'productions', date '9999-12-31' - $2::date, '', 0, ${many})),
     recorded as (
       insert into events (company_id, seq, at, method, source, request_id, record, record_id, change)
       select $1, k.seq + n.i, k.at, 'productions/add', 'api', 'made', 'production', 100 + n.i, '{}'
       from company_clock k cross join generate_series(1, ${many}) n (i) where k.company_id = $1)
     update company_clock set last_production_id = 100 + ${many}, seq = seq + ${many} where company_id = $1`,
    [company.id, day, company.productsStorageId, company.materialsStorageId],
  )
  const ways: readonly (readonly [string, () => Promise<unknown>])[] = [
    ['moved', () => accepts(company, 'productions/edit', { production_id, date_placed: day })],
    ['added', () => accepts(company, 'productions/add', { ...body, num: 'ZZ', date_placed: day })],
    [
      'made by a sale',
      () => given.sale(company, { products: [{ id: product, amount: 1, total: 1 }], production: 1, date_placed: day }),
    ],
  ]
  let entries = many
  for (const [name, come] of ways) {
    await come()
    entries += 1
    const runs = await runsOf(company, 'productions')
    assert.equal(runs.length, 2, `${name}: ${runs}`)
    assert.equal((runs[0] ?? 0) + (runs[1] ?? 0), entries, name)
    assert.deepEqual(await broken(company.id), [], name)
    await unsplit(company, 'productions')
    await query(
      company.id,
      `insert into list_runs (company_id, list, listed, from_key, from_id, entries)
       select $1, 'productions', p.listed, '', 0, count(*) from productions p where p.company_id = $1 group by p.listed on conflict do nothing`,
      [company.id],
    )
  }
})
