// Runs the commands of the restore guide exactly as written, on PostgreSQL clusters that are created for it: after each way of restoring, the service
// works at once and every invariant holds.

import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { Postgres } from '../../../campaign/crash/postgres.ts'
import { freePort } from '../../../demo/ports.ts'
import { auditSchema } from '../../audit.ts'
import { createDatabase } from '../../platform/postgres/migrate.ts'
import { scratchDatabase } from '../conformance/request/scratch.ts'
import { startServer } from '../harness/app.ts'
import { post } from '../harness/concurrent-calls.ts'
import { hasProgram, newFolder, ownedFolder, postgresProgram, postgresUser } from '../harness/postgres-programs.ts'
import { blocksOf } from './newcomer/blocks.ts'

const root = join(import.meta.dirname, '..', '..', '..')
const guide = readFileSync(join(root, 'docs', 'guides', 'restore.md'), 'utf8')

/** The shell blocks below a heading. */
function commandsOf(heading: string, count: number): string[] {
  const section = guide.split(/^## /m).find((text) => text.startsWith(`${heading}\n`)) ?? assert.fail(heading)
  const blocks = blocksOf(section).flatMap(({ language, text }) => (language === 'sh' ? [text] : []))
  assert.equal(blocks.length, count, heading)
  return blocks
}

const [check = '', newEpoch = ''] = commandsOf('After every restore', 2)

type Env = Readonly<Record<string, string>>

/** Runs a block and returns what it printed; fails when one of its commands fails. */
const shell = (script: string, env: Env, user: { uid?: number; gid?: number; cwd?: string } = {}): Promise<string> =>
  new Promise((resolve, reject) => {
    const options = { cwd: root, ...user, env: { ...process.env, ...env }, timeout: 120_000 }
    execFile('bash', ['-e', '-c', script], options, (error, out, errors) =>
      error === null ? resolve(out + errors) : reject(new Error(`${script}\n${out}${errors}`)),
    )
  })

const bodyOf = (num: string) => ({ num, customer_name: 'Ada', products: [{ sku: 'P', amount: 1, total: 1 }] })

/** `migrate` and `audit` of the guide, and for a backup the new epoch of the feed; then the company of the only sale adds another. */
async function worksAt(restoredUrl: string, companies: number, isBackup: boolean): Promise<void> {
  const checked = await shell(check, { RESTORED_URL: restoredUrl })
  assert.match(checked, new RegExp(`All invariants hold \\(companies: ${companies}\\)`))
  if (isBackup) {
    await shell(newEpoch, { DATABASE_URL: restoredUrl })
    await shell(check, { RESTORED_URL: restoredUrl })
  }
  const server = await startServer({ DATABASE_URL: restoredUrl })
  try {
    const key = await createKey(restoredUrl)
    const added = await post(server.url, key, 'orders/add', bodyOf('2'))
    assert.deepEqual(
      [added.status, added.body.order_id, added.body.customer_id],
      [200, isBackup ? 1_000_002 : 2, 1],
      added.text,
    )
  } finally {
    await server.stop()
  }
}

async function createKey(databaseUrl: string): Promise<string> {
  const find = `select company_id from sales limit 1`
  const admin = Object.assign(new URL(databaseUrl), { username: 'postgres' }).href
  const company = (await shell(`psql "${admin}" --tuples-only --no-align --command "${find}"`, {})).trim()
  const command = `npm run -s kontor -- key create --company ${company} --name Restored --json`
  return /kontor_live_\w+/.exec(await shell(command, { DATABASE_URL: databaseUrl }))?.[0] ?? ''
}

const { databaseUrl, serve } = scratchDatabase()

test('a dump is restored on a cluster without Kontor’s roles, and the service works at once', async () => {
  const [backup = '', create = '', restore = ''] = commandsOf('A dump', 3)
  const folder = newFolder('restore-guide')
  const fresh = await Postgres.make(folder, { settings: { fsync: 'off' } })
  try {
    await serve({}, async (company) => {
      assert.equal((await company.call('orders/add', bodyOf('1'))).status, 200)
    })
    await fresh.start()
    const restoredUrl = Object.assign(new URL(fresh.url()), { username: 'kontor_owner' }).href
    const env = {
      BACKUP_FILE: join(folder, 'backup'),
      BACKUP_URL: databaseUrl,
      ADMIN_URL: fresh.url('postgres'),
      RESTORED_URL: restoredUrl,
    }
    for (const block of [backup, create, restore]) await shell(block, env)
    // Before migrate the restored database is incomplete, and audit reports it.
    const broken = new Set((await auditSchema(fresh.url())).map(({ invariant }) => invariant))
    assert.ok(broken.has('the role kontor_server exists and cannot pass row level security'))
    assert.ok(broken.has('the role kontor_server has exactly the rights it needs'))
    await worksAt(restoredUrl, 2, true)
  } finally {
    await fresh.stop('immediate')
    rmSync(folder, { recursive: true, force: true })
  }
})

/** A cluster that the commands of the guide start and stop, with a company, a product and a sale. */
async function withCluster(
  work: (cluster: Postgres, asPostgres: (block: string, env: Env) => Promise<string>) => Promise<void>,
) {
  const folder = newFolder('restore-guide')
  const cluster = await Postgres.make(folder, { settings: { fsync: 'off' } })
  const { dataFolder } = cluster
  const own = {
    PATH: `${dirname(postgresProgram('pg_ctl'))}:${process.env['PATH']}`,
    PGDATA: dataFolder,
    ADMIN_URL: cluster.url('postgres'),
    PGBACKREST_CONFIG: join(folder, 'pgbackrest.conf'),
  }
  const asPostgres = (block: string, env: Env): Promise<string> =>
    shell(block, { ...own, ...env }, { ...postgresUser(), cwd: folder })
  try {
    await asPostgres('pg_ctl start --silent --log="$PGDATA/start.log"', {})
    await serveFirstSale(cluster.url())
    await work(cluster, asPostgres)
  } finally {
    await asPostgres('pg_ctl stop --silent --mode=immediate', {}).catch(() => {})
    rmSync(folder, { recursive: true, force: true })
  }
}

async function serveFirstSale(url: string): Promise<void> {
  await createDatabase(url)
  const server = await startServer({ DATABASE_URL: url })
  try {
    const made = await shell('npm run -s kontor -- company create --name Restore --json', { DATABASE_URL: url })
    const { api_key: key } = JSON.parse(made.split('\n').find((line) => line.startsWith('{')) ?? '{}')
    assert.equal((await post(server.url, key, 'products/add', { name: 'P', sku: 'P' })).status, 200)
    assert.equal((await post(server.url, key, 'orders/add', bodyOf('1'))).status, 200)
  } finally {
    await server.stop()
  }
}

/** The configuration of the guide, with the paths of the test. */
function writeBackupConfig(folder: string, cluster: Postgres): void {
  const shown = blocksOf(guide).find(({ text }) => text.startsWith('[global]\n'))?.text ?? assert.fail()
  const paths = ['log', 'spool', 'lock'].map((name) => `${name}-path=${ownedFolder(join(folder, name))}\n`)
  const config = shown
    .replace('/var/lib/pgbackrest', ownedFolder(join(folder, 'repository')))
    .replace('/var/lib/postgresql/15/main', cluster.dataFolder)
    .replace('[global]\n', `[global]\n${paths.join('')}`)
  assert.ok(config.includes(cluster.dataFolder))
  writeFileSync(join(folder, 'pgbackrest.conf'), `${config}pg1-port=${cluster.port}\npg1-socket-path=${folder}\n`, {
    mode: 0o644,
  })
}

test('pgBackRest restores a moment into an empty data directory, and the service works at once', async (context) => {
  if (!hasProgram('pgbackrest')) return context.skip('there is no pgbackrest')
  const [archive = '', backup = '', restore = ''] = commandsOf('pgBackRest: any point in time', 3)
  await withCluster(async (cluster, asPostgres) => {
    writeBackupConfig(dirname(cluster.dataFolder), cluster)
    await asPostgres(archive, {})
    await asPostgres(backup, {})
    // pgBackRest knows the end of a backup to the second.
    await sleep(1_100)
    const [{ moment }] = await cluster.query('select clock_timestamp()::text as moment', 'kontor')
    // A mistake after that moment, and the end of the machine.
    await cluster.query('truncate sales cascade; select pg_switch_wal()', 'kontor')
    await asPostgres('pg_ctl stop --silent --mode=fast', {})
    rmSync(cluster.dataFolder, { recursive: true })
    ownedFolder(cluster.dataFolder)
    await asPostgres(restore, { MOMENT: moment })
    await worksAt(cluster.url(), 1, true)
  })
})

test('a synchronous standby is promoted with every acknowledged write, and the service works at once', async () => {
  const [create = '', synchronous = '', promote = ''] = commandsOf('A standby', 3)
  await withCluster(async (cluster, asPostgres) => {
    const port = await freePort()
    const standbyData = ownedFolder(join(dirname(cluster.dataFolder), 'standby'))
    const at = (database: string) => `postgres://postgres@127.0.0.1:${port}/${database}`
    const env = { STANDBY_DATA: standbyData, STANDBY_PORT: String(port), STANDBY_URL: at('postgres') }
    const named = { ...env, PRIMARY_URL: cluster.url('postgres') }
    try {
      await asPostgres(create, named)
      await asPostgres(synchronous, named)
      await cluster.query(`update companies set name = 'Acknowledged'`, 'kontor')
      await asPostgres('pg_ctl stop --silent --mode=immediate', {})
      await asPostgres(promote, named)
      const names = await asPostgres(
        `psql "${at('kontor')}" --tuples-only --no-align --command "select name from companies"`,
        {},
      )
      assert.equal(names.trim(), 'Acknowledged')
      await worksAt(at('kontor'), 1, false)
    } finally {
      await asPostgres(`pg_ctl stop --silent --mode=immediate --pgdata="${standbyData}"`, {}).catch(() => {})
    }
  })
})
