// The metrics that Prometheus reads: sums over all processes, and series that exist before the first error, so that alerts can be set.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { commit } from '../../platform/process/commit.ts'
import { version } from '../../platform/process/version.ts'
import { send, startServer } from '../harness/app.ts'
import { given } from '../harness/given.ts'
import { heldWrites } from '../harness/held-writes.ts'

async function metricsAt(address: string): Promise<string> {
  const response = await fetch(address)
  const text = await response.text()
  assert.equal(response.status, 200, text)
  return text
}

/** The series of a metric by their labels. */
const seriesOf = (text: string, metric: string): Record<string, number> =>
  Object.fromEntries(
    [...text.matchAll(new RegExp(`^${metric}\\{(.*)\\} (\\S+)$`, 'gm'))].map(([, labels = '', value]) => [
      labels,
      Number(value),
    ]),
  )

const quiet = {
  faults: { 'kind="internal"': 0, 'kind="sql"': 0, 'kind="outcome_unknown"': 0 },
  busy: { 'reason="full"': 0, 'reason="lock"': 0, 'reason="timeout"': 0, 'reason="database"': 0 },
  notLogged: { 'reason="full"': 0, 'reason="refused"': 0, 'reason="stop"': 0 },
}

test('with several processes /metrics gives the sum over all of them', async (context) => {
  const server = await startServer({ WORKERS: '2' })
  context.after(() => server.stop())
  while (server.output().split('"msg":"listening"').length <= 2) await sleep(20)
  const address = /"metrics":"([^"]+)"/.exec(server.output())?.[1] ?? assert.fail(server.output())
  const company = await given.company()
  const answers = 20
  // On separate connections: each goes to the next process.
  for (let n = 0; n < answers; n++) {
    const headers = { authorization: company.key, connection: 'close' }
    const { status } = await send('/v1/units/get_list.php', { headers, body: '{}' }, server.url)
    assert.equal(status, 200)
  }
  const text = await metricsAt(address)
  const requests = seriesOf(text, 'kontor_requests_total')
  assert.deepEqual(requests, { 'method="units/get_list",status="200"': answers })
  assert.deepEqual(seriesOf(text, 'kontor_faults_total'), quiet.faults)
  assert.match(text, /^kontor_database_connections \d+$/m)
  assert.deepEqual(seriesOf(text, 'kontor_build_info'), { [`version="${version}",commit="${commit()}"`]: 1 })
})

test('metrics that cannot be collected are reported in the response and in the log', async (context) => {
  const server = await startServer({ WORKERS: '2' })
  context.after(() => server.stop('SIGKILL'))
  while (server.output().split('"msg":"listening"').length <= 2) await sleep(20)
  const address = /"metrics":"([^"]+)"/.exec(server.output())?.[1] ?? assert.fail(server.output())
  const worker = Number(/"pid":(\d+)[^\n]*"msg":"listening"/.exec(server.output())?.[1])
  process.kill(worker, 'SIGSTOP')
  try {
    const response = await fetch(address)
    assert.equal(response.status, 500)
    assert.match(await response.text(), /could not be collected/)
    // The output of a process arrives asynchronously.
    while (!server.output().includes('"msg":"the metrics could not be collected"')) await sleep(20)
  } finally {
    process.kill(worker, 'SIGKILL')
  }
})

test('every series of faults, of busy responses and of requests that were not logged exists from the start; a lock timeout counts as busy, not as a fault', async (context) => {
  const server = await startServer()
  context.after(() => server.stop())
  const before = await metricsAt(server.metricsUrl)
  assert.deepEqual(seriesOf(before, 'kontor_faults_total'), quiet.faults)
  assert.deepEqual(seriesOf(before, 'kontor_busy_total'), quiet.busy)
  assert.deepEqual(seriesOf(before, 'kontor_request_log_dropped_total'), quiet.notLogged)

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
