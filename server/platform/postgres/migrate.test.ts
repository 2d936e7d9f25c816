// Migrations, and starting with a schema that is older or newer than the server.

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
import { knownMigrations, migrationsFolder, schemaDifference } from './schema-version.ts'

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
const futureRun = `insert into schema_migrations (name, run_on) values ('9999_future', now())`
const futureGone = `delete from schema_migrations where name = '9999_future'`
const newestGone = `delete from schema_migrations where name = '${newest}'`
const newestRun = `insert into schema_migrations (name, run_on) values ('${newest}', now())`

test('the difference of two schemas is reported in both directions', () => {
  assert.deepEqual(schemaDifference(['1', '2'], ['1', '2']), { missing: [], unknown: [] })
  assert.deepEqual(schemaDifference(['1', '3'], ['1', '2']), { missing: ['2'], unknown: ['3'] })
})

test('neither serve nor migrate starts with the schema of a newer version', async () => {
  await whileRecorded(futureRun, futureGone, async () => {
    for (const words of [['serve'], ['serve', '--no-migrate'], ['migrate']]) {
      const { code, output } = await kontor(words)
      assert.equal(code, 1, output)
      assert.match(output, /migrated by a newer version of Kontor, which added 9999_future/)
    }
  })
})

test('without migrating, serve refuses a schema that lacks a migration and prints what to do', async () => {
  await whileRecorded(newestGone, newestRun, async () => {
    const { code, output } = await kontor(['serve', '--no-migrate'])
    assert.equal(code, 1, output)
    assert.ok(output.includes(`The database lacks ${newest}. Run "kontor migrate"`), output)
  })
})

test('/readyz is not ready while a migration is missing, and stays ready with a newer schema', async () => {
  const server = await startServer({ DATABASE_URL: databaseUrl })
  const ready = async () => (await fetch(`${server.url}/readyz`)).status
  try {
    assert.equal(await ready(), 200)
    await whileRecorded(newestGone, newestRun, async () => assert.equal(await ready(), 503))
    await whileRecorded(futureRun, futureGone, async () => assert.equal(await ready(), 200))
    assert.equal(await ready(), 200)
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
    await sql(`alter table sales drop column if exists tried; delete from schema_migrations where name = '9998_column'`)
  }
})
