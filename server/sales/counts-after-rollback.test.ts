// Version 0.1 serves on the schema of this version during an upgrade and after a rollback, and does not count sales.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { auditCompany } from '../audit.ts'
import { runBackfills } from '../platform/postgres/backfills.ts'
import { migrate } from '../platform/postgres/migrate.ts'
import { scratchDatabase } from '../test/conformance/request/scratch.ts'

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
