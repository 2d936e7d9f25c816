// Databases that DATABASE_URL names: by a unix socket, and those in which Kontor must not create anything.

import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { after, test } from 'node:test'
import pg from 'pg'
import { scratchDatabase } from '../test/conformance/request/scratch.ts'
import { startServer } from '../test/harness/app.ts'
import { commandLine, withEnv } from '../test/harness/command-line.ts'
import { onTestServer, testDatabaseUrl } from '../test/harness/test-server.ts'
import { doctor } from './doctor.ts'
import { migrateCommand } from './migrate.ts'

const { databaseUrl, sql } = scratchDatabase()
const name = `kontor_foreign_${randomBytes(6).toString('hex')}`
const foreignUrl = testDatabaseUrl(name)
after(() => onTestServer(`drop database if exists ${name} with (force)`))

const command = commandLine(migrateCommand, doctor)
/** Runs the command within this process, on another database. */
const at = (url: string, ...words: string[]) => withEnv({ DATABASE_URL: url }, () => command(...words))

async function query(url: string, text: string): Promise<Record<string, unknown>[]> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    return (await client.query(text)).rows
  } finally {
    await client.end()
  }
}

const exists = async (): Promise<boolean> =>
  (await sql('select from pg_database where datname = $1', [name])).length === 1

test('a database that does not exist is created only with --create', async () => {
  const refused = await at(foreignUrl, 'migrate')
  assert.equal(refused.code, 1)
  assert.match(refused.errors, /does not exist\nCheck the name in DATABASE_URL\. "kontor migrate --create" creates/)
  assert.equal(await exists(), false)
  assert.equal((await at(foreignUrl, 'migrate', '--create', '--status')).code, 2)
  const created = await at(foreignUrl, 'migrate', '--create')
  assert.deepEqual([created.code, created.errors], [0, ''])
  assert.match(created.out, /^The database was created\.\nMigrated: 0001_foundation, /)
  assert.match((await at(foreignUrl, 'migrate', '--create')).out, /^The schema is up to date\.$/m)
})

const contents = [
  ['a table', 'create table orders (id int)', /contains tables of another program: orders\. Nothing was changed/],
  [
    'a list of migrations of another kind',
    'create table schema_migrations (version text)',
    /of another program\. Nothing/,
  ],
  [
    'migrations of another program',
    `create table schema_migrations (id serial, name text, run_on timestamp); insert into schema_migrations (name) values ('1_shop')`,
    /was migrated by another program \(1_shop\)/,
  ],
] as const

for (const [what, content, reason] of contents) {
  test(`a database with ${what} is refused, and nothing is created in it`, async () => {
    await onTestServer(`drop database if exists ${name} with (force)`, `create database ${name}`)
    await query(foreignUrl, content)
    const tables = `select relname, relkind from pg_class where relnamespace = 'public'::regnamespace order by relname`
    const found = await query(foreignUrl, tables)
    const { code, errors } = await at(foreignUrl, 'migrate')
    assert.equal(code, 1)
    assert.match(errors, reason)
    assert.deepEqual(await query(foreignUrl, tables), found)
    assert.match((await at(foreignUrl, 'doctor')).out, /^error +content +The database /m)
  })
}

test('commands and the service reach the database by a unix socket', async () => {
  const [server] = await sql(
    `select current_setting('unix_socket_directories') as folders, current_setting('port') as port`,
  )
  const folder = String(server?.['folders']).split(',')[0]?.trim() ?? ''
  const database = new URL(databaseUrl).pathname
  const parameters = `host=${encodeURIComponent(folder)}&port=${server?.['port']}`
  const bySocket = `postgresql://${database}?${parameters}&user=postgres`
  for (const url of [bySocket, `postgresql://postgres@${database}?${parameters}`]) {
    const { code, out, errors } = await at(url, 'migrate', '--status')
    assert.deepEqual([code, errors], [0, ''], out)
  }
  const service = await startServer({ DATABASE_URL: bySocket })
  try {
    assert.equal((await fetch(`${service.url}/readyz`)).status, 200)
    const [row] = await sql(
      `select count(*)::int as tcp from pg_stat_activity where datname = current_database() and application_name = 'kontor' and client_addr is not null`,
    )
    assert.deepEqual(row, { tcp: 0 })
  } finally {
    await service.stop()
  }
})
