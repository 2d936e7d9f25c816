// Version 0.1 serves on the schema of this version during an upgrade and after a rollback. It does not count sales, and does not record whether
// their cost is known.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isDeepStrictEqual } from 'node:util'
import { auditCompany } from '../audit.ts'
import { runBackfills } from '../platform/postgres/backfills.ts'
import { migrate } from '../platform/postgres/migrate.ts'
import { scratchDatabase } from '../test/conformance/request/scratch.ts'
import { until } from '../test/harness/until.ts'

const { databaseUrl, sql, serve } = scratchDatabase()

test('sales that were not counted can be changed and deleted, and a backfill counts them', async () => {
  await serve({}, async (company) => {
    for (let num = 1; num <= 3; num++) {
      const body = { num: String(num), customer_name: 'Ada', products: [{ sku: 'P', amount: 1, total: 1 }] }
      assert.equal((await company.call('orders/add', body)).status, 200)
    }
    const broken = async () =>
      (await auditCompany(databaseUrl, company.id))
        .map(({ invariant }) => invariant)
        .filter((name) => /counted/.test(name))
    assert.deepEqual(await broken(), [])
    await sql('update sale_counts set entries = 0')
    assert.equal((await company.call('orders/update_status', { order_id: 1, status: 3 })).status, 200)
    assert.equal((await company.call('orders/delete', { order_id: 2 })).status, 200)
    assert.deepEqual(new Set(await broken()), new Set(['sales are counted by day, status and payment']))
    await migrate(databaseUrl)
    await runBackfills(databaseUrl)
    assert.deepEqual(await broken(), [])
  })
})

test('a backfill records whether the cost of a sale is known', async () => {
  await serve({}, async (company) => {
    const cases = [
      ['null', 0],
      ['true', 0],
      ['null', 4],
      ['false', 4],
    ] as const
    const known = async () => {
      const rows = await sql(`select cost_known from sales where company_id = ${company.id} order by id`)
      return rows.map((row) => row['cost_known'])
    }
    for (const [at] of cases.entries()) {
      const body = { num: `${at}`, customer_name: 'Ada', products: [{ sku: 'P', amount: 1, total: 1 }] }
      assert.equal((await company.call('orders/add', body)).status, 200)
    }
    assert.deepEqual(await known(), [false, false, false, false], 'nothing was received')
    for (const [at, [written, cost]] of cases.entries()) {
      const ofSale = `company_id = ${company.id} and`
      await sql(`update sales set cost_known = ${written}, cost = ${cost} where ${ofSale} id = ${at + 1}`)
      await sql(`update sale_lines set cost = ${cost}, exact_cost = ${cost} where ${ofSale} sale_id = ${at + 1}`)
    }
    await migrate(databaseUrl)
    // Returns at once while the server itself does it.
    const isDone = async () => {
      await runBackfills(databaseUrl)
      return isDeepStrictEqual(await known(), [false, false, true, true])
    }
    await until(isDone, { pollMs: 100 })
  })
})
