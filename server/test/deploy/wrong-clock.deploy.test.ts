// The clock of the machine is wrong and that of the database is right: nothing is deleted, no day moves, and nothing expires early or late.

import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { test } from 'node:test'
import { send, startServer } from '../harness/app.ts'
import { kontor } from '../harness/command-line.ts'
import { databaseUrl, query } from '../harness/database.ts'
import { type Company, given } from '../harness/given.ts'
import { hasProgram } from '../harness/postgres-programs.ts'
import { until } from '../harness/until.ts'

const skip = hasProgram('faketime') ? false : 'faketime is not installed'

/** The variables with which a process sees a time that differs by `offset`, such as +60d. */
const faketime = (offset: string): Record<string, string> => ({
  LD_PRELOAD: execFileSync('faketime', ['-f', offset, 'printenv', 'LD_PRELOAD'], { encoding: 'utf8' }).trim(),
  FAKETIME: offset,
})

const partitions = async (company: Company): Promise<string[]> =>
  (
    await query(
      company.id,
      `select c.relname as name from pg_inherits h join pg_class c on c.oid = h.inhrelid where h.inhparent = 'request_log'::regclass order by 1`,
    )
  ).map(({ name }) => name)

const logged = async (company: Company): Promise<number> =>
  (await query(company.id, 'select count(*)::int as n from request_log where company_id = $1', [company.id]))[0].n

for (const offset of ['+60d', '-1d']) {
  test(`a server whose clock is wrong by ${offset} uses the time of the database`, { skip }, async (context) => {
    const company = await given.company()
    const user = await given.user(company)
    const keyExpires = (after: string) =>
      query(company.id, 'update api_keys set expires_at = now() + $2::interval where company_id = $1', [
        company.id,
        after,
      ])
    await keyExpires('1 hour')
    const call = (url: string, path: string, headers: Record<string, string> = {}) =>
      send(`/v1/${path}.php`, { headers: { authorization: company.key, ...headers }, body: '{"name": "m"}' }, url)

    const right = await startServer()
    assert.equal((await call(right.url, 'units/add', { 'idempotency-key': '1' })).status, 200)
    await until(async () => (await logged(company)) === 1)
    await right.stop()
    const before = await partitions(company)

    const wrong = await startServer({ ...faketime(offset), LOG_LEVEL: 'info', WORKERS: '2' })
    context.after(() => wrong.stop())
    assert.match(wrong.output(), /the clock of this machine differs from that of the database/)
    const again = await call(wrong.url, 'units/add', { 'idempotency-key': '1' })
    assert.equal(again.headers.get('idempotent-replayed'), 'true', again.text)
    const session = await send(
      '/screens/session/get',
      { headers: { cookie: user.cookie, 'sec-fetch-site': 'same-origin' }, body: '{}' },
      wrong.url,
    )
    assert.equal(session.status, 200, session.text)
    const [quota] = await query(
      company.id,
      `select q.used::int, q.day - (now() at time zone c.timezone)::date as ahead from quotas q, companies c
       where q.company_id = $1 and c.company_id = $1`,
      [company.id],
    )
    assert.deepEqual(quota, { used: 2, ahead: 0 })
    // The request of the wrong server is in the log, at the right time.
    await until(async () => (await logged(company)) === 2)
    const [times] = await query(
      company.id,
      `select bool_and(at between now() - interval '1 hour' and now() + interval '1 hour') as right from request_log where company_id = $1`,
      [company.id],
    )
    assert.equal(times.right, true)
    const maintained = await kontor(['maintain'], { ...faketime(offset), DATABASE_URL: databaseUrl() })
    assert.equal(maintained.code, 0, maintained.errors)
    assert.deepEqual(await partitions(company), before)

    await keyExpires('-1 minute')
    assert.equal((await call(wrong.url, 'units/get_list')).status, 401)
  })
}
