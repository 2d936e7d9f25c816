// `kontor backup`: the dump contains every row, a failed one leaves no file, and old ones are deleted only after a new one was made.

import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { createCompany } from '../access/companies.ts'
import { closeDatabase, openDatabase } from '../platform/postgres/database.ts'
import { connectionOf, countCopiedRows } from '../platform/postgres/dump.ts'
import { scratchDatabase } from '../test/conformance/request/scratch.ts'
import { commandLine, withEnv } from '../test/harness/command-line.ts'
import { hasProgram } from '../test/harness/postgres-programs.ts'
import { onTestServer } from '../test/harness/test-server.ts'
import { backup } from './backup.ts'

const { databaseUrl, sql } = scratchDatabase()
const skip = hasProgram('pg_dump') ? false : 'there is no pg_dump'
const folder = mkdtempSync(join(tmpdir(), 'kontor-backup-'))
const login = `kontor_backup_${process.pid}`
after(async () => {
  rmSync(folder, { recursive: true })
  await onTestServer(`drop role if exists ${login}`)
})

const command = commandLine(backup)
const at = (url: string, ...words: string[]) => withEnv({ DATABASE_URL: url }, () => command('backup', ...words))
const files = (): string[] => readdirSync(folder).toSorted()
const asLogin = (): string => Object.assign(new URL(databaseUrl), { username: login }).href

test('a login that does not own the tables writes a dump with every row, which only its owner may read', {
  skip,
}, async () => {
  await onTestServer(`create role ${login} login`)
  const database = openDatabase(databaseUrl, { connections: 1, streams: 1 })
  const { company_id: id } = await createCompany(database.pool, 'Oak', 'UTC')
  await closeDatabase(database)
  // Line breaks, and characters that some programs take for line breaks.
  await sql('insert into units (company_id, id, name) values ($1, 901, $2), ($1, 902, $3)', [
    id,
    'a\nb\r\nc\u2028d',
    '\\.',
  ])
  const hidden = await at(asLogin(), '--file', join(folder, 'a.dump'))
  assert.deepEqual([hidden.code, files()], [1, []])
  assert.match(hidden.errors, /Row level security hides rows from /)
  await onTestServer(`alter role ${login} bypassrls; grant pg_read_all_data to ${login}`)
  const made = await at(asLogin(), '--file', join(folder, 'a.dump'))
  assert.deepEqual([made.code, made.errors, files()], [0, '', ['a.dump']])
  assert.match(made.out, /a\.dump: \d+ rows of \d+ tables, \d+\.\d MiB\. Read again: no row is missing\.$/m)
  assert.equal(statSync(join(folder, 'a.dump')).mode & 0o777, 0o600)
  const words = ['--data-only', '--table=units', '--file=-', join(folder, 'a.dump')]
  assert.match(execFileSync('pg_restore', words, { encoding: 'utf8' }), /a\\nb\\r\\nc\u2028d/)
  assert.match((await at(asLogin(), '--file', join(folder, 'a.dump'))).errors, /exists already/)
  rmSync(join(folder, 'a.dump'))
})

test('a dump that lacks rows is refused', { skip }, async () => {
  const programs = join(folder, 'programs')
  mkdirSync(programs)
  const real = execFileSync('sh', ['-c', 'command -v pg_dump'], { encoding: 'utf8' }).trim()
  writeFileSync(join(programs, 'pg_dump'), `#!/bin/sh\nexec ${real} --exclude-table-data=units "$@"\n`, { mode: 0o755 })
  const path = process.env['PATH']
  process.env['PATH'] = `${programs}:${path}`
  const { code, errors } = await at(databaseUrl, '--file', join(folder, 'a.dump'))
  process.env['PATH'] = path
  rmSync(programs, { recursive: true })
  assert.deepEqual([code, files()], [1, []])
  assert.match(errors, /The dump is incomplete: public\.units has no rows instead of 3\./)
})

test('a failed backup leaves no file and deletes none; a good one keeps the newest', { skip }, async () => {
  for (const name of ['kontor-20200101T000000Z.dump', 'kontor-20200102T000000Z.dump', 'other.dump'])
    writeFileSync(join(folder, name), '')
  const before = files()
  const path = process.env['PATH']
  process.env['PATH'] = '/nowhere'
  const failed = await at(databaseUrl, '--folder', folder, '--keep', '1')
  process.env['PATH'] = path
  assert.deepEqual([failed.code, files()], [1, before])
  assert.match(failed.errors, /pg_dump was not found: install the client programs/)
  const made = await at(databaseUrl, '--folder', folder, '--keep', '2')
  assert.equal(made.code, 0, made.errors)
  const [first, second, ...rest] = files()
  assert.equal(first, 'kontor-20200102T000000Z.dump')
  assert.match(second ?? '', /^kontor-\d{8}T\d{6}Z\.dump$/)
  assert.deepEqual(rest, ['other.dump'])
})

test('wrong options are refused', async () => {
  for (const words of [
    [],
    ['--file', 'a', '--folder', 'b'],
    ['--file', 'a', '--keep', '2'],
    ['--folder', 'a', '--keep', '0'],
  ])
    assert.equal((await at(databaseUrl, ...words)).code, 2, words.join(' '))
})

test('rows are counted by the lines of COPY, however the text arrives in pieces', async () => {
  const text = `SET x = 1;\nCOPY public.a (id, b) FROM stdin;\n1\tx\n2\t\\\\.\n\\.\n\n\nCOPY public.b (id) FROM stdin;\n\\.\n`
  for (const size of [1, 3, 1000]) {
    const counts = new Map<string, number>()
    const pieces = Array.from({ length: Math.ceil(text.length / size) }, (_, at) =>
      text.slice(at * size, (at + 1) * size),
    )
    await countCopiedRows(pieces.map((piece) => Buffer.from(piece)) as unknown as AsyncIterable<Buffer>, counts)
    assert.deepEqual(
      [...counts],
      [
        ['public.a', 2],
        ['public.b', 0],
      ],
    )
  }
})

test('the password is not among the arguments of pg_dump', () => {
  assert.deepEqual(connectionOf('postgres://a:p%40ss@db:5433/kontor?sslmode=no-verify'), {
    url: 'postgres://a@db:5433/kontor?sslmode=require',
    env: { PGPASSWORD: 'p@ss' },
  })
  assert.deepEqual(connectionOf('postgresql:///kontor?host=/run/postgresql&password=x'), {
    url: 'postgresql:///kontor?host=%2Frun%2Fpostgresql',
    env: { PGPASSWORD: 'x' },
  })
})
