// A company with a million sales, exported and imported by the commands: how much memory that takes, and how long compared with pg_dump and pg_restore.

import assert from 'node:assert/strict'
import { execFile, spawn } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { promisify } from 'node:util'
import { migrate } from '../../platform/postgres/migrate.ts'
import { brokenAt } from '../../test/harness/archives.ts'
import { databaseUrl, query } from '../../test/harness/database.ts'
import { loadSales } from '../../test/harness/many-sales.ts'
import { clientProgram } from '../../test/harness/postgres-programs.ts'
import { asOwner } from '../owner.ts'

/** Fewer on a machine that is slow or busy. */
const sales = Number(process.env['KONTOR_TEST_ARCHIVE_SALES'] ?? 1_000_000)
const root = join(import.meta.dirname, '..', '..', '..')
const run = promisify(execFile)

const mib = (bytes: number): number => Math.round(bytes / 1024 / 1024)

/** What the process has to itself, without the shared memory of PostgreSQL. */
function memoryOf(pid: number): number {
  try {
    const text = readFileSync(`/proc/${pid}/status`, 'utf8')
    return Number(/RssAnon:\s+(\d+)/.exec(text)?.[1] ?? 0) * 1024
  } catch {
    return 0
  }
}

type Measured = {
  readonly seconds: number
  /** Until it printed something: an import, what it has written, before it audits the company. */
  readonly printedSeconds: number
  readonly processMib: number
  readonly backendMib: number
}

/** Runs a command of Kontor in a shell, and looks at the memory of its process and of its backend. */
async function measured(url: string, words: string): Promise<Measured> {
  const began = performance.now()
  const child = spawn('sh', ['-c', `exec "${process.execPath}" server/cli.ts ${words}`], {
    cwd: root,
    env: { ...process.env, DATABASE_URL: url },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let errors = ''
  let printedMs = began
  child.stdout.once('data', () => (printedMs = performance.now()))
  child.stdout.resume()
  child.stderr.on('data', (text) => (errors += text))
  const ended = new Promise<number | null>((resolve) => child.once('close', resolve))
  let isOver = false
  void ended.then(() => (isOver = true))
  let [processBytes, backendBytes] = [0, 0]
  await asOwner(url, async (client) => {
    while (!isOver) {
      processBytes = Math.max(processBytes, memoryOf(child.pid ?? 0))
      const { rows } = await client.query(
        `select pid from pg_stat_activity where application_name = 'kontor tenants' and datname = current_database() and pid <> pg_backend_pid()`,
      )
      for (const { pid } of rows) backendBytes = Math.max(backendBytes, memoryOf(pid))
      await new Promise((resolve) => setTimeout(resolve, 100))
    }
  })
  assert.equal(await ended, 0, errors)
  return {
    seconds: (performance.now() - began) / 1000,
    printedSeconds: (printedMs - began) / 1000,
    processMib: mib(processBytes),
    backendMib: mib(backendBytes),
  }
}

async function secondsOf(work: () => Promise<unknown>): Promise<number> {
  const began = performance.now()
  await work()
  return (performance.now() - began) / 1000
}

const at = (name: string): string => Object.assign(new URL(databaseUrl()), { pathname: `/${name}` }).href

async function created(name: string): Promise<string> {
  await asOwner(databaseUrl(), (client) => client.query(`create database ${name}`))
  return at(name)
}

test(`a company with ${sales} sales is exported and imported in little memory, at no less than half of the rate of pg_dump and pg_restore into the same tables`, async (context) => {
  const folder = mkdtempSync(join(tmpdir(), 'kontor-rate-'))
  const names = ['imported', 'restored', 'loaded'].map((name) => `kontor_rate_${name}_${process.pid}`)
  context.after(async () => {
    rmSync(folder, { recursive: true })
    for (const name of names)
      await asOwner(databaseUrl(), (client) => client.query(`drop database if exists ${name} with (force)`))
  })
  const company = await loadSales({ sales, days: 730, lastDay: '2026-06-30' })
  const [archive, dump] = [join(folder, 'company.archive'), join(folder, 'database.dump')]
  const [imported = '', restored = '', loaded = ''] = await Promise.all(names.map(created))

  const exporting = await measured(databaseUrl(), `company export --company ${company.id} > '${archive}'`)
  const dumping = await secondsOf(() => run(clientProgram('pg_dump'), ['-Fc', '-f', dump, databaseUrl()]))
  const restoring = await secondsOf(() => run(clientProgram('pg_restore'), ['-d', restored, dump]))
  // Without the triggers of foreign keys: the tables of companies and storage locations refer to each other.
  const ofData = ['--data-only', '--disable-triggers', '-d', loaded]
  await run(clientProgram('pg_restore'), ['--schema-only', '-d', loaded, dump])
  const loading = await secondsOf(() => run(clientProgram('pg_restore'), [...ofData, dump]))
  await migrate(imported)
  const importing = await measured(imported, `company import < '${archive}'`)

  // pg_restore audits nothing.
  const total = exporting.seconds + importing.printedSeconds
  const auditing = importing.seconds - importing.printedSeconds
  const line = (name: string, one: Measured): string =>
    `${name} ${one.seconds.toFixed(1)} s (${Math.round(sales / one.seconds)} sales/s), process ${one.processMib} MiB, backend ${one.backendMib} MiB`
  context.diagnostic(`${sales} sales; archive ${mib(statSync(archive).size)} MiB, dump ${mib(statSync(dump).size)} MiB`)
  context.diagnostic(line('export', exporting))
  context.diagnostic(`${line('import with audit', importing)}, the audit ${auditing.toFixed(1)} s of it`)
  context.diagnostic(
    `pg_dump ${dumping.toFixed(1)} s, pg_restore with schema ${restoring.toFixed(1)} s, into the tables with their indexes ${loading.toFixed(1)} s`,
  )
  context.diagnostic(
    `rate without the audit ${((dumping + restoring) / total).toFixed(2)} of pg_dump and pg_restore, ${((dumping + loading) / total).toFixed(2)} into tables with indexes`,
  )
  assert.deepEqual(await brokenAt(imported, company.id), [])
  const [{ rows }] = await asOwner(
    imported,
    async (client) => (await client.query('select count(*)::int as rows from sales')).rows,
  )
  assert.equal(rows, sales)
  assert.equal(
    (await query(company.id, 'select count(*)::int as rows from sales where company_id = $1', [company.id]))[0].rows,
    sales,
  )
  for (const { processMib, backendMib } of [exporting, importing])
    assert.ok(processMib < 300 && backendMib < 300, `${processMib} and ${backendMib} MiB`)
  assert.ok(importing.printedSeconds > 0, 'the import printed nothing before its audit')
  const worst = 2 * (dumping + loading)
  assert.ok(total < worst, 'less than half of the rate of pg_dump and pg_restore into the same tables')
})
