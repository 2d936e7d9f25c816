// The upgrade drill: two servers behind haproxy under load are upgraded as the operators guide describes, rolled back, and upgraded again. A
// long-running reader of every table delays the migration, and must not delay requests.

import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { hasProgram } from '../../server/test/harness/postgres-programs.ts'
import { onTestServer, testDatabaseUrl } from '../../server/test/harness/test-server.ts'
import type { Campaign, Options, Outcome } from '../campaign.ts'
import { Callers } from '../crash/callers.ts'
import type { Op } from '../crash/journal.ts'
import { judge } from '../crash/oracle.ts'
import { ask } from '../crash/service.ts'
import type { Company } from '../crash/stage.ts'
import { openLoop, percentile } from '../overload/open-loop.ts'
import { startProxy } from '../overload/proxy.ts'
import { failuresOf, requestOf } from '../overload/rolling.ts'
import { requestsOf } from '../overload/shops.ts'
import { kontor, makeNextRelease, packReleases, type Release, thisCheckout } from './releases.ts'
import { ServerPair } from './server-pair.ts'

type Form = { readonly perSecond: number; readonly readerMs: number; readonly stopDelayMs: number }
const longForm: Form = { perSecond: 200, readerMs: 20_000, stopDelayMs: 3_000 }
/** Short enough to run with every change. */
const shortForm: Form = { perSecond: 100, readerMs: 3_000, stopDelayMs: 1_500 }

/** A busy machine needs more connections than the default to serve the load without refusing requests. */
const connections = { DATABASE_CONNECTIONS: '16' }

type Upgrade = { readonly from: Release; readonly to: Release }

async function run({ runs, seed, short, say }: Options): Promise<Outcome> {
  if (!hasProgram('haproxy')) return { counts: {}, found: [], skipped: 'there is no haproxy' }
  const folder = mkdtempSync(join(tmpdir(), 'kontor-upgrade-'))
  const counts: Record<string, number> = {}
  const found: string[] = []
  try {
    const upgrade = await prepareUpgrade(folder, short)
    for (let run = 1; run <= runs; run++) {
      const outcome = await drill(upgrade, short ? shortForm : longForm, seed + run)
      for (const [name, count] of Object.entries(outcome.counts))
        counts[name] = name.includes(' at most') ? Math.max(counts[name] ?? 0, count) : (counts[name] ?? 0) + count
      found.push(...outcome.found.map((line) => `run ${run}: ${line}`))
      say(`run ${run}: ${outcome.counts['requests']} requests, ${outcome.found.length} found`)
    }
    return { counts, found }
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

/** The long form upgrades the previous release, which takes minutes to pack; the short form this version. */
async function prepareUpgrade(folder: string, short: boolean): Promise<Upgrade> {
  if (short) return { from: thisCheckout, to: makeNextRelease(thisCheckout, join(folder, 'next')) }
  const { previous, current } = await packReleases(folder)
  return { from: previous, to: current }
}

async function drill({ from, to }: Upgrade, form: Form, seed: number) {
  const name = `kontor_upgrade_${process.pid}_${seed}`
  const databaseUrl = testDatabaseUrl(name)
  await using undo = new AsyncDisposableStack()
  const folder = mkdtempSync(join(tmpdir(), 'kontor-drill-'))
  undo.defer(() => rmSync(folder, { recursive: true, force: true }))
  undo.defer(() => onTestServer(`drop database if exists ${name} with (force)`))
  await createDatabase(from, databaseUrl, name)
  const proxy = await startProxy(2)
  undo.defer(() => proxy.stop())
  const pair = new ServerPair(proxy, {
    DATABASE_URL: databaseUrl,
    STOP_DELAY_MS: String(form.stopDelayMs),
    ...connections,
  })
  undo.defer(() => pair.stop())
  await pair.replace(from)
  const [journaled, ...shops] = await makeCompanies(from, databaseUrl, proxy.url)
  const load = {
    urls: [proxy.url],
    patienceMs: 10_000,
    maxSockets: 400,
    request: requestOf(shops.map((company) => ({ bytes: requestsOf(company) }))),
  }
  // New processes are slow at first.
  await openLoop({ ...load, perSecond: form.perSecond / 5, seconds: 3 })
  const journal = join(folder, 'journal')
  const callers = new Callers({ url: proxy.url, journal, companies: [journaled as Company], lanes: 2, seed })
  undo.defer(() => callers.end())
  const before = await salesOf(databaseUrl, shops)
  let isOver = false
  const loaded = openLoop({ ...load, perSecond: form.perSecond, seconds: 3_600, isEnough: () => isOver })
  let migratedMs = 0
  try {
    await sleep(1_000)
    migratedMs = await migrateBesideReader(to, databaseUrl, form.readerMs)
    await pair.replace(to)
    await pair.replace(from)
    await kontor(to, databaseUrl, 'migrate')
    await pair.replace(to)
    await sleep(1_000)
    await callers.pause()
    await kontor(to, databaseUrl, 'maintain')
  } finally {
    isOver = true
  }
  const heard = await loaded
  const { answered, failed, found } = failuresOf(heard)
  const ops = callers.journal()
  found.push(...failedOps(ops), ...pair.errors())
  const acknowledged = heard.tookMs.get('add')?.length ?? 0
  const written = (await salesOf(databaseUrl, shops)) - before
  // A request without a response may have been done.
  if (written < acknowledged || written > acknowledged + heard.lost)
    found.push(`${acknowledged} sales were acknowledged and ${written} are there`)
  const verdict = await judge(databaseUrl, ops)
  found.push(...verdict.found, ...(await brokenInvariants(to, databaseUrl)))
  return {
    counts: {
      upgrades: 2,
      rollbacks: 1,
      requests: answered + ops.length,
      'failed requests': failed + failedOps(ops).length,
      'writes acknowledged and there': acknowledged + (verdict.counts['acknowledged'] ?? 0),
      'p99 in ms at most': Math.round(percentile([...heard.tookMs.values()].flat(), 99)),
      'ms at most for the migration beside the reader': Math.round(migratedMs),
    },
    found,
  }
}

/** By SQL: the option `--create` is newer than the release that may be upgraded. */
async function createDatabase(release: Release, databaseUrl: string, name: string): Promise<void> {
  await onTestServer(`create database ${name}`)
  await kontor(release, databaseUrl, 'migrate')
}

const shopsBesideJournal = 4

/** Created by the release that serves first. The first company is for the journal, the others have a product and a few sales. */
async function makeCompanies(release: Release, databaseUrl: string, url: string): Promise<Company[]> {
  const companies: Company[] = []
  while (companies.length <= shopsBesideJournal) {
    const made = JSON.parse(await kontor(release, databaseUrl, 'company', 'create', '--name', 'Drill', '--json'))
    companies.push({ id: made.company_id, key: made.api_key })
  }
  const pool = new pg.Client({ connectionString: databaseUrl })
  await pool.connect()
  await pool.query('update companies set daily_limit = 1000000000, materials_in_sales = true')
  await pool.end()
  for (const { key } of companies.slice(1)) {
    const call = async (path: string, body: object) => {
      const { status, text } = await ask(url, key, path, body)
      if (status !== 200) throw new Error(`${path}: ${status} ${text}`)
    }
    await call('products/add', { name: 'Load', sku: 'LOAD' })
    const sale = { customer_name: 'Ada', products: [{ sku: 'LOAD', amount: 1, total: 10 }] }
    for (let num = 1; num <= 10; num++) await call('orders/add', { num: String(num), ...sale })
  }
  return companies
}

/** Every table is read by a transaction that stays open while the migration wants to change them. Returns how long the migration took. */
async function migrateBesideReader(release: Release, databaseUrl: string, readerMs: number): Promise<number> {
  const reader = new pg.Client({ connectionString: databaseUrl })
  await reader.connect()
  try {
    await reader.query('begin isolation level repeatable read')
    const { rows } = await reader.query(
      "select oid::regclass as name from pg_class where relnamespace = 'public'::regnamespace and relkind in ('r', 'p')",
    )
    for (const { name } of rows) await reader.query(`select from ${name} limit 1`)
    const began = performance.now()
    const migrated = kontor(release, databaseUrl, 'migrate').then(() => performance.now() - began)
    await sleep(readerMs)
    await reader.query('commit')
    return await migrated
  } finally {
    await reader.end()
  }
}

async function salesOf(databaseUrl: string, companies: readonly Company[]): Promise<number> {
  const client = new pg.Client({ connectionString: databaseUrl })
  await client.connect()
  try {
    const ids = companies.map(({ id }) => id)
    const { rows } = await client.query('select count(*)::int as n from sales where company_id = any($1)', [ids])
    return rows[0].n
  } finally {
    await client.end()
  }
}

/** The journal's callers repeat what failed; here no attempt may fail. */
const failedOps = (ops: readonly Op[]): string[] =>
  ops.flatMap(({ op, path, responses, silent }) => [
    ...silent.map(({ why }) => `${op} ${path} got no response: ${why}`),
    ...responses
      .filter(({ status }) => status >= 500)
      .map(({ status, answer }) => `${op} ${path}: ${status} ${answer}`),
  ])

/** Of all companies, as the newer release sees them. */
async function brokenInvariants(release: Release, databaseUrl: string): Promise<string[]> {
  try {
    await kontor(release, databaseUrl, 'audit')
    return []
  } catch (error) {
    return [`audit: ${(error as { stdout?: string }).stdout ?? error}`]
  }
}

export const upgrade: Campaign = {
  name: 'upgrade',
  about:
    'Two servers behind haproxy under 200 requests a second are upgraded, rolled back and upgraded again, while a reader of every table stays open for 20 s: no request fails, no acknowledged write is lost, and every invariant holds.',
  short: { runs: 1 },
  long: { runs: 10 },
  run,
}
