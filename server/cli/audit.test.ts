// The result of `kontor audit` for machines: exit codes, JSON lines, and the metrics file of the node exporter's textfile collector.

import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { createCompany } from '../access/companies.ts'
import { invariantNames, invariants } from '../audit.ts'
import { backfills } from '../platform/postgres/backfills.ts'
import { closeDatabase, openDatabase } from '../platform/postgres/database.ts'
import { scratchDatabase } from '../test/conformance/request/scratch.ts'
import { onTestServer } from '../test/harness/test-server.ts'

const { databaseUrl, sql } = scratchDatabase()

const audit = (words: readonly string[], url = databaseUrl): Promise<{ code: number; out: string; errors: string }> =>
  new Promise((resolve) => {
    const options = { cwd: join(import.meta.dirname, '..', '..'), env: { ...process.env, DATABASE_URL: url } }
    execFile(process.execPath, ['server/cli.ts', 'audit', ...words], options, (error, out, errors) =>
      resolve({ code: error === null ? 0 : Number(error.code ?? -1), out, errors }),
    )
  })

const lastRun = 'kontor_audit_last_run_timestamp_seconds'
const lastSuccess = 'kontor_audit_last_success_timestamp_seconds'
const violations = (invariant: string) => `kontor_audit_violations{invariant="${invariant}"}`

const samples = (file: string): ReadonlyMap<string, number> => samplesOf(readFileSync(file, 'utf8'))

/** The value of each series. */
function samplesOf(text: string): ReadonlyMap<string, number> {
  const lines = text.split('\n')
  return new Map(
    lines
      .filter((line) => line !== '' && !line.startsWith('#'))
      .map((line) => [line.slice(0, line.lastIndexOf(' ')), Number(line.slice(line.lastIndexOf(' ') + 1))]),
  )
}

const value = (series: ReadonlyMap<string, number>, name: string): number => {
  const found = series.get(name)
  assert.ok(found !== undefined && Number.isFinite(found), `${name} has a value`)
  return found
}

const brokenInvariant = 'row level security is enabled and forced on every table of a company'

test('the metrics file and the exit code tell a sound, a broken and an incomplete audit apart', async (context) => {
  const folder = mkdtempSync(join(tmpdir(), 'kontor-audit-'))
  context.after(() => rmSync(folder, { recursive: true }))
  const file = join(folder, 'kontor-audit.prom')
  const begun = Date.now() / 1000

  const sound = await audit(['--json', '--metrics', file])
  assert.equal(sound.code, 0, sound.out + sound.errors)
  const { seconds, ...result } = JSON.parse(sound.out)
  assert.deepEqual(result, { companies: 0, broken_rows: 0, filling_in: [] })
  const first = samples(file)
  assert.ok(value(first, lastRun) >= begun && value(first, lastRun) <= Date.now() / 1000)
  assert.equal(value(first, lastSuccess), value(first, lastRun))
  assert.ok(
    value(first, 'kontor_audit_duration_seconds') > 0 && value(first, 'kontor_audit_duration_seconds') <= seconds,
  )
  // Every invariant has a series with 0 before it is ever broken.
  for (const name of invariantNames) assert.equal(value(first, violations(name)), 0, name)

  await sql('alter table items no force row level security')
  const broken = await audit(['--json', '--metrics', file])
  assert.equal(broken.code, 1, broken.out + broken.errors)
  const lines = broken.out
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line))
  assert.deepEqual(lines[0], { company_id: null, invariant: brokenInvariant, row: { relname: 'items' } })
  assert.equal(lines.at(-1).broken_rows, lines.length - 1)
  const second = samples(file)
  assert.equal(value(second, violations(brokenInvariant)), 1)
  assert.ok(value(second, lastRun) > value(first, lastRun))
  assert.equal(value(second, lastSuccess), value(first, lastSuccess))

  const incomplete = await audit(['--metrics', file], 'postgres://postgres@127.0.0.1:1/kontor')
  assert.equal(incomplete.code, 2, incomplete.out + incomplete.errors)
  // The file stays as it is, so that the time of the last run gets old.
  assert.deepEqual(samples(file), second)

  await sql('alter table items force row level security')
  assert.equal((await audit(['--metrics', file])).code, 0)
  const fourth = samples(file)
  assert.equal(value(fourth, lastSuccess), value(fourth, lastRun))
  assert.equal(value(fourth, violations(brokenInvariant)), 0)
  assert.deepEqual(readdirSync(folder), ['kontor-audit.prom'], 'no temporary file remains')
})

test('the metrics are sent to a Pushgateway, the time of the last success only after a success', async (context) => {
  const pushed: { path: string | undefined; body: string }[] = []
  let status = 200
  const gateway = createServer((request, response) => {
    let body = ''
    request.on('data', (chunk) => (body += chunk))
    request.on('end', () => {
      pushed.push({ path: `${request.method} ${request.url}`, body })
      response.writeHead(status).end('full')
    })
  })
  await new Promise<void>((resolve) => gateway.listen(0, '127.0.0.1', resolve))
  context.after(() => gateway.close())
  const at = `http://127.0.0.1:${(gateway.address() as AddressInfo).port}`
  const path = '/metrics/job/kontor_audit/instance/shop'

  assert.equal((await audit(['--metrics', at + path])).code, 0)
  await sql('alter table items no force row level security')
  assert.equal((await audit(['--metrics', at + path])).code, 1)
  await sql('alter table items force row level security')
  const [sound, broken] = pushed.map(({ body }) => samplesOf(body))
  assert.deepEqual(new Set(pushed.map((one) => one.path)), new Set([`POST ${path}`]))
  assert.equal(value(sound as ReadonlyMap<string, number>, lastSuccess), sound?.get(lastRun))
  assert.equal(broken?.has(lastSuccess), false)
  assert.equal(broken?.get(violations(brokenInvariant)), 1)

  status = 507
  const refused = await audit(['--metrics', at + path])
  assert.equal(refused.code, 2)
  assert.match(refused.errors, /the Pushgateway answered the metrics with 507 full/)
  assert.match((await audit(['--metrics', at])).errors, /--metrics: the address of a Pushgateway contains the job/)
})

test('an audit that never succeeded has 0 as the time of its last success', async (context) => {
  const folder = mkdtempSync(join(tmpdir(), 'kontor-audit-'))
  context.after(() => rmSync(folder, { recursive: true }))
  const file = join(folder, 'kontor-audit.prom')
  await sql('alter table items no force row level security')
  assert.equal((await audit(['--metrics', file])).code, 1)
  await sql('alter table items force row level security')
  assert.equal(value(samples(file), lastSuccess), 0)
  assert.ok(value(samples(file), lastRun) > 0)
})

test('a metrics file that cannot be created, or only for one company, is refused before the audit', async () => {
  const missing = await audit(['--metrics', '/nowhere/kontor.prom'])
  assert.equal(missing.code, 2)
  assert.match(missing.errors, /--metrics: files cannot be created in \/nowhere/)
  const one = await audit(['--company', '1', '--metrics', join(tmpdir(), 'kontor-audit-of-one.prom')])
  assert.equal(one.code, 2)
  assert.match(one.errors, /leave out --company/)
})

const serving = `kontor_audit_${process.pid}`
before(() => onTestServer(`create role ${serving} login; grant kontor_server to ${serving}`))
after(() => onTestServer(`drop role ${serving}`))

test('an audit that can see nothing does not say that nothing is wrong', async () => {
  const none = await audit([])
  assert.equal(none.code, 0)
  assert.equal(none.out, 'There are no companies: only the schema was checked, and it is sound.\n')
  const missing = await audit(['--company', '4711'])
  assert.deepEqual([missing.code, missing.out], [2, ''])
  assert.match(missing.errors, /^kontor: There is no company 4711, so nothing was checked\.$/m)
  const unseen = await audit([], Object.assign(new URL(databaseUrl), { username: serving }).href)
  assert.deepEqual([unseen.code, unseen.out], [2, ''])
  assert.match(unseen.errors, new RegExp(`^kontor: ${serving} does not own the tables and sees no company`, 'm'))
  const empty = await audit([], Object.assign(new URL(databaseUrl), { pathname: '/postgres' }).href)
  assert.deepEqual([empty.code, empty.out], [2, ''])
  assert.match(empty.errors, /The database has no tables of Kontor/)
})

test('the backfills that invariants name exist', () => {
  const known = new Set(backfills.map(({ name }) => name))
  const named = new Set(invariants.flatMap(({ filledInBy }) => filledInBy ?? []))
  assert.ok(named.size > 0 && named.isSubsetOf(known), [...named].join())
})

test('rows that a backfill has still to fill in are named, and not reported as broken', async () => {
  const database = openDatabase(databaseUrl, { connections: 1, streams: 1 })
  const { company_id: id } = await createCompany(database.pool, 'Upgraded', 'UTC')
  await closeDatabase(database)
  await sql(`insert into sale_counts (company_id, listed, status, payment, entries) values ($1, 2912346, 0, 0, 3)`, [
    id,
  ])
  // As version 0.1 created it.
  await sql(`insert into units (company_id, id, name) values ($1, 900, 'crate')`, [id])
  await sql('update company_clock set last_unit_id = 900 where company_id = $1', [id])
  await sql('update backfills set finished_at = null, last_company_id = 0, companies_left = 1')
  const filling = await audit([])
  assert.equal(filling.code, 0, filling.out)
  assert.deepEqual(filling.out.trim().split('\n'), [
    'Still being filled in: counts_of_sales (companies left: 1; rows not counted as broken: 1).',
    'Still being filled in: events_of_records (companies left: 1; rows not counted as broken: 1).',
    'Still being filled in: folded_texts (companies left: 1; rows not counted as broken: 0).',
    'Still being filled in: known_costs_of_sales (companies left: 1; rows not counted as broken: 0).',
    'All other invariants hold (companies: 1).',
  ])
  const { filling_in: shown } = JSON.parse((await audit(['--json'])).out)
  assert.deepEqual(shown[0], { backfill: 'counts_of_sales', companies_left: 1, rows: 1 })

  // The backfill has passed the company: what is wrong now stays wrong.
  await sql('update backfills set last_company_id = $1, companies_left = 0', [id])
  const broken = await audit([])
  assert.equal(broken.code, 1)
  assert.match(broken.out, /^BROKEN {2}company \d+ {2}sales are counted by day, status and payment$/m)
  assert.match(broken.out, /^BROKEN {2}company \d+ {2}units have events of their creation$/m)
  await sql('delete from sale_counts')
  await sql('delete from units where id = 900')
  // Nothing lacks: so all invariants hold, although the backfills have not looked yet.
  await sql('update backfills set last_company_id = 0, companies_left = 1')
  assert.match((await audit([])).out, /^Still being filled in: .*\nAll invariants hold \(companies: 1\)\.\n$/s)
  await sql('update backfills set finished_at = now(), companies_left = 0')
  assert.equal((await audit([])).out, 'All invariants hold (companies: 1).\n')
})
