// Indexes that a migration builds while requests write to the table.

import assert from 'node:assert/strict'
import { cpSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, beforeEach, test } from 'node:test'
import pg from 'pg'
import { scratchDatabase } from '../../test/conformance/request/scratch.ts'
import { until } from '../../test/harness/until.ts'
import { migrate } from './migrate.ts'
import { migrationsFolder } from './migration-file.ts'

const { databaseUrl, sql, serve } = scratchDatabase()

const folder = mkdtempSync(join(tmpdir(), 'kontor-migrations-'))
cpSync(migrationsFolder, folder, { recursive: true })
writeFileSync(
  join(folder, '9998_indexes.sql'),
  `-- Two indexes.
create index concurrently sales_tried on sales (company_id, num);
create index concurrently sales_tried_again on sales (company_id, notes);
comment on index sales_tried is 'A test.';
`,
)
after(() => rmSync(folder, { recursive: true, force: true }))
beforeEach(() =>
  sql(
    `drop index if exists sales_tried, sales_tried_again; delete from schema_expansions where name = '9998_indexes'`,
  ).then(() => {}),
)

const indexes = () =>
  sql(`select indexrelid::regclass::text as name, indisvalid as valid from pg_index
       where indrelid = 'sales'::regclass and indexrelid::regclass::text like 'sales_tried%' order by 1`)
const bothValid = [
  { name: 'sales_tried', valid: true },
  { name: 'sales_tried_again', valid: true },
]
const isBuilding = async () =>
  (
    await sql(`select from pg_stat_activity where datname = current_database() and query like 'create index concurrently%'
              and wait_event_type = 'Lock'`)
  ).length > 0

/** A transaction with a snapshot, for which the build of an index has to wait. */
async function withReader(work: (reader: pg.Client) => Promise<void>): Promise<void> {
  const reader = new pg.Client({ connectionString: databaseUrl })
  await reader.connect()
  try {
    await reader.query('begin isolation level repeatable read; select count(*) from sales')
    await work(reader)
  } finally {
    await reader.end()
  }
}

test('requests write while an index waits for a long-running reader, and a second migrate waits for the first', async () => {
  await serve({}, async (company) => {
    await withReader(async (reader) => {
      const both = Promise.all([migrate(databaseUrl, folder), migrate(databaseUrl, folder)])
      await until(isBuilding, { what: () => 'the index does not wait for the reader' })
      for (let num = 0; num < 10; num++) {
        const body = { num: String(num), customer_name: 'Ada', products: [{ sku: 'P', amount: 1, total: 1 }] }
        assert.equal((await company.call('orders/add', body)).status, 200)
      }
      assert.ok(await isBuilding())
      await reader.query('commit')
      assert.deepEqual((await both).flat(), ['9998_indexes'])
      assert.deepEqual(await indexes(), bothValid)
    })
  })
})

test('an index whose build was interrupted is dropped and built again', async () => {
  await withReader(async (reader) => {
    const interrupted = assert.rejects(migrate(databaseUrl, folder), /terminating connection|Connection terminated/)
    await until(isBuilding, { what: () => 'the index does not wait for the reader' })
    await sql(
      `select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'kontor migrate' and datname = current_database()`,
    )
    await interrupted
    await reader.query('commit')
  })
  assert.deepEqual(await indexes(), [{ name: 'sales_tried', valid: false }])
  assert.deepEqual(await migrate(databaseUrl, folder), ['9998_indexes'])
  assert.deepEqual(await indexes(), bothValid)
  assert.deepEqual(await migrate(databaseUrl, folder), [])
})
