// Backfills: interrupted at any time, they continue where they were, and change every row once.

import assert from 'node:assert/strict'
import { type ChildProcess, spawn } from 'node:child_process'
import { cpSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import pg from 'pg'
import { createCompany } from '../../access/companies.ts'
import { scratchDatabase } from '../../test/conformance/request/scratch.ts'
import { databaseUrl as sharedUrl } from '../../test/harness/database.ts'
import { until } from '../../test/harness/until.ts'
import { type Backfill, type BackfillProgress, findProgress, runBackfills } from './backfills.ts'
import { openDatabase } from './database.ts'
import { migrate } from './migrate.ts'
import { migrationsFolder } from './migration-file.ts'
import { schemaStatus } from './schema-status.ts'

const { databaseUrl, sql, serve } = scratchDatabase()
const companies = 3
const rowsEach = 4_000
const total = companies * rowsEach

const backfill: Backfill = {
  name: 'tried',
  portion: `with found as (
      select company_id, id from customers where company_id = $1 and tried is null order by id limit $2)
    update customers c set tried = 1, times = times + 1 from found
    where c.company_id = found.company_id and c.id = found.id`,
}
const folder = mkdtempSync(join(tmpdir(), 'kontor-migrations-'))
cpSync(migrationsFolder, folder, { recursive: true })
writeFileSync(
  join(folder, '9997_tried.sql'),
  'alter table customers add column tried integer, add column times integer not null default 0;\n',
)
after(() => rmSync(folder, { recursive: true, force: true }))

/** As the owner of the tables, who is subject to row level security. */
const ownerUrl = Object.assign(new URL(databaseUrl), { username: `owner_${databaseUrl.slice(-12)}` }).href
const owner = new URL(ownerUrl).username

/** Called by the first test, on whose rows the others continue: hooks of a file run at the same time as those of the scratch database. */
async function prepare(): Promise<void> {
  await sql(`create role ${owner} login createrole; grant kontor_server to ${owner}`)
  await sql(`do $$ declare t text; begin
    for t in select c.oid::regclass::text from pg_class c where relnamespace = 'public'::regnamespace and relkind in ('r', 'p') loop
      execute format('alter table %s owner to ${owner}', t);
    end loop; end $$; grant create on schema public to ${owner}`)
  const database = openDatabase(databaseUrl, { connections: 1, streams: 1 })
  for (let n = 0; n < companies; n++) await createCompany(database.pool, `Backfill ${n}`, 'UTC')
  await database.pool.end()
  await sql(
    `insert into customers (company_id, id, name, name_key) select company_id, n, 'Customer ' || n, n::text from companies, generate_series(1, ${rowsEach}) n`,
  )
  await runBackfills(databaseUrl)
  assert.deepEqual(await migrate(ownerUrl, folder, [backfill]), ['9997_tried'])
}
// The scratch database, and with it all that the role owns, has been dropped.
after(async () => {
  const client = new pg.Client({ connectionString: sharedUrl() })
  await client.connect()
  await client.query(`drop role if exists ${owner}`)
  await client.end()
})

const progress = async (): Promise<BackfillProgress | undefined> =>
  ((await sql(findProgress)) as BackfillProgress[]).find(({ name }) => name === 'tried')
const changedRows = async (): Promise<number> => Number((await progress())?.changed_rows)
/** How many rows were changed, and how often at most. */
const changed = async () => (await sql('select count(tried)::int as rows, max(times) as times from customers'))[0]

function startProcess(rowsAtOnce: number): ChildProcess {
  const code = `const { runBackfills } = await import(process.argv[1])
    await runBackfills(process.argv[2], { declared: [JSON.parse(process.argv[3])], rowsAtOnce: Number(process.argv[4]) })`
  const module = new URL('./backfills.ts', import.meta.url).href
  const args = ['--input-type=module', '--eval', code, module, ownerUrl, JSON.stringify(backfill), String(rowsAtOnce)]
  return spawn(process.execPath, args, { stdio: ['ignore', 'inherit', 'inherit'] })
}
const ended = (child: ChildProcess): Promise<void> =>
  new Promise((resolve) =>
    (child.exitCode ?? child.signalCode) === null ? child.once('exit', () => resolve()) : resolve(),
  )

test('a backfill that was killed twice continues where it was, and changes every row once', async () => {
  await prepare()
  assert.equal((await progress())?.companies_left, String(companies))
  for (let kill = 1; kill <= 2; kill++) {
    const from = await changedRows()
    const child = startProcess(100)
    await until(async () => (await changedRows()) >= from + 1_500, {
      what: () => 'the backfill does not advance',
    })
    child.kill('SIGKILL')
    await ended(child)
  }
  const { rows } = (await changed()) as { rows: number }
  assert.ok(rows >= 3_000 && rows < total, `${rows} rows`)
  // PostgreSQL notices within a moment that the process is gone, and then another may continue.
  await until(
    async () => {
      await runBackfills(ownerUrl, { declared: [backfill], rowsAtOnce: 1_000 })
      return (await progress())?.is_finished === true
    },
    { what: () => 'the backfill does not end' },
  )
  assert.deepEqual(await changed(), { rows: total, times: 1 })
  const finished = (await schemaStatus(databaseUrl)).backfills.find(({ name }) => name === 'tried')
  assert.deepEqual(finished, { name: 'tried', is_finished: true, companies_left: '0', changed_rows: String(total) })
})

test('requests write while a backfill runs, and /metrics shows what is left', async () => {
  await serve({}, async (company, _other, server) => {
    await sql('update customers set tried = null')
    await migrate(ownerUrl, folder, [backfill])
    const left = async () =>
      /^kontor_backfill_companies_left (\d+)$/m.exec(await (await fetch(server.metricsUrl)).text())?.[1]
    const before = Number(await left())
    assert.ok(before >= companies, String(before))
    let isFinished = false
    // The server runs the backfills of this version when it starts, and only one process runs any.
    const finished = until(
      async () => {
        await runBackfills(ownerUrl, { declared: [backfill], rowsAtOnce: 200 })
        isFinished = (await progress())?.is_finished === true
        return isFinished
      },
      { what: () => 'the backfill does not end' },
    )
    let requests = 0
    for (; !isFinished; requests++)
      assert.equal((await company.call('customers/add', { name: `New ${requests}` })).status, 200)
    await finished
    assert.ok(requests > 0)
    await until(async () => (await left()) === '0', { what: () => 'backfills do not end' })
  })
})

test('rows that an older server writes after the end are changed by the next migrate, at the latest before the schema is contracted', async () => {
  await sql('update customers set tried = null where id <= 10')
  await migrate(ownerUrl, folder, [backfill])
  assert.equal((await progress())?.is_finished, false)
  await runBackfills(ownerUrl, { declared: [backfill] })
  assert.deepEqual((await sql('select count(*)::int as n from customers where tried is null'))[0], { n: 0 })

  await sql('update customers set tried = null where id <= 10')
  writeFileSync(
    join(folder, '9998_needed.sql'),
    '-- Contracts: not needed since 0.0.1\n-- Requires the backfill: tried\nalter table customers alter tried set not null;\n',
  )
  await assert.rejects(migrate(ownerUrl, folder, []), /There is no backfill tried/)
  assert.deepEqual(await migrate(ownerUrl, folder, [backfill]), ['9998_needed'])
  assert.deepEqual(await sql(`select oldest_version from schema_migrations where name = '9998_needed'`), [
    { oldest_version: '0.0.1' },
  ])
  // It is not needed any more.
  await migrate(ownerUrl, folder, [backfill])
  assert.equal((await progress())?.is_finished, true)
})

test('only one process runs backfills at a time', async () => {
  await sql(`update backfills set finished_at = null, last_company_id = 0 where name = 'tried'`)
  const other = new pg.Client({ connectionString: databaseUrl })
  await other.connect()
  try {
    await other.query("select pg_advisory_lock(hashtextextended('kontor backfills', 0))")
    await runBackfills(ownerUrl, { declared: [backfill] })
    assert.equal((await progress())?.is_finished, false)
  } finally {
    await other.end()
  }
})
