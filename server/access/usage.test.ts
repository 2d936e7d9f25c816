// Daily usage limits of a company (screens, request log), and how many companies one address may create.

import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import { methodPath, screensPrefix } from '../platform/http/paths.ts'
import { type Server, send, startServer } from '../test/harness/app.ts'
import { Browser } from '../test/harness/browser.ts'
import { query } from '../test/harness/database.ts'
import { type Company, given, type User } from '../test/harness/given.ts'
import { until } from '../test/harness/until.ts'

const limits = { SESSION_REQUESTS_PER_DAY: '20', REQUEST_LOG_MIB_PER_DAY: '1' }

/** A server with its own limits, for one test. */
async function withServer(env: Record<string, string>, work: (server: Server) => Promise<void>): Promise<void> {
  const server = await startServer(env)
  try {
    await work(server)
  } finally {
    await server.stop()
  }
}

const ask = ({ url }: Server, user: User, path = 'session/get') =>
  send(screensPrefix + path, { headers: { cookie: user.cookie, 'sec-fetch-site': 'same-origin' }, body: '{}' }, url)

const usedUp = 'Your company has used up its requests of the day. Try again after midnight'

async function usage(company: Company): Promise<{ session_requests: number; log_bytes: number; is_today: boolean }> {
  const [row] = await query(
    company.id,
    `select session_requests::int, log_bytes::int, day = (now() at time zone 'UTC')::date as is_today from daily_usage where company_id = $1`,
    [company.id],
  )
  return row
}

const eventually = (is: () => Promise<boolean>, what: string): Promise<void> =>
  until(is, { pollMs: 200, what: () => what })

test('requests of the screens are counted per company, and refused beyond its daily limit in all processes', () =>
  withServer(limits, async (strict) => {
    const company = await given.company()
    const [anna, ben] = [await given.user(company), await given.user(company, 'worker')]
    for (let request = 1; request <= 20; request++) {
      const { status } = await ask(
        strict,
        request % 2 === 0 ? anna : ben,
        request === 7 ? 'nothing/here' : 'session/get',
      )
      assert.equal(status, request === 7 ? 404 : 200)
    }
    for (const user of [anna, ben]) {
      const refused = await ask(strict, user)
      assert.deepEqual([refused.status, refused.body.error], [429, usedUp])
      const wait = Number(refused.headers.get('retry-after'))
      assert.ok(wait >= 1 && wait <= 86_400, `Retry-After is ${wait}`)
    }
    assert.equal(
      (await ask(strict, await given.user(await given.company()))).status,
      200,
      'another company is not affected',
    )
    await eventually(async () => (await usage(company)).session_requests === 20, 'the count is written')
    // Another process reads the count with its own first flush.
    await withServer(limits, async (other) => {
      await eventually(async () => (await ask(other, anna)).status === 429, 'the other process refuses')
    })
    assert.equal((await ask(strict, anna, 'session/sign_out')).status, 200, 'signing out still works')
    assert.equal((await company.call('orders/get_list')).status, 200, 'API requests have their own limit')
  }))

test('the count of the screens restarts every day', () =>
  withServer(limits, async (strict) => {
    const company = await given.company()
    const user = await given.user(company)
    await query(
      company.id,
      'update daily_usage set day = day - 1, session_requests = 1000, log_bytes = 1000 where company_id = $1',
      [company.id],
    )
    assert.equal((await ask(strict, user)).status, 200)
    await eventually(async () => (await usage(company)).session_requests === 1, 'the count is written')
    assert.deepEqual(await usage(company), { session_requests: 1, log_bytes: 0, is_today: true })
    assert.equal((await ask(strict, user)).status, 200)
  }))

test('a company that sends requests too fast is throttled, and others are not', () =>
  withServer({ SESSION_REQUESTS_PER_SECOND: '1' }, async (slow) => {
    const [loud, quiet] = [await given.user(await given.company()), await given.user(await given.company())]
    const replies = await Promise.all(Array.from({ length: 40 }, () => ask(slow, loud)))
    const refused = replies.filter(({ status }) => status === 429)
    assert.ok(refused.length > 0, 'none of 40 at once was refused')
    assert.ok(refused.length <= 30, 'a burst of ten is allowed')
    for (const { body, headers } of refused) {
      assert.deepEqual([body.error, headers.get('retry-after')], ['Too many requests. Try again in a moment', '1'])
    }
    assert.equal((await ask(slow, quiet)).status, 200)
    await eventually(async () => (await ask(slow, loud)).status === 200, 'it works again shortly after')
  }))

test('the request log of a company has a daily size limit; beyond it rows have no bodies and are marked', () =>
  withServer(limits, async (strict) => {
    const company = await given.company()
    const other = await given.company()
    const ofCompany = ({ key }: Company, name: string) =>
      send(
        methodPath('units/add'),
        { headers: { authorization: key }, body: JSON.stringify({ name, more: 'x'.repeat(16_000) }) },
        strict.url,
      )
    for (let unit = 1; unit <= 80; unit++) assert.equal((await ofCompany(company, `unit ${unit}`)).status, 200)
    await ofCompany(other, 'unit')
    const rows = async (of: Company) =>
      await query(
        of.id,
        `select count(*)::int as rows, sum(octet_length(request) + octet_length(answer))::int as bytes,
         count(*) filter (where bodies_left_out)::int as left_out,
         count(*) filter (where bodies_left_out and request || answer <> '')::int as wrong
       from request_log where company_id = $1`,
        [of.id],
      )
    await eventually(
      async () => (await rows(company))[0].rows === 80 && (await rows(other))[0].rows === 1,
      'rows are written',
    )
    const [row] = await rows(company)
    assert.ok(row.bytes > 1_000_000 && row.bytes < 1_100_000, `${row.bytes} bytes are stored`)
    assert.ok(row.left_out > 10 && row.left_out < 20, `${row.left_out} rows have no bodies`)
    assert.equal(row.wrong, 0)
    assert.equal((await rows(other))[0].left_out, 0)
    const user = await given.user(company, 'manager')
    const { body } = await user.call('requests/get_list', { limit: 1 })
    assert.equal(body.requests[0].bodies_left_out, true)
    const { body: entry } = await user.call('requests/get_entry', { request_id: body.requests[0].request_id })
    assert.deepEqual(
      [entry.request.status, entry.request.request, entry.request.answer, entry.request.bodies_left_out],
      [200, '', '', true],
    )
    await eventually(async () => (await usage(company)).log_bytes === row.bytes, 'the bytes are written')
  }))

const newcomer = () => ({
  company: 'Oak',
  name: 'Ada',
  email: `${randomUUID()}@oak.example`,
  password: 'a long password',
})

test('one address may create five companies per hour; failed attempts do not count', async () => {
  const { address } = new Browser()
  const signUp = async (more: object = {}) => {
    const { status, body } = await new Browser({ address }).call('session/sign_up', { ...newcomer(), ...more })
    return { status, error: body.error }
  }
  assert.equal((await signUp()).status, 200)
  for (let attempt = 1; attempt <= 12; attempt++) {
    assert.deepEqual(await signUp({ timezone: 'Mars/Olympus' }), { status: 400, error: 'Time zone not found' })
  }
  for (let company = 2; company <= 5; company++) assert.equal((await signUp()).status, 200)
  assert.deepEqual(await signUp(), { status: 429, error: 'Too many attempts. Try again in 60 minutes' })
  assert.equal((await new Browser().call('session/sign_up', newcomer())).status, 200, 'another address is not affected')
})

test('one address may create a limited number of companies per day', () =>
  withServer({ SIGN_UPS_PER_HOUR: '100', SIGN_UPS_PER_DAY: '2' }, async (server) => {
    const { address } = new Browser()
    const signUp = () => new Browser({ address, base: server.url }).call('session/sign_up', newcomer())
    assert.deepEqual([(await signUp()).status, (await signUp()).status], [200, 200])
    const { status, body, headers } = await signUp()
    assert.deepEqual([status, body.error], [429, 'Too many attempts. Try again in 24 hours'])
    assert.ok(Number(headers.get('retry-after')) > 80_000)
  }))

test('one address may try to sign up thirty times per hour', async () => {
  const wrong = { ...newcomer(), timezone: 'Mars/Olympus' }
  const { address } = new Browser()
  const signUp = async () => (await new Browser({ address }).call('session/sign_up', wrong)).status
  for (let attempt = 1; attempt <= 30; attempt++) assert.equal(await signUp(), 400)
  assert.equal(await signUp(), 429)
})
