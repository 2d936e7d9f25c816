// `kontor db` as an operator runs it. Tests that need Citus run only if KONTOR_TEST_CITUS_URL is a database with the extension, and are
// skipped otherwise.

import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { after, before, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import pg from 'pg'
import { auditCompany, auditSchema } from '../audit.ts'
import { asOwner, openSessions, readCatalog, readExtension, tryCluster } from '../cluster/distribute.ts'
import { circleClosing, localTables, referenceTables } from '../cluster/distribution-plan.ts'
import { methodPath } from '../platform/http/paths.ts'
import { serverRole } from '../platform/postgres/connection.ts'
import { closeDatabase, openDatabase } from '../platform/postgres/database.ts'
import { createAndMigrate } from '../platform/postgres/migrate.ts'
import { rebalanceLock } from '../platform/postgres/rebalance-lock.ts'
import { send, startServer } from '../test/harness/app.ts'
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
    const { tables } = await readCatalog(run, without)
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

const citus = process.env['KONTOR_TEST_CITUS_URL']
const noCitus = 'needs Citus, which is in no package registry: name a database that has it in KONTOR_TEST_CITUS_URL'

test('on Citus a database with rows is distributed and works, and a second run changes nothing', {
  skip: citus === undefined && noCitus,
}, async () => {
  assert.ok(citus !== undefined)
  await createAndMigrate(citus)
  const created = await kontor(citus, 'company', 'create', '--name', 'Distributed', '--examples', '--json')
  assert.equal(created.code, 0, created.errors)
  const company: { company_id: number; api_key: string } = JSON.parse(created.out)

  const first = await kontor(citus, 'db', 'distribute')
  assert.equal(first.code, 0, first.errors)
  assert.match(first.out, /a company can read its own row, and no row is visible without a company/)
  await asOwner(citus, async (run) => {
    const { tables, foreignKeys } = await readCatalog(run, await readExtension(run))
    const kinds = new Map(tables.map((table) => [table.name, table.placement?.kind]))
    assert.equal(kinds.get('api_keys'), 'reference')
    for (const table of tables) {
      if (![...referenceTables, ...localTables].includes(table.name))
        assert.equal(kinds.get(table.name), 'distributed', table.name)
      assert.equal(
        table.hasLocalRows && !localTables.includes(table.name),
        false,
        `${table.name} has rows outside its shards`,
      )
    }
    for (const key of circleClosing)
      assert.ok(foreignKeys.some((one) => one.name === key.name && one.definition === key.definition))
  })
  const second = await kontor(citus, 'db', 'distribute')
  assert.equal(second.code, 0, second.errors)
  assert.match(second.out, /^Everything is distributed already\.$/m)
  const check = await kontor(citus, 'db', 'check')
  assert.equal(check.code, 0, check.out)

  const server = await startServer({ DATABASE_URL: citus })
  try {
    const headers = { authorization: company.api_key, 'content-type': 'application/json' }
    const call = (path: string, body: object) =>
      send(methodPath(path), { headers, body: JSON.stringify(body) }, server.url)
    const added = await call('orders/add', {
      num: '1',
      customer_name: 'Oak & Sons',
      products: [{ sku: 'TABLE-1', amount: 2, total: 498 }],
    })
    assert.equal(added.status, 200, added.text)
    const shipped = await call('orders/update_status', { order_id: added.body.order_id, status: 3 })
    assert.equal(shipped.status, 200, shipped.text)
    const read = await call('orders/get_entry', { order_id: added.body.order_id })
    assert.equal(read.body.order.total, 498, read.text)
    assert.equal((await call('orders/get_list', {})).body.total, 1)
  } finally {
    await server.stop()
  }
  assert.deepEqual(await auditSchema(citus), [])
  assert.deepEqual(await auditCompany(citus, company.company_id), [])
})
