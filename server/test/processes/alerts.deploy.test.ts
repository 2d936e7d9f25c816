// The alerts: promtool accepts them and their unit tests pass, everything they name exists, and on a real Prometheus that scrapes a real server with
// four workers each of them fires in an incident and clears after it. Long because it contains the incident of every alert.

import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { freePort } from '../../../demo/ports.ts'
import { createCompany } from '../../access/companies.ts'
import { alerts, alertsFile, runbookPage } from '../../generate/alerts.ts'
import { closeDatabase, openDatabase } from '../../platform/postgres/database.ts'
import { type MetricRow, metricTable } from '../../platform/process/metric-table.ts'
import { scratchDatabase } from '../conformance/request/scratch.ts'
import { type Server, send, startServer } from '../harness/app.ts'
import { hasProgram } from '../harness/postgres-programs.ts'
import { Prometheus } from '../harness/prometheus.ts'
import { until } from '../harness/until.ts'

const root = join(import.meta.dirname, '..', '..', '..')
const skip = hasProgram('promtool') && hasProgram('prometheus') ? false : 'Prometheus is not installed'
const { databaseUrl, sql, setReachable } = scratchDatabase()

const promtool = (...args: string[]): string => execFileSync('promtool', args, { cwd: root, encoding: 'utf8' })

test('promtool accepts the rules and the configuration, and the unit tests of the rules pass', { skip }, () => {
  assert.match(promtool('check', 'rules', 'deploy/prometheus/alerts.yaml'), new RegExp(`${alerts.length} rules found`))
  promtool('check', 'config', 'deploy/prometheus/prometheus.yaml')
  promtool('test', 'rules', 'deploy/prometheus/alerts.test.yaml')
  const tests = readFileSync(join(root, 'deploy/prometheus/alerts.test.yaml'), 'utf8')
  for (const { name } of alerts) assert.match(tests, new RegExp(`alertname="${name}"`), `no unit test for ${name}`)
})

test('every alert has a section in the runbook, and no section is left over', () => {
  const headings = [...readFileSync(join(root, runbookPage), 'utf8').matchAll(/^## (Kontor\w+)$/gm)].map(
    ([, one]) => one,
  )
  assert.deepEqual(
    headings,
    alerts.map(({ name }) => name),
  )
})

const metricNames = (text: string): string[] => text.match(/\bkontor_\w+/g) ?? []

test('the rules and the dashboard name only metrics that a scrape returns, and every metric has a chart', async (context) => {
  const server = await startServer({ DATABASE_URL: databaseUrl })
  context.after(() => server.stop())
  // The only metric without series known in advance.
  await send('/v1/units/get_list.php', { body: '{}' }, server.url)
  const text = await (await fetch(server.metricsUrl)).text()
  const present = new Set(text.split('\n').map((line) => /^\w+/.exec(line)?.[0]))
  const dashboard = readFileSync(join(root, 'deploy/grafana/dashboard.json'), 'utf8')
  const charts = (JSON.parse(dashboard) as { panels: { targets?: { expr: string }[] }[] }).panels
    .flatMap(({ targets = [] }) => targets)
    .map(({ expr }) => expr)
  // Written by `kontor audit --metrics`.
  const ofAudit = ['kontor_audit_violations', 'kontor_audit_last_run_timestamp_seconds']
  const named = [...charts, ...alerts.map(({ expr }) => expr)].flatMap(metricNames)
  assert.ok(named.length > 30)
  assert.deepEqual(
    named.filter((name) => !present.has(name) && !ofAudit.includes(name)),
    [],
  )
  for (const { name } of Object.values<MetricRow>(metricTable))
    assert.ok(
      charts.some((expr) => new RegExp(`\\b${name}(?:_bucket|_sum|_count)?\\b`).test(expr)),
      name,
    )
})

/** The rules with short times, and with thresholds that can be reached in seconds. */
function quickRules(): string {
  const thresholds = [
    ['seconds > 900', 'seconds > 3'],
    // The processes of a busy machine are often late by a quarter of a second, but not by a whole one.
    ['le="0.25"', 'le="1"'],
    ['> 15', '> 2'],
    ['wait_seconds > 30', 'wait_seconds > 2'],
  ] as const
  const rules = alertsFile()
    .replace(/^( +for:) \w+$/gm, '$1 1s')
    .replace(/\[\d+m\]/g, '[10s]')
  return thresholds.reduce((text, [from, to]) => {
    assert.equal(text.split(from).length, 2, `${from} occurs once`)
    return text.replace(from, to)
  }, rules)
}

/** What `kontor audit --metrics` writes, served as the node exporter does. */
async function auditTarget() {
  const state = { violations: 0, lastRunMs: Date.now() }
  const server = createServer((_request, response) => {
    response.writeHead(200, { 'content-type': 'text/plain; version=0.0.4' })
    response.end(
      `kontor_audit_violations{invariant="stock is the sum of the ledger"} ${state.violations}\n` +
        `kontor_audit_last_run_timestamp_seconds ${state.lastRunMs / 1000}\n`,
    )
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return { state, address: `127.0.0.1:${(server.address() as AddressInfo).port}`, close: () => server.close() }
}

type Incident = {
  readonly alerts: readonly string[]
  /** Causes the incident and returns the function that ends it. */
  readonly begin: () => Promise<() => unknown>
}

type Caller = { readonly id: number; readonly key: string }

async function newCompanies(count: number): Promise<Caller[]> {
  const database = openDatabase(databaseUrl, { connections: 1, streams: 1 })
  const companies: Caller[] = []
  while (companies.length < count) {
    const { company_id: id, api_key: key } = await createCompany(database.pool, 'Alerts', 'UTC')
    companies.push({ id, key })
  }
  await closeDatabase(database)
  return companies
}

/** A transaction that stays open; rolled back at the end. */
async function openTransaction(statement: string): Promise<() => Promise<void>> {
  const client = new pg.Client({ connectionString: databaseUrl })
  client.on('error', () => {})
  await client.connect()
  await client.query('begin')
  await client.query(statement)
  return () => client.end()
}

/** Vacuums the table. Dead rows remain while any older transaction is open. */
async function isVacuumed(table: string): Promise<boolean> {
  await sql(`vacuum ${table}`)
  const [row] = await sql('select n_dead_tup::int as dead from pg_stat_user_tables where relname = $1', [table])
  return row?.['dead'] === 0
}

/** Repeats `work` on several lanes until it is stopped. */
function repeatedly(lanes: number, work: (lane: number) => Promise<unknown>): () => Promise<void> {
  let isOver = false
  const running = Array.from({ length: lanes }, async (_, lane) => {
    while (!isOver) await work(lane)
  })
  return async () => {
    isOver = true
    await Promise.all(running)
  }
}

test('on a real Prometheus each alert fires in an incident and clears after it', { skip }, async (context) => {
  const audit = await auditTarget()
  const metricsPort = await freePort()
  const env = {
    DATABASE_URL: databaseUrl,
    WORKERS: '4',
    METRICS_PORT: String(metricsPort),
    DATABASE_METRICS_SECONDS: '1',
    REQUEST_LOG_QUEUE_ROWS: '10',
  }
  let server: Server = await startServer(env)
  const prometheus = await Prometheus.start(quickRules(), [
    { job: 'kontor', address: `127.0.0.1:${metricsPort}` },
    { job: 'node', address: audit.address },
  ])
  context.after(async () => {
    await prometheus.stop()
    await server.stop('SIGKILL')
    audit.close()
  })
  while (server.output().split('"msg":"listening"').length <= 4) await sleep(50)
  const [worker = 0, other = 0] = [...server.output().matchAll(/"pid":(\d+)[^\n]*"msg":"listening"/g)].map(([, pid]) =>
    Number(pid),
  )
  // An increase is seen from the first scrape on.
  await until(() => prometheus.isScraping(), { withinMs: 60_000, pollMs: 100 })
  const companies = await newCompanies(6)
  const [limited, writer, logged] = (await newCompanies(3)) as [Caller, Caller, Caller]
  await sql('update companies set daily_limit = 5 where company_id = $1', [limited.id])
  const call = async (company: Caller | undefined, path: string, body: object = {}) => {
    const headers = { authorization: company?.key ?? '', connection: 'close' }
    return await send(`/v1/${path}.php`, { headers, body: JSON.stringify(body) }, server.url)
  }

  const waitFor = async (names: readonly string[], fires: boolean) =>
    await until(
      async () => {
        const firing = await prometheus.firing()
        return names.every((name) => firing.has(name) === fires)
      },
      { withinMs: 120_000, pollMs: 200, what: () => `${names.join(', ')} ${fires ? 'did not fire' : 'did not clear'}` },
    )
  const seen: string[] = []
  const firesAndClears = async (incident: Incident) => {
    const started = performance.now()
    const end = await incident.begin()
    try {
      await waitFor(incident.alerts, true)
    } finally {
      await end()
    }
    const ended = performance.now()
    await waitFor(incident.alerts, false)
    seen.push(...incident.alerts)
    const [fired, cleared] = [ended - started, performance.now() - ended].map((ms) => Math.round(ms / 1000))
    context.diagnostic(`${incident.alerts.join(', ')}: fired and ended after ${fired} s, cleared after ${cleared} s`)
  }

  const light: readonly Incident[] = [
    {
      alerts: ['KontorFaults'],
      begin: async () => {
        await sql('revoke select on categories from kontor_server')
        const stop = repeatedly(1, () => call(logged, 'categories/get_list'))
        return async () => {
          await stop()
          await sql('grant select on categories to kontor_server')
        }
      },
    },
    {
      alerts: ['KontorQuotaNearlyUsed', 'KontorQuotaUsedUp'],
      begin: async () => {
        while ((await call(limited, 'storages/get_list')).status !== 429);
        return () => {}
      },
    },
    {
      alerts: ['KontorClockInDoubt'],
      begin: async () => {
        await sql(`update trusted_clock set recorded_at = now() - interval '60 days'`)
        return () => sql('update trusted_clock set recorded_at = now()')
      },
    },
    { alerts: ['KontorLongTransaction'], begin: () => openTransaction('select') },
    {
      alerts: ['KontorDeadRows'],
      begin: async () => {
        await sql('alter table idempotency_keys set (autovacuum_enabled = false)')
        await sql(
          `insert into idempotency_keys (company_id, key, request_hash, status, answer) select $1, n, '', 200, '' from generate_series(1, 110000) n`,
          [logged.id],
        )
        await sql('delete from idempotency_keys where company_id = $1', [logged.id])
        return () => until(() => isVacuumed('idempotency_keys'), { withinMs: 60_000, pollMs: 500 })
      },
    },
    {
      alerts: ['KontorAuditViolations', 'KontorAuditTooOld'],
      begin: async () => {
        Object.assign(audit.state, { violations: 2, lastRunMs: Date.now() - 2 * 86_400_000 })
        return () => Object.assign(audit.state, { violations: 0, lastRunMs: Date.now() })
      },
    },
    {
      alerts: ['KontorEventLoopBlocked'],
      begin: async () =>
        repeatedly(1, async () => {
          process.kill(worker, 'SIGSTOP')
          await sleep(1_300)
          process.kill(worker, 'SIGCONT')
          await sleep(200)
        }),
    },
  ]
  /** Requests wait for locks. */
  const heavy: readonly Incident[] = [
    {
      alerts: ['KontorBusy', 'KontorConnectionsShort'],
      begin: async () => {
        const release = await openTransaction('lock table units in access exclusive mode')
        const stop = repeatedly(24, (lane) => call(companies[lane % 6], 'units/get_list'))
        return async () => {
          await release()
          await stop()
        }
      },
    },
    {
      alerts: ['KontorWritesQueue', 'KontorSlow'],
      begin: async () => {
        const release = await openTransaction(`select from company_clock where company_id = ${writer.id} for update`)
        const stop = repeatedly(40, () => call(writer, 'categories/add', { name: 'C', type: 'products' }))
        return async () => {
          await release()
          await stop()
        }
      },
    },
    {
      alerts: ['KontorWebhooksLate'],
      begin: async () => {
        for (const { id } of companies) {
          await sql(`insert into webhook_companies (company_id) values ($1)`, [id])
          await sql(`update company_clock set has_webhooks = true where company_id = $1`, [id])
        }
        const release = await openTransaction('lock table webhook_endpoints in access exclusive mode')
        const stop = repeatedly(6, (lane) => call(companies[lane], 'categories/add', { name: 'C', type: 'products' }))
        return async () => {
          await release()
          await stop()
        }
      },
    },
    {
      alerts: ['KontorRequestLogQueue', 'KontorRequestLogDropped'],
      begin: async () => {
        const release = await openTransaction('lock table request_log in share mode')
        const stop = repeatedly(2, () => call(logged, 'storages/get_list'))
        return async () => {
          await release()
          await stop()
        }
      },
    },
  ]
  const oneByOne: readonly Incident[] = [
    {
      alerts: ['KontorWorkersMissing'],
      begin: async () => {
        process.kill(worker, 'SIGSTOP')
        return () => process.kill(worker, 'SIGCONT')
      },
    },
    {
      alerts: ['KontorWorkerEnded'],
      begin: async () => {
        process.kill(other, 'SIGKILL')
        return () => {}
      },
    },
    {
      alerts: ['KontorDatabaseUnavailable'],
      begin: async () => {
        await setReachable(false)
        return () => setReachable(true)
      },
    },
    {
      alerts: ['KontorDown'],
      begin: async () => {
        await server.stop()
        return async () => {
          server = await startServer(env)
        }
      },
    },
  ]
  await Promise.all(light.map(firesAndClears))
  await Promise.all(heavy.map(firesAndClears))
  for (const incident of oneByOne) await firesAndClears(incident)
  assert.deepEqual(seen.toSorted(), alerts.map(({ name }) => name).toSorted())
  await until(async () => (await prometheus.firing()).size === 0, { withinMs: 120_000, pollMs: 200 })
})
