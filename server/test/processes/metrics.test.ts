// The metrics that Prometheus reads: sums over all processes, and series that exist before the first event, so that alerts can be set.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import pg from 'pg'
import { serverRole } from '../../platform/postgres/connection.ts'
import { commit } from '../../platform/process/commit.ts'
import { knownSeries, type MetricRow, metricTable } from '../../platform/process/metric-table.ts'
import { version } from '../../platform/process/version.ts'
import { type Server, send, startServer } from '../harness/app.ts'
import { databaseUrl } from '../harness/database.ts'
import { type Company, given } from '../harness/given.ts'
import { heldWrites } from '../harness/held-writes.ts'
import { until } from '../harness/until.ts'

async function metricsAt(address: string): Promise<string> {
  const response = await fetch(address)
  const text = await response.text()
  assert.equal(response.status, 200, text)
  return text
}

/** The series of a metric by their labels; '' for a metric without labels. */
const seriesOf = (text: string, metric: string): Record<string, number> =>
  Object.fromEntries(
    [...text.matchAll(new RegExp(`^${metric}(?:\\{(.*)\\})? (\\S+)$`, 'gm'))].map(([, labels = '', value]) => [
      labels,
      Number(value),
    ]),
  )

const quiet = {
  faults: { 'kind="internal"': 0, 'kind="sql"': 0, 'kind="outcome_unknown"': 0 },
  busy: { 'reason="full"': 0, 'reason="lock"': 0, 'reason="timeout"': 0, 'reason="database"': 0 },
}

/** Other tests may use the processor at the same time. */
const patient = { pollMs: 50 }

async function startWorkers(workers: number): Promise<Server> {
  const server = await startServer({ WORKERS: String(workers) })
  await until(() => server.output().split('"msg":"listening"').length > workers)
  return server
}

const workerPid = (server: Server): number =>
  Number(/"pid":(\d+)[^\n]*"msg":"listening"/.exec(server.output())?.[1] ?? assert.fail(server.output()))

/** On a connection of its own: the next request goes to the next process. */
const ask = async ({ url }: Server, { key }: Company) =>
  await send('/v1/units/get_list.php', { headers: { authorization: key, connection: 'close' }, body: '{}' }, url)

test('with several processes /metrics gives the sum over all of them, also after one of them has ended', async (context) => {
  const server = await startWorkers(2)
  context.after(() => server.stop())
  const company = await given.company()
  const answers = 20
  for (let n = 0; n < answers; n++) assert.equal((await ask(server, company)).status, 200)
  const requests = { 'method="units/get_list",status="200"': answers }
  const text = await metricsAt(server.metricsUrl)
  assert.deepEqual(seriesOf(text, 'kontor_requests_total'), requests)
  assert.deepEqual(seriesOf(text, 'kontor_faults_total'), quiet.faults)
  assert.deepEqual(seriesOf(text, 'kontor_build_info'), { [`version="${version}",commit="${commit()}"`]: 1 })
  assert.equal(seriesOf(text, 'kontor_request_seconds_count')['api="public",class="read"'], answers)
  assert.ok((seriesOf(text, 'kontor_database_connections')[''] ?? 0) >= 2, 'both processes have connections')
  assert.deepEqual(seriesOf(text, 'kontor_workers'), { '': 2 })

  process.kill(workerPid(server), 'SIGKILL')
  await until(async () => seriesOf(await metricsAt(server.metricsUrl), 'kontor_worker_exits_total')[''] === 1, patient)
  assert.deepEqual(seriesOf(await metricsAt(server.metricsUrl), 'kontor_requests_total'), requests)
  await until(async () => seriesOf(await metricsAt(server.metricsUrl), 'kontor_workers')[''] === 2, patient)
})

test('a process that does not respond is reported, and its last known values remain in the sums', async (context) => {
  const server = await startWorkers(2)
  context.after(() => server.stop('SIGKILL'))
  const company = await given.company()
  for (let n = 0; n < 4; n++) await ask(server, company)
  const before = seriesOf(await metricsAt(server.metricsUrl), 'kontor_requests_total')
  const worker = workerPid(server)
  process.kill(worker, 'SIGSTOP')
  try {
    const text = await metricsAt(server.metricsUrl)
    assert.deepEqual(seriesOf(text, 'kontor_workers'), { '': 1 })
    assert.deepEqual(seriesOf(text, 'kontor_workers_configured'), { '': 2 })
    assert.deepEqual(seriesOf(text, 'kontor_requests_total'), before)
  } finally {
    process.kill(worker, 'SIGKILL')
  }
})

for (const workers of [1, 2]) {
  test(`every series that is known in advance exists from the first scrape, with ${workers} processes`, async (context) => {
    const server = await startServer({ WORKERS: String(workers) })
    context.after(() => server.stop())
    const text = await metricsAt(server.metricsUrl)
    for (const row of Object.values<MetricRow>(metricTable)) {
      assert.match(text, new RegExp(`^# TYPE ${row.name} ${row.type}$`, 'm'))
      const present = seriesOf(text, row.type === 'histogram' ? `${row.name}_count` : row.name)
      for (const labels of knownSeries(row)) {
        const name = Object.entries(labels)
          .map(([label, value]) => `${label}="${value}"`)
          .join(',')
        assert.ok(name in present, `${row.name}{${name}} is missing`)
        if (row.type === 'counter') assert.equal(present[name], 0)
      }
    }
    assert.deepEqual(seriesOf(text, 'kontor_workers_configured'), { '': workers })
    assert.deepEqual(seriesOf(text, 'kontor_database_up'), { '': 1 })
  })
}

test('a lock timeout counts as busy, not as a fault', async (context) => {
  const server = await startServer()
  context.after(() => server.stop())
  const company = await given.company()
  await heldWrites(context, company)
  const answer = await send(
    '/v1/units/add.php',
    { headers: { authorization: company.key }, body: '{"name": "m"}' },
    server.url,
  )
  assert.equal(answer.status, 503, answer.text)
  const after = await metricsAt(server.metricsUrl)
  assert.deepEqual(seriesOf(after, 'kontor_faults_total'), quiet.faults)
  assert.deepEqual(seriesOf(after, 'kontor_busy_total'), { ...quiet.busy, 'reason="lock"': 1 })
})

test('a company that reaches 80 % and 100 % of its daily limit counts once for each, over all processes', async (context) => {
  const server = await startWorkers(2)
  context.after(() => server.stop())
  const company = await given.company({ daily_limit: 10 })
  const statuses: number[] = []
  for (let n = 0; n < 13; n++) statuses.push((await ask(server, company)).status)
  assert.deepEqual(statuses, [...Array(10).fill(200), 429, 429, 429])
  const text = await metricsAt(server.metricsUrl)
  assert.deepEqual(seriesOf(text, 'kontor_quota_reached_total'), { 'percent="80"': 1, 'percent="100"': 1 })
  assert.equal(seriesOf(text, 'kontor_limited_total')['api="public"'], 3)
})

test('a login that owns nothing reads the metrics of the database; with pg_read_all_stats also the age of the transactions of others', async (context) => {
  const login = `kontor_metrics_${process.pid}`
  const owner = new pg.Client({ connectionString: databaseUrl() })
  await owner.connect()
  await owner.query(`create role ${login} login; grant ${serverRole} to ${login}`)
  const url = Object.assign(new URL(databaseUrl()), { username: login }).href
  const server = await startServer({ DATABASE_URL: url, DATABASE_METRICS_SECONDS: '1' }, ['--no-migrate'])
  context.after(async () => {
    await server.stop()
    await owner.query(`rollback; drop role ${login}`)
    await owner.end()
  })
  const oldest = async () =>
    seriesOf(await metricsAt(server.metricsUrl), 'kontor_database_oldest_transaction_seconds')[''] ?? assert.fail()
  assert.deepEqual(seriesOf(await metricsAt(server.metricsUrl), 'kontor_database_up'), { '': 1 })

  const own = new pg.Client({ connectionString: url })
  await own.connect()
  await own.query('begin')
  await until(async () => (await oldest()) > 1, patient)
  await own.query('rollback')
  await own.end()
  await until(async () => (await oldest()) < 1, patient)

  await owner.query(`grant pg_read_all_stats to ${login}`)
  await owner.query('begin')
  await until(async () => (await oldest()) > 2, patient)
})
