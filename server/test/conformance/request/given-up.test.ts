// Abandoned requests: their database work ends at once, and the requests are counted.

import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { Connection } from '../../../platform/postgres/connection.ts'
import { sqlState } from '../../../platform/process/faults.ts'
import { openPostgresLog, type PostgresLog } from '../../harness/postgres-log.ts'
import { rule } from '../../harness/rule.ts'
import { until } from '../../harness/until.ts'
import { type ScratchCompany, scratchDatabase } from './scratch.ts'
import { assertFailure } from './shop.ts'

// Before the database is dropped.
after(async () => await (await opened)?.close())
const scratch = scratchDatabase()

let opened: Promise<PostgresLog> | undefined
const logged = async () => {
  opened ??= openPostgresLog(scratch.databaseUrl)
  return await (await opened).errors()
}

/** Reading a row of the table takes ten minutes, far longer than any statement may, and than a test waits. */
async function withSlow(table: string, work: () => Promise<void>): Promise<void> {
  await scratch.sql(`create policy slow on ${table} as restrictive for select using (pg_sleep(600) is not null)`)
  try {
    await work()
  } finally {
    await scratch.sql(`drop policy slow on ${table}`)
  }
}

/** Queries that the database is running for the service. */
async function active(pattern = '%'): Promise<number> {
  const [row] = await scratch.sql(
    `select count(*)::int as n from pg_stat_activity where datname = current_database() and application_name = 'kontor'
     and state = 'active' and query ilike $1`,
    [pattern],
  )
  return Number(row?.['n'])
}

const reached = (what: string, holds: () => Promise<boolean>): Promise<void> =>
  until(holds, { pollMs: 20, what: () => what })

/** PostgreSQL has logged that it cancelled the last query because it was asked to, not because of a timeout. */
async function assertCancelled(): Promise<void> {
  const cancelled = (await logged()).filter(({ state }) => state === '57014')
  assert.match(cancelled.at(-1)?.text ?? '', /canceling statement due to user request/)
}

/** A request whose client closes the connection while the database works on it. */
async function abandoned(company: ScratchCompany, url: string, path: string, body: object, query: string) {
  const gone = new AbortController()
  const asked = fetch(`${url}/v1/${path}.php`, {
    method: 'POST',
    headers: { authorization: company.key },
    body: JSON.stringify(body),
    signal: gone.signal,
  })
  asked.catch(() => {})
  await logged()
  await reached('the query runs', async () => (await active(query)) === 1)
  gone.abort()
  await assert.rejects(asked)
  await reached('the query has ended', async () => (await active()) === 0)
  await assertCancelled()
}

test('a read whose client disconnects is cancelled, and counted', async () => {
  await scratch.serve({}, async (company, _other, { url }) => {
    await withSlow('units', async () => {
      await abandoned(company, url, 'products/get_list', { limit: 1 }, '%')
      await reached('it is counted', async () => (await company.used()) === 1)
    })
    assert.equal((await company.call('products/get_list', { limit: 1 })).status, 200)
    assert.equal(await company.used(), 2)
  })
})

test('a whole list whose client disconnects before its first rows is cancelled, and counted once', async () => {
  await scratch.serve({}, async (company, _other, { url }) => {
    await withSlow('units', async () => {
      await abandoned(company, url, 'products/get_list', {}, 'copy (%')
    })
    assert.equal((await company.call('products/get_list')).status, 200)
    assert.equal(await company.used(), 2)
  })
})

rule('answer.503-begun', 'a read that takes too long', async () => {
  await scratch.serve({}, async (company) => {
    await withSlow('units', async () => {
      const reply = await company.call('products/get_list', { limit: 1 })
      assertFailure(reply, 503, 'Service is busy')
      assert.match(reply.headers.get('retry-after') ?? '', /^[1-9]\d*$/)
      assert.equal(reply.headers.get('ratelimit-remaining'), '9999')
      assert.equal(await active(), 0)
    })
    assert.equal(await company.used(), 1)
  })
})

test('a killed service leaves no query running', async () => {
  await scratch.serve({}, async (company, _other, server) => {
    await withSlow('units', async () => {
      company.call('products/get_list').catch(() => {})
      // A COPY of a whole list may run for minutes: it does not end by itself.
      await reached('the list is copied', async () => (await active('copy (%')) === 1)
      await server.stop('SIGKILL')
      await reached('the query has ended', async () => (await active()) === 0)
    })
  })
})

const options = () => ({ url: scratch.databaseUrl, statementMs: 20_000, plans: 'generic' as const })

test('a cancellable round trip reports that it was cancelled; the connection is not used again', async () => {
  const connection = new Connection(options())
  await connection.connect()
  await logged()
  const trip = await connection.roundTrip(['begin', 'select pg_sleep(600)', 'commit'], {
    withinMs: 200,
    mayCancel: true,
  })
  assert.equal(sqlState(trip.error), '57014')
  await assertCancelled()
  assert.equal(connection.usable, false)
  await connection.reopen()
  assert.equal((await connection.roundTrip(['select 1'])).error, undefined)
  await connection.end()
})

test('a batch with a value that cannot be sent fails, and the connection is used again', async () => {
  const connection = new Connection(options())
  await connection.connect()
  const text = 'select $1::text as text'
  const trip = await connection.roundTrip(['begin', { name: 'test.text', text, values: [{ number: 1n }] }, 'commit'])
  assert.ok(trip.error instanceof Error && trip.error.cause instanceof TypeError)
  const next = await connection.roundTrip([{ name: 'test.text', text, values: ['sent'] }])
  assert.deepEqual(next.rows(0), [{ text: 'sent' }])
  await connection.end()
})

test('a round trip that commits is never cancelled: it completes, or fails with its connection', async () => {
  const connection = new Connection(options())
  await connection.connect()
  await scratch.sql('create table written (n int)')
  await scratch.sql('grant insert on written to kontor_server')
  // A slow COMMIT: its deferred check takes three seconds.
  await scratch.sql(
    `create function slow_check() returns trigger language plpgsql as 'begin perform pg_sleep(1.5); return null; end'`,
  )
  await scratch.sql(
    'create constraint trigger slow_check after insert on written deferrable initially deferred for each row execute function slow_check()',
  )
  const trip = await connection.roundTrip(['begin', 'insert into written values (1)', 'commit'], { withinMs: 300 })
  assert.notEqual(trip.error, undefined)
  assert.equal(sqlState(trip.error), undefined, 'the connection was closed, not the query cancelled')
  assert.equal(connection.usable, false)
})
