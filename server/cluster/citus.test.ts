// A database on a real Citus cluster, from the first version of its schema to the last: distributed, served, migrated, rebalanced. Skipped unless
// KONTOR_TEST_CITUS_URL names a cluster.

import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { auditCompany, auditSchema } from '../audit.ts'
import { methodPath } from '../platform/http/paths.ts'
import { serverRole } from '../platform/postgres/connection.ts'
import { migrationsFolder, readMigrations } from '../platform/postgres/migration-file.ts'
import { localTables, referenceTables } from '../platform/postgres/table-placement.ts'
import { type Reply, type Server, send, startServer } from '../test/harness/app.ts'
import {
  addWorker,
  type ClusterOptions,
  clusterDatabaseUrl,
  clusterWorkers,
  createClusterDatabase,
  distributeAll,
  dropClusterDatabase,
  dropClusterRole,
  withoutCluster,
} from '../test/harness/citus.ts'
import { onTestServer } from '../test/harness/test-server.ts'
import { asOwner, readCatalog, readExtension } from './distribute.ts'
import { circleClosing } from './distribution-plan.ts'

const root = fileURLToPath(new URL('../..', import.meta.url))
const skip = withoutCluster
const owner = `kontor_citus_${randomBytes(6).toString('hex')}`
const [served, migrated] = [`${owner}_served`, `${owner}_migrated`]

before(async () => {
  if (skip !== false) return
  await onTestServer(`create role ${owner} login createrole; grant ${serverRole} to ${owner}`)
})
after(async () => {
  if (skip !== false) return
  for (const name of [served, migrated]) await dropClusterDatabase(name)
  await dropClusterRole(owner)
})

/** An empty database on the cluster, whose owner is subject to row level security. */
async function emptyDatabase(name: string, options: ClusterOptions = {}): Promise<string> {
  await createClusterDatabase(name, { owner, ...options })
  return Object.assign(new URL(clusterDatabaseUrl(name)), { username: owner }).href
}

async function kontor(url: string, ...words: string[]): Promise<string> {
  const env = { ...process.env, DATABASE_URL: url }
  return await new Promise((resolve, reject) => {
    execFile(process.execPath, ['server/cli.ts', ...words], { cwd: root, env, maxBuffer: 1e8 }, (error, out, errors) =>
      error === null ? resolve(out) : reject(new Error(`${words.join(' ')}: ${out}${errors}`)),
    )
  })
}

type Company = { readonly company_id: number; readonly api_key: string }

const callAt =
  (server: Server, { api_key: authorization }: Company) =>
  (path: string, body: object): Promise<Reply> =>
    send(
      methodPath(path),
      { headers: { authorization, 'content-type': 'application/json' }, body: JSON.stringify(body) },
      server.url,
    )

const sale = (num: string) => ({
  num,
  customer_name: 'Oak & Sons',
  products: [{ sku: 'TABLE-1', amount: 2, total: 498 }],
})

async function assertWhole(url: string, { company_id: id }: Company): Promise<void> {
  assert.deepEqual(await auditSchema(url), [])
  assert.deepEqual(await auditCompany(url, id), [])
}

test('a database with rows is distributed, served, and rebalanced while it is served', { skip }, async () => {
  const workers = await clusterWorkers()
  const url = await emptyDatabase(served, { workers: Math.max(1, workers.length - 1) })
  await kontor(url, 'migrate')
  const company: Company = JSON.parse(
    await kontor(url, 'company', 'create', '--name', 'Distributed', '--examples', '--json'),
  )
  assert.match(
    await kontor(url, 'db', 'distribute', '--shards', '8'),
    /a company can read its own row, and no row is visible without a company/,
  )
  await asOwner(url, async (run) => {
    const { tables, foreignKeys } = await readCatalog(run, await readExtension(run))
    for (const { name, placement, hasLocalRows } of tables) {
      if (localTables.includes(name)) continue
      assert.equal(placement?.kind, referenceTables.includes(name) ? 'reference' : 'distributed', name)
      assert.equal(hasLocalRows, false, `${name} has rows outside its shards`)
    }
    for (const key of circleClosing)
      assert.ok(foreignKeys.some((one) => one.name === key.name && one.definition === key.definition))
  })
  assert.match(await kontor(url, 'db', 'distribute'), /^Everything is distributed already\.$/m)
  await kontor(url, 'db', 'check')

  const server = await startServer({ DATABASE_URL: url })
  const call = callAt(server, company)
  try {
    const added = await call('orders/add', sale('1'))
    assert.equal(added.status, 200, added.text)
    const shipped = await call('orders/update_status', { order_id: added.body.order_id, status: 3 })
    assert.equal(shipped.status, 200, shipped.text)
    assert.equal((await call('orders/get_entry', { order_id: added.body.order_id })).body.order.total, 498)
    const last = workers.at(-1)
    if (workers.length > 1 && last !== undefined) await addWorker(clusterDatabaseUrl(served), last)
    let isMoving = true
    const moving = kontor(url, 'db', 'rebalance').finally(() => {
      isMoving = false
    })
    let sold = 1
    for (; isMoving; sold++) assert.equal((await call('orders/add', sale(`during ${sold}`))).status, 200)
    assert.match(await moving, workers.length > 1 ? /All shards are moved/ : /has its share already/)
    assert.equal((await call('orders/get_list', {})).body.total, sold)
  } finally {
    await server.stop()
  }
  await assertWhole(url, company)
})

test('the commands of an operator work on a distributed database', { skip }, async () => {
  const url = Object.assign(new URL(clusterDatabaseUrl(served)), { username: owner }).href
  const created = await kontor(url, 'company', 'create', '--name', 'Operated', '--examples', '--json')
  const company: Company = JSON.parse(created)
  const id = String(company.company_id)
  await kontor(url, 'company', 'set', '--company', id, 'timezone=Europe/Berlin')
  await kontor(url, 'company', 'measure', id)
  const archive = join(process.env['TMPDIR'] ?? '/tmp', `${owner}.archive`)
  await kontor(url, 'company', 'export', '--company', id, '--out', archive)
  await kontor(url, 'company', 'delete', id, '--confirm', 'Operated')
  const imported = importArchive(url, archive)
  assert.match(await imported, /"Operated" is imported/)
  await kontor(url, 'key', 'create', '--company', id)
  await kontor(url, 'user', 'invite', '--company', id, '--email', 'ada@oak.example')
  await kontor(url, 'webhook', 'add', '--company', id, '--url', 'https://oak.example/hook')
  await asOwner(url, async (run) => {
    await run('begin')
    await run(`set local app.company_id = '${id}'`)
    await run('insert into import_companies (company_id, is_working) values ($1, false)', [id])
    await run('insert into mail_companies (company_id, has_queued) values ($1, false)', [id])
    await run('commit')
  })
  await kontor(url, 'maintain')
  await asOwner(url, async (run) => {
    assert.deepEqual(await run('select from import_companies where company_id = $1', [id]), [])
    assert.deepEqual(await run('select from mail_companies where company_id = $1', [id]), [])
  })
  await kontor(url, 'feed', 'new-epoch', '--all')
  await kontor(url, 'migrate')
  await kontor(url, 'doctor')
  await kontor(url, 'audit')
})

const importArchive = (url: string, path: string): Promise<string> =>
  new Promise((resolve, reject) => {
    const env = { ...process.env, DATABASE_URL: url }
    const child = execFile(
      process.execPath,
      ['server/cli.ts', 'company', 'import'],
      { cwd: root, env },
      (error, out, errors) => (error === null ? resolve(out) : reject(new Error(out + errors))),
    )
    child.stdin?.end(readFileSync(path))
  })

/** The last migration before those of units of items. */
const firstSchema = '0013_documents_of_a_party'

/** A company as version 0.1 has created it. */
const firstCompany = [
  `insert into companies (company_id, name, products_storage_id, materials_storage_id) values (7, 'First', 1, 1)`,
  'insert into company_clock (company_id, last_unit_id, last_storage_id, last_customer_id) values (7, 1, 1, 1)',
  `insert into quotas (company_id, day) values (7, current_date)`,
  `insert into units (company_id, id, name) values (7, 1, 'pcs')`,
  `insert into storages (company_id, id, name) values (7, 1, 'Workshop')`,
  `insert into customers (company_id, id, name, name_key) values (7, 1, 'Ada', 'ada')`,
]

test('a database that was distributed with the first schema is migrated to the last one', { skip }, async () => {
  const url = await emptyDatabase(migrated)
  const schema = readMigrations(migrationsFolder).filter(({ name }) => name <= firstSchema)
  await asOwner(url, async (run) => {
    await run(
      'create table schema_migrations (id serial primary key, name varchar(255) not null, run_on timestamp not null)',
    )
    for (const { name, sql } of schema) {
      await run(sql)
      await run('insert into schema_migrations (name, run_on) values ($1, now())', [name])
    }
    await run('begin')
    await run(`set local app.company_id = '7'`)
    for (const sql of firstCompany) await run(sql)
    await run('commit')
  })
  await distributeAll(url)
  const done = await kontor(url, 'migrate')
  assert.match(done, /^Migrated: /)
  assert.doesNotMatch(done, /Distributed what is new/, 'each table is distributed by its migration')
  await kontor(url, 'maintain')
  await kontor(url, 'db', 'check')
  const created = await kontor(url, 'company', 'create', '--name', 'Last', '--examples', '--json')
  const server = await startServer({ DATABASE_URL: url })
  try {
    const reply = await callAt(server, JSON.parse(created))('orders/add', sale('1'))
    assert.equal(reply.status, 200, reply.text)
  } finally {
    await server.stop()
  }
  assert.match(await kontor(url, 'audit'), /All invariants hold \(companies: 2\)/)
})
