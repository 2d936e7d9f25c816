// `kontor db` as an operator runs it, on one PostgreSQL. What needs Citus is tested in server/cluster/citus.test.ts.

import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { after, before, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import pg from 'pg'
import { auditSchema } from '../audit.ts'
import { asOwner, openSessions, readCatalog, readExtension, tryCluster } from '../cluster/distribute.ts'
import { serverRole } from '../platform/postgres/connection.ts'
import { closeDatabase, openDatabase } from '../platform/postgres/database.ts'
import { rebalanceLock } from '../platform/postgres/rebalance-lock.ts'
import { referenceTables } from '../platform/postgres/table-placement.ts'
import { databaseUrl } from '../test/harness/database.ts'
import { everyStatement } from '../test/harness/statements.ts'
import { createWithSchema } from '../test/harness/template-database.ts'

const root = fileURLToPath(new URL('../..', import.meta.url))

type Ran = { readonly code: number; readonly out: string; readonly errors: string }

const kontor = (url: string, ...words: string[]): Promise<Ran> =>
  new Promise((resolve) => {
    const env = { ...process.env, DATABASE_URL: url }
    execFile(process.execPath, ['server/cli.ts', ...words], { cwd: root, env, maxBuffer: 1e8 }, (error, out, errors) =>
      resolve({ code: error === null ? 0 : Number(error.code), out, errors }),
    )
  })

// A database without companies, whose catalog a test may break.
const name = `kontor_db_${randomBytes(6).toString('hex')}`
const scratch = Object.assign(new URL(databaseUrl()), { pathname: `/${name}` }).href
before(() => createWithSchema(name))
after(async () => {
  const client = new pg.Client({ connectionString: databaseUrl() })
  await client.connect()
  await client.query(`drop database if exists ${name} with (force)`)
  await client.end()
})

const without = await asOwner(databaseUrl(), readExtension)
const plainOnly = without.version === null ? false : 'this PostgreSQL has Citus'

test('without the extension it prints what to install and do, and exits with 1', { skip: plainOnly }, async () => {
  const { code, out, errors } = await kontor(scratch, 'db', 'distribute')
  assert.equal(code, 1)
  assert.equal(out, '')
  assert.match(errors, /^kontor: this database has no Citus extension\.\n1\. /)
  for (const words of ['create extension citus', 'citus_add_node', 'Run "kontor db distribute" again', '--dry-run'])
    assert.ok(errors.includes(words), words)
})

test('a dry run prints SQL with reasons, and changes nothing', async () => {
  const dump = () =>
    asOwner(scratch, async (run) => [
      await readCatalog(run, { version: null, isInstallable: false }),
      await run('select * from pg_constraint order by oid'),
    ])
  const before = await dump()
  const { code, out } = await kontor(scratch, 'db', 'distribute', '--dry-run', '--shards', '16')
  assert.equal(code, 0)
  const statements = out.split('\n').filter((line) => line !== '' && !line.startsWith('--'))
  assert.ok(statements.length > 25 && statements.every((line) => line.endsWith(';')))
  assert.ok(
    statements.includes(
      "select create_distributed_table('companies', 'company_id', colocate_with => 'none', shard_count => 16);",
    ),
  )
  assert.deepEqual(await dump(), before)
})

test('invalid arguments exit with 2', async () => {
  for (const words of [['--shards', '0'], ['--shards', 'many'], ['--now'], ['word']])
    assert.equal((await kontor(scratch, 'db', 'distribute', ...words)).code, 2, words.join(' '))
})

test('the check reads every statement that the server can send, and its exit code depends on the result', async () => {
  const { code, out } = await kontor(scratch, 'db', 'check')
  assert.ok(out.includes(`Statements: ${(await everyStatement()).size}, `), out)
  assert.equal(code, out.includes('BROKEN') ? 1 : 0)
  assert.match(out, /^ok {6}Schema: \d+ checks$/m)
  assert.match(out, code === 0 ? /^All sharding rules are met\.$/m : /^Broken rules: \d+\.$/m)
})

test('the check exits with 1 and lists what breaks the rules', async () => {
  await asOwner(scratch, (run) => run('create table planted (company_id bigint, id bigserial primary key)'))
  const { code, out } = await kontor(scratch, 'db', 'check')
  await asOwner(scratch, (run) => run('drop table planted'))
  assert.equal(code, 1)
  assert.match(out, /^BROKEN {2}Schema/m)
  for (const complaint of [
    'planted has no row level security',
    'planted_pkey does not start with company_id',
    'planted_id_seq is a sequence',
  ])
    assert.ok(out.includes(complaint), out)
  assert.match(out, /^Broken rules: \d+\.$/m)
})

test('the trial finds a company that cannot read its row, and a row that is visible without a company', async () => {
  await asOwner(scratch, async (run) => {
    assert.equal(await tryCluster(run), 'no company')
    assert.equal((await kontor(scratch, 'company', 'create', '--name', 'Tried')).code, 0)
    assert.equal(await tryCluster(run), 'seen')
    await run('alter table company_clock disable row level security')
    await assert.rejects(tryCluster(run), /is visible without setting the company/)
    await run('alter table company_clock enable row level security')
    await run('alter policy own_company on company_clock using (false)')
    await assert.rejects(tryCluster(run), /cannot read its own row/)
    await run(
      `alter policy own_company on company_clock using (company_id = nullif(current_setting('app.company_id', true), '')::bigint)`,
    )
  })
})

test('without forced row level security, requests still see one company only, and the audit says so unless shards are being moved', async () => {
  assert.equal((await kontor(scratch, 'company', 'create', '--name', 'Other', '--examples')).code, 0)
  await asOwner(scratch, async (run) => {
    const companies = (await run('select company_id::text as id from companies order by name desc')).map(({ id }) => id)
    const { tables } = await readCatalog(run, await readExtension(run))
    const forced = tables.filter(
      ({ ofCompany, isForced, partitionOf }) => ofCompany && isForced && partitionOf === null,
    )
    assert.ok(companies.length === 2 && forced.length > 30)
    const rowsSeen = async (app: unknown, other: unknown): Promise<number> => {
      let seen = 0
      await run('begin')
      try {
        await run(`set local role ${serverRole}`)
        await run(`set local app.company_id = '${app}'`)
        for (const { name } of forced.filter(({ name }) => !referenceTables.includes(name)))
          seen += Number((await run(`select count(*) as rows from ${name} where company_id = ${other}`))[0]?.['rows'])
      } finally {
        await run('rollback')
      }
      return seen
    }
    for (const { name } of forced) await run(`alter table ${name} no force row level security`)
    assert.ok((await rowsSeen(companies[1], companies[1])) > 20)
    assert.equal(await rowsSeen(companies[0], companies[1]), 0)
    assert.equal(await rowsSeen('', companies[1]), 0)

    const broken = async () => (await auditSchema(scratch)).filter(({ invariant }) => invariant.includes('forced'))
    assert.ok((await broken()).length > 50)
    await run(`select pg_advisory_lock(${rebalanceLock})`)
    assert.deepEqual(await broken(), [])
    await run(`select pg_advisory_unlock(${rebalanceLock})`)
    for (const { name } of forced) await run(`alter table ${name} force row level security`)
    assert.deepEqual(await broken(), [])
  })
})

test('without the extension there is nothing to rebalance', { skip: plainOnly }, async () => {
  const { code, errors } = await kontor(scratch, 'db', 'rebalance')
  assert.equal(code, 1)
  assert.match(errors, /no Citus extension/)
})

test('open connections of servers are counted', async () => {
  await asOwner(scratch, async (run) => {
    assert.equal(await openSessions(run), 0)
    const opened = openDatabase(scratch, { connections: 1, streams: 1 })
    await opened.pool.use(async () => assert.equal(await openSessions(run), 1))
    await closeDatabase(opened)
  })
})
