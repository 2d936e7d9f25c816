// A jump of the database's clock deletes nothing and moves no day until an operator confirms it. The jump is simulated by changing the time that was recorded.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { beginSession } from '../../access/sessions.ts'
import { clock } from '../../cli/clock.ts'
import { maintain } from '../../cli/maintain.ts'
import { type ScratchCompany, scratchDatabase } from '../../test/conformance/request/scratch.ts'
import type { Server } from '../../test/harness/app.ts'
import { commandLine, withEnv } from '../../test/harness/command-line.ts'
import { until } from '../../test/harness/until.ts'
import { closeDatabase, openDatabase } from './database.ts'
import { keepLogDays } from './maintain.ts'
import { doubtText, readClock } from './trusted-clock.ts'

const { databaseUrl, sql, serve } = scratchDatabase()

/** The command, on the database of this file. */
const kontor = (...words: string[]) =>
  withEnv({ DATABASE_URL: databaseUrl }, () => commandLine(...clock, maintain)(...words))

const recorded = async (difference: string): Promise<void> =>
  void (await sql(`update trusted_clock set recorded_at = now() + $1::interval`, [difference]))

/** Rows that retention deletes, all of them long expired. */
async function plantExpired({ id }: ScratchCompany): Promise<void> {
  await sql(
    `create table if not exists request_log_20200101 partition of request_log for values from ('2020-01-01T00:00:00Z') to ('2020-01-02T00:00:00Z')`,
  )
  await sql(
    `insert into request_log (company_id, at, request_id, method, status, duration_ms, request, answer)
     select $1, at, 'old', 'units/add', 200, 1, '{}', '{}' from unnest(array['2020-01-01'::timestamptz, '2019-01-01']) at`,
    [id],
  )
  await sql(
    `insert into request_log_gaps (company_id, first_at, first_request_id, last_at, requests, reason)
     values ($1, '2020-01-01', 'old', '2020-01-01', 1, 'full')`,
    [id],
  )
  await sql(
    `insert into sign_in_attempts (company_id, counted, failures, until) values (-$1::bigint, sha256('x'), 1, '2020-01-01')`,
    [id],
  )
  await sql(
    `insert into idempotency_keys (company_id, key, request_hash, status, answer, created_at) values ($1, 'old', sha256(''), 200, '', '2020-01-01')`,
    [id],
  )
  await sql(
    `insert into users (company_id, id, name, email, role, password_hash, created_at) values ($1, 1, 'Ada', 'ada@oak.example', 'owner', '', '2020-01-01')`,
    [id],
  )
  await sql(
    `insert into sessions (company_id, secret_hash, user_id, created_at, seen_at, expires_at) values ($1, sha256('x'), 1, '2020-01-01', '2020-01-01', '2020-01-31')`,
    [id],
  )
}

/** How many of the planted rows are left, by table. */
async function leftOf({ id }: ScratchCompany): Promise<Record<string, number>> {
  const expired = {
    request_log: `request_id = 'old'`,
    request_log_gaps: 'true',
    sign_in_attempts: 'true',
    idempotency_keys: `key = 'old'`,
    sessions: `expires_at < '2021-01-01'`,
  }
  const counts = Object.entries(expired).map(([table, condition]) =>
    sql(`select '${table}' as name, count(*)::int as n from ${table} where abs(company_id) = $1 and ${condition}`, [
      id,
    ]),
  )
  return Object.fromEntries((await Promise.all(counts)).map(([row]) => [row?.['name'], row?.['n']]))
}
const nothingDeleted = { request_log: 2, request_log_gaps: 1, sign_in_attempts: 1, idempotency_keys: 1, sessions: 1 }
const allDeleted = { request_log: 0, request_log_gaps: 0, sign_in_attempts: 0, idempotency_keys: 0, sessions: 0 }

/** A new session deletes the company's expired ones. */
async function signIn({ id }: ScratchCompany): Promise<void> {
  const database = openDatabase(databaseUrl, { connections: 1, streams: 1 })
  await readClock(database.pool)
  await beginSession(database.pool, id, 1)
  await closeDatabase(database)
}

/** The count of the company, and by how many days its day is ahead of today. */
async function quotaOf({ id }: ScratchCompany) {
  const [row] = await sql(
    `select used::int, day - (now() at time zone 'UTC')::date as ahead from quotas where company_id = $1`,
    [id],
  )
  return row
}

const readiness = async ({ url }: Server) => {
  const response = await fetch(`${url}/readyz`)
  return { status: response.status, warning: ((await response.json()) as { warning?: string }).warning }
}
const metric = async ({ metricsUrl }: Server) =>
  /^kontor_clock_in_doubt (\d)$/m.exec(await (await fetch(metricsUrl)).text())?.[1]

for (const [name, difference, days] of [
  ['60 days forwards', '-60 days', -60],
  ['2 days backwards', '2 days', 2],
] as const) {
  test(`the clock jumps ${name}: nothing is deleted and the day of a quota stays until it is confirmed`, async () => {
    await recorded(difference)
    await serve({ WORKERS: '2' }, async (company, _other, server) => {
      await plantExpired(company)
      await sql(`update quotas set day = day + $2::int, used = 7 where company_id = $1`, [company.id, days])
      assert.deepEqual(await readiness(server), { status: 200, warning: doubtText })
      assert.equal(await metric(server), '1')
      assert.equal((await company.call('units/add', { name: 'm' }, { 'idempotency-key': '1' })).status, 200)
      assert.deepEqual(await quotaOf(company), { used: 8, ahead: days })
      assert.deepEqual(await keepLogDays(databaseUrl, 30), { isInDoubt: true })
      await signIn(company)
      assert.deepEqual(await leftOf(company), nothingDeleted)
      const again = await company.call('units/add', { name: 'm' }, { 'idempotency-key': '1' })
      assert.equal(again.headers.get('idempotent-replayed'), 'true')
      assert.deepEqual((await kontor('maintain')).code, 1)
      assert.match((await kontor('clock', 'show')).out, /The clock of the database is more than/)

      assert.equal((await kontor('clock', 'confirm')).code, 0)
      await until(async () => (await readiness(server)).warning === undefined, { pollMs: 100 })
      await until(async () => (await metric(server)) === '0', { pollMs: 100 })
      await company.call('units/get_list')
      assert.equal((await quotaOf(company))?.['ahead'], Math.max(0, days))
      assert.equal((await kontor('maintain')).code, 0)
      await signIn(company)
      assert.deepEqual(await leftOf(company), allDeleted)
    })
  })
}
