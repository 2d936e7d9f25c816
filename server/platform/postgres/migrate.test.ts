// Migrations, and starting with a schema that is older or newer than the server. Long because the states of a schema and the commands that meet them
// are tested together.

import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { cpSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { scratchDatabase } from '../../test/conformance/request/scratch.ts'
import { startServer } from '../../test/harness/app.ts'
import { migrate } from './migrate.ts'
import { knownMigrations, migrationsFolder } from './migration-file.ts'
import { type AppliedMigration, incompatibility, schemaDifference } from './schema-version.ts'

const { databaseUrl, sql, serve } = scratchDatabase()
const root = join(import.meta.dirname, '..', '..', '..')

type Ran = { readonly code: number; readonly output: string }

/** Runs the command line, on the scratch database unless another is named. */
const kontor = (words: readonly string[], url: string = databaseUrl): Promise<Ran> =>
  new Promise((resolve) => {
    const env = { ...process.env, DATABASE_URL: url, PORT: '0', METRICS_PORT: '0' }
    execFile(process.execPath, ['server/cli.ts', ...words], { cwd: root, env, timeout: 60_000 }, (error, out, errors) =>
      resolve({ code: error === null ? 0 : Number(error.code ?? -1), output: out + errors }),
    )
  })

/** Runs `work` while the table of applied migrations is changed. */
async function whileRecorded(change: string, undo: string, work: () => Promise<void>): Promise<void> {
  await sql(change)
  try {
    await work()
  } finally {
    await sql(undo)
  }
}

const newest = knownMigrations().at(-1) ?? ''
const expanded = `insert into schema_expansions (name) values ('9999_future')`
const notExpanded = `delete from schema_expansions where name = '9999_future'`
const contracted = (oldest: string) =>
  `insert into schema_migrations (name, run_on, oldest_version) values ('9999_future', now(), '${oldest}')`
const notContracted = `delete from schema_migrations where name = '9999_future'`
const newestGone = `delete from schema_expansions where name = '${newest}'`
const newestRun = `insert into schema_expansions (name) values ('${newest}')`

const run = (name: string, oldest: string | null = null): AppliedMigration => ({
  name,
  oldest_version: oldest,
  is_expanding: oldest === null,
})

test('the difference of two schemas is reported in both directions', () => {
  assert.deepEqual(schemaDifference([run('1'), run('2')], ['1', '2']), { missing: [], unknown: [] })
  assert.deepEqual(schemaDifference([run('1'), run('3')], ['1', '2']), { missing: ['2'], unknown: [run('3')] })
})

test('a version works with a schema that was expanded, or contracted by what it no longer needs', () => {
  const reason = (unknown: AppliedMigration[]) => incompatibility({ missing: [], unknown }, '1.2.0')
  assert.equal(reason([]), undefined)
  assert.equal(reason([run('9')]), undefined)
  for (const oldest of ['0.9.9', '1.1.10', '1.2.0']) assert.equal(reason([run('9', oldest)]), undefined, oldest)
  for (const oldest of ['1.2.1', '1.10.0', '2.0.0']) {
    const text = `which added 9 (needs ${oldest} or later); this is version 1.2.0.`
    assert.ok(reason([run('8'), run('9', oldest)])?.includes(text), oldest)
  }
  // Recorded by a version that had no difference between expanding and contracting.
  assert.ok(reason([{ ...run('9'), is_expanding: false }]))
})

test('serve starts on a schema that a newer version has expanded, and migrate changes nothing there', async () => {
  const future = `create table future (id int primary key); ${expanded}`
  await whileRecorded(future, `drop table future; ${notExpanded}`, async () => {
    for (const options of [[], ['--no-migrate']]) {
      const server = await startServer({ DATABASE_URL: databaseUrl }, options)
      assert.equal((await fetch(`${server.url}/readyz`)).status, 200)
      await server.stop()
      assert.match(server.output(), /a newer version has expanded the schema/)
    }
    const { code, output } = await kontor(['migrate'])
    assert.equal(code, 0, output)
    // This version does not know which rights the server needs on the table.
    const [rights] = await sql(`select has_table_privilege('kontor_server', 'future', 'select') as granted`)
    assert.equal(rights?.['granted'], false)
    const status = await kontor(['migrate', '--status'])
    assert.equal(status.code, 0, status.output)
    assert.match(status.output, /^Unknown +9999_future$/m)
  })
})

test('neither serve nor migrate starts on a schema that lacks what this version needs', async () => {
  await whileRecorded(contracted('99.0.0'), notContracted, async () => {
    for (const words of [['serve'], ['serve', '--no-migrate'], ['migrate'], ['migrate', '--status']]) {
      const { code, output } = await kontor(words)
      assert.equal(code, 1, output)
      assert.match(output, /migrated by a newer version of Kontor, which added 9999_future \(needs 99\.0\.0 or later\)/)
    }
  })
})

test('without migrating, serve refuses a schema that lacks a migration and prints what to do', async () => {
  await whileRecorded(newestGone, newestRun, async () => {
    const { code, output } = await kontor(['serve', '--no-migrate'])
    assert.equal(code, 1, output)
    assert.ok(output.includes(`The database lacks ${newest}. Run "kontor migrate"`), output)
    const status = await kontor(['migrate', '--status'])
    assert.equal(status.code, 1, status.output)
    assert.ok(status.output.includes(`Pending   ${newest}\n`), status.output)
  })
  const status = await kontor(['migrate', '--status'])
  assert.equal(status.code, 0, status.output)
  assert.ok(status.output.includes(`Schema    ${newest}\nApplied   ${knownMigrations().length}\nPending   none\n`))
})

test('/readyz says why a server is not ready: a migration is missing, or the schema was contracted; an expanded one is no reason', async () => {
  const server = await startServer({ DATABASE_URL: databaseUrl })
  const ready = async () => {
    const response = await fetch(`${server.url}/readyz`)
    return `${response.status} ${await response.text()}`
  }
  const isReady = '200 {"status":"ready"}'
  try {
    assert.equal(await ready(), isReady)
    await whileRecorded(newestGone, newestRun, async () =>
      assert.match(await ready(), new RegExp(`^503 .*"reason":"The database lacks ${newest}\\.`)),
    )
    await whileRecorded(expanded, notExpanded, async () => assert.equal(await ready(), isReady))
    await whileRecorded(contracted('0.0.1'), notContracted, async () => assert.equal(await ready(), isReady))
    await whileRecorded(contracted('99.0.0'), notContracted, async () =>
      assert.match(await ready(), /^503 .*9999_future \(needs 99\.0\.0 or later\)/),
    )
    assert.equal(await ready(), isReady)
  } finally {
    await server.stop()
  }
})

test('a login that owns nothing and may only act as the role of the server can serve', async () => {
  const login = `kontor_login_${randomBytes(4).toString('hex')}`
  await sql(`create role ${login} login; grant kontor_server to ${login}`)
  try {
    const url = Object.assign(new URL(databaseUrl), { username: login }).href
    const addSale = async (company: { call(path: string, body: object): Promise<{ status: number }> }) => {
      const body = { num: '1', customer_name: 'Ada', products: [{ sku: 'P', amount: 1, total: 1 }] }
      assert.equal((await company.call('orders/add', body)).status, 200)
    }
    await serve({ DATABASE_URL: url }, addSale, ['--no-migrate'])
    // Migrating requires the owner of the tables.
    const { code, output } = await kontor(['serve'], url)
    assert.equal(code, 1, output)
  } finally {
    await sql(`drop role ${login}`)
  }
})

test('serve and audit warn about a superuser in DATABASE_URL', async () => {
  const server = await startServer({ DATABASE_URL: databaseUrl })
  await server.stop()
  assert.match(server.output(), /"level":40.*signs in as postgres, a superuser/)
  const { output } = await kontor(['audit'])
  assert.match(output, /WARNING DATABASE_URL signs in as postgres/)
})

test('a migration that waits for a long-running reader does not block requests', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'kontor-migrations-'))
  cpSync(migrationsFolder, folder, { recursive: true })
  writeFileSync(join(folder, '9998_column.sql'), 'alter table sales add column tried integer;\n')
  const reader = new pg.Client({ connectionString: databaseUrl })
  await reader.connect()
  try {
    await serve({}, async (company) => {
      await reader.query('begin; select count(*) from sales')
      let isMigrated = false
      const migrated = migrate(databaseUrl, folder).then((names) => {
        isMigrated = true
        return names
      })
      for (let request = 0; request < 40; request++) {
        const lists = await Promise.all(Array.from({ length: 4 }, () => company.call('orders/get_list', { limit: 10 })))
        assert.deepEqual(new Set(lists.map(({ status }) => status)), new Set([200]))
        await sleep(25)
      }
      assert.equal(isMigrated, false, 'the reader did not block the migration')
      await reader.query('commit')
      assert.deepEqual(await migrated, ['9998_column'])
    })
  } finally {
    await reader.end()
    rmSync(folder, { recursive: true, force: true })
    await sql(`alter table sales drop column if exists tried; delete from schema_expansions where name = '9998_column'`)
  }
})
