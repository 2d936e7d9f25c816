// The request log while the database does not accept its rows: they are written late, in bounded memory, and what is dropped is counted,
// recorded and shown. On a database of this file alone, because its log is locked.

import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import pg from 'pg'
import { methodPath } from '../platform/http/paths.ts'
import { scratchDatabase } from '../test/conformance/request/scratch.ts'
import { type Server, send } from '../test/harness/app.ts'
import { Browser } from '../test/harness/browser.ts'
import { metric } from '../test/harness/half-sent.ts'
import { until } from '../test/harness/until.ts'

const scratch = scratchDatabase()
const patience = { pollMs: 50 }
const late = '"msg":"the request log is written late"'

/** Runs `work` while another session has locked the whole log. */
async function whileLocked(work: () => Promise<void>): Promise<void> {
  const holder = new pg.Client({ connectionString: scratch.databaseUrl })
  await holder.connect()
  try {
    await holder.query('begin; lock table request_log in access exclusive mode')
    await work()
  } finally {
    await holder.end()
  }
}

type Caller = { readonly id: number; readonly key: string; readonly user: Browser }

/** A company of its own and its owner, signed up like any other. */
async function signedUp({ url }: Server): Promise<Caller> {
  const user = new Browser({ base: url })
  const email = `${randomUUID()}@oak.example`
  const signedUp = await user.call('session/sign_up', {
    company: 'Oak',
    name: 'Ada',
    email,
    password: 'a long password',
  })
  assert.equal(signedUp.status, 200, signedUp.text)
  const rolled = await user.call('keys/roll', { connection_id: 1 })
  const [row] = await scratch.sql('select company_id as id from users where email = $1', [email])
  return { id: Number(row?.['id']), key: rolled.body.api_key, user }
}

/** Sends requests one after the other; returns their ids. */
async function sendRequests(
  { url }: Server,
  { key }: { readonly key: string },
  count: number,
  more = '',
): Promise<string[]> {
  const ids: string[] = []
  for (let sent = 0; sent < count; sent++) {
    const body = JSON.stringify({ order_id: 1, more })
    const reply = await send(methodPath('orders/get_entry'), { headers: { authorization: key }, body }, url)
    ids.push(reply.headers.get('x-request-id') ?? '')
  }
  return ids
}

async function loggedIds({ id }: { readonly id: number }): Promise<string[]> {
  const rows = await scratch.sql('select request_id from request_log where company_id = $1 order by at', [id])
  return rows.map((row) => String(row['request_id']))
}

type Gap = { first_at: Date; last_at: Date; requests: number; reason: string }
const gapsOf = async ({ id }: { readonly id: number }): Promise<Gap[]> =>
  (await scratch.sql('select * from request_log_gaps where company_id = $1 order by first_at', [id])) as Gap[]
const missing = async (of: { readonly id: number }): Promise<number> =>
  (await gapsOf(of)).reduce((sum, { requests }) => sum + requests, 0)

const dropped = async ({ metricsUrl }: Server, reason: string): Promise<number> =>
  await metric(metricsUrl, `kontor_request_log_dropped_total{reason="${reason}"}`)
const queued = async ({ metricsUrl }: Server): Promise<number> => await metric(metricsUrl, 'kontor_request_log_queued')
const isWritten = (server: Server) => until(async () => (await queued(server)) === 0, patience)
const isLate = (server: Server) => until(() => server.output().includes(late), patience)

test('rows that could not be written are written later, every one of them once', () =>
  scratch.serve({}, async (company, other, server) => {
    const sent: [string[], string[]] = [[], []]
    await whileLocked(async () => {
      sent[0] = await sendRequests(server, company, 230)
      sent[1] = await sendRequests(server, other, 20)
      await isLate(server)
      assert.equal(await queued(server), 250)
      assert.ok((await metric(server.metricsUrl, 'kontor_request_log_queued_bytes')) > 250 * 512)
      // The attempt that is under way loses its connection.
      await scratch.sql(
        `select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'kontor' and datname = current_database()`,
      )
    })
    await isWritten(server)
    assert.deepEqual(await loggedIds(company), sent[0])
    assert.deepEqual(await loggedIds(other), sent[1])
    assert.equal(await dropped(server, 'full'), 0)
    assert.deepEqual([await gapsOf(company), await gapsOf(other)], [[], []])
  }))

test('beyond the number of rows the loss is counted, recorded, and part of the list of requests', () =>
  scratch.serve({ REQUEST_LOG_QUEUE_ROWS: '40' }, async (_company, _other, server) => {
    const caller = await signedUp(server)
    const started = Date.now()
    let sent: string[] = []
    await whileLocked(async () => {
      sent = await sendRequests(server, caller, 100)
      assert.equal(await queued(server), 40)
      assert.equal(await dropped(server, 'full'), 60)
    })
    await until(async () => (await missing(caller)) === 60, patience)
    await isWritten(server)
    const logged = await loggedIds(caller)
    assert.equal(logged.length, 40)
    assert.deepEqual(
      logged,
      sent.filter((id) => logged.includes(id)),
    )
    const { body } = await caller.user.call('requests/get_list')
    assert.equal(body.total, 40)
    const recorded = (await gapsOf(caller)).toReversed()
    assert.deepEqual(
      body.gaps.map((gap: Gap) => [
        Date.parse(String(gap.first_at)),
        Date.parse(String(gap.last_at)),
        gap.requests,
        gap.reason,
      ]),
      recorded.map((gap) => [gap.first_at.getTime(), gap.last_at.getTime(), gap.requests, 'full']),
    )
    for (const { first_at: first, last_at: last } of recorded)
      assert.ok(first.getTime() >= started && first <= last && last.getTime() <= Date.now())
    const another = await signedUp(server)
    assert.deepEqual((await another.user.call('requests/get_list')).body.gaps, [], 'not shown to another company')
  }))

test('beyond the memory rows are dropped as well', () =>
  scratch.serve({ REQUEST_LOG_QUEUE_MIB: '1' }, async (company, _other, server) => {
    const mebibyte = 1024 * 1024
    await whileLocked(async () => {
      // A row of about 33 kB in memory.
      await sendRequests(server, company, 50, 'x'.repeat(16_000))
      assert.ok((await metric(server.metricsUrl, 'kontor_request_log_queued_bytes')) <= mebibyte)
    })
    await until(async () => (await missing(company)) + (await loggedIds(company)).length === 50, patience)
    assert.ok((await loggedIds(company)).length <= 32)
    assert.equal(await missing(company), await dropped(server, 'full'))
  }))

test('a company that fills the queue loses its own rows, not those of another', () =>
  scratch.serve({ REQUEST_LOG_QUEUE_ROWS: '40' }, async (loud, quiet, server) => {
    const sent: string[] = []
    await whileLocked(async () => {
      await sendRequests(server, loud, 60)
      for (let turn = 0; turn < 10; turn++) {
        sent.push(...(await sendRequests(server, quiet, 1)))
        await sendRequests(server, loud, 5)
      }
    })
    await until(async () => (await missing(loud)) + (await loggedIds(loud)).length === 110, patience)
    await isWritten(server)
    assert.deepEqual(await loggedIds(quiet), sent)
    assert.deepEqual(await gapsOf(quiet), [])
    assert.equal(await missing(loud), 80)
  }))

test('a row that PostgreSQL refuses is recorded, and keeps no other row from being written', () =>
  scratch.serve({}, async (company, other, server) => {
    await scratch.sql(`alter table request_log add constraint refused check (company_id <> ${company.id}) not valid`)
    try {
      for (let turn = 0; turn < 3; turn++) {
        await sendRequests(server, company, 1)
        await sendRequests(server, other, 1)
      }
      await until(async () => (await missing(company)) === 3, patience)
      await isWritten(server)
    } finally {
      await scratch.sql('alter table request_log drop constraint refused')
    }
    assert.ok((await gapsOf(company)).every(({ reason }) => reason === 'refused'))
    assert.equal(await dropped(server, 'refused'), 3)
    assert.equal((await loggedIds(other)).length, 3)
  }))

test('a server that is stopped writes its rows first, also when that succeeds only at the second attempt', () =>
  scratch.serve({}, async (company, _other, server) => {
    let sent: string[] = []
    let stopped: Promise<void> | undefined
    await whileLocked(async () => {
      sent = await sendRequests(server, company, 30)
      stopped = server.stop()
      await isLate(server)
    })
    await stopped
    assert.deepEqual(await loggedIds(company), sent)
  }))

test('a server that cannot write its rows before it stops reports how many are lost', () =>
  scratch.serve({}, async (company, _other, server) => {
    await whileLocked(async () => {
      await sendRequests(server, company, 30)
      await server.stop()
    })
    const line = server
      .output()
      .split('\n')
      .find((one) => one.includes('requests are missing from the request log'))
    assert.equal(JSON.parse(line ?? '{}').rows, 30, server.output())
    assert.deepEqual(await loggedIds(company), [])
  }))
