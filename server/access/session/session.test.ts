// Signing up, in and out, and the lifetime of a session. Long because these are the tests of one life of a session.

import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import { startServer } from '../../test/harness/app.ts'
import { Browser } from '../../test/harness/browser.ts'
import { broken, query } from '../../test/harness/database.ts'
import { given } from '../../test/harness/given.ts'
import { holdRows } from '../../test/harness/held-rows.ts'

const password = 'a long password'
const newcomer = (more: object = {}) => ({
  company: 'Oak Workshop',
  name: 'Ada Oak',
  email: `Ada-${randomUUID()}@oak.example`,
  password,
  timezone: 'Europe/Berlin',
  ...more,
})

const sessionCookie = '__Host-kontor_session'

test('a company signs up and its owner is signed in', async () => {
  const browser = new Browser()
  const input = newcomer()
  const reply = await browser.call('session/sign_up', input)
  assert.equal(reply.text, '{"success":true}')
  const cookie = reply.headers.getSetCookie().find((one) => one.startsWith(sessionCookie)) ?? ''
  assert.match(cookie, /; Path=\/; Max-Age=2592000; HttpOnly; SameSite=Lax; Secure$/)
  const { body } = await browser.call('session/get')
  assert.deepEqual(body.user, { id: 1, name: 'Ada Oak', email: input.email, role: 'owner' })
  assert.equal(body.company.name, 'Oak Workshop')
  assert.equal(body.settings.timezone, 'Europe/Berlin')
  assert.deepEqual(body.requests.used, 0)
  assert.equal(body.seq, 3)
  const keys = await query(body.company.id, 'select 1 from api_keys where company_id = $1', [body.company.id])
  assert.equal(keys.length, 0, 'no key is created without being shown')
  assert.deepEqual(await broken(body.company.id), [])
})

test('the cookie holds the company and a secret, and only the hash of the secret is stored', async () => {
  const browser = new Browser()
  await browser.call('session/sign_up', newcomer())
  const cookie = browser.cookies.get(sessionCookie) ?? ''
  const [company, secret = ''] = cookie.split('.')
  assert.equal(Buffer.from(secret, 'base64url').length, 32)
  const rows = await query(Number(company), 'select secret_hash, user_id from sessions where company_id = $1', [
    company,
  ])
  assert.equal(rows.length, 1)
  assert.ok(!JSON.stringify(rows).includes(secret))
  const [user] = await query(Number(company), 'select password_hash from users where company_id = $1', [company])
  assert.match(user.password_hash, /^\$argon2id\$v=19\$m=19456,t=2,p=1\$[\w+/]{22}\$[\w+/]{43}$/)
})

test('invalid sign-up fields are refused with the message of the field', async () => {
  const browser = new Browser()
  const cases: readonly (readonly [object, string])[] = [
    [{ company: '' }, 'No company in input'],
    [{ name: ' ' }, 'No name in input'],
    [{ email: undefined }, 'No email in input'],
    [{ email: 'ada' }, 'Invalid email value. Must be an email address'],
    [{ email: 'a b@c' }, 'Invalid email value. Must be an email address'],
    [{ email: ['x'] }, 'Invalid email value. Must be a string'],
    [{ password: undefined }, 'No password in input'],
    [{ password: 'too short' }, 'Invalid password value. Must be at least 10 characters'],
    [{ password: 'x'.repeat(201) }, 'Invalid password value. Must be at most 200 characters'],
    [{ password: { a: 1 } }, 'Invalid password value. Must be a string'],
    [{ timezone: 'Mars/Olympus' }, 'Time zone not found'],
    [{ language: 'fr' }, 'Invalid language value. Must be one of: en, de, ru'],
    [{ company: 'a\0b' }, 'Invalid company value. Must be valid text'],
  ]
  for (const [more, error] of cases) {
    const reply = await browser.call('session/sign_up', newcomer(more))
    assert.deepEqual([reply.status, reply.body.error], [400, error])
  }
  assert.equal(browser.cookies.size, 0)
})

test('letter case of an email does not matter: signing up again creates another company of the same person', async () => {
  const input = newcomer()
  const browser = new Browser()
  await browser.call('session/sign_up', input)
  const again = newcomer({ company: 'Pine Workshop', email: input.email.toUpperCase() })
  const reply = await browser.call('session/sign_up', again)
  assert.equal(reply.text, '{"success":true}')
  const { companies } = (await browser.call('session/get_companies')).body
  assert.deepEqual(
    companies.map((one: { name: string; is_current: boolean }) => [one.name, one.is_current]),
    [
      ['Oak Workshop', false],
      ['Pine Workshop', true],
    ],
  )
})

test('signing in and out', async () => {
  const input = newcomer()
  const first = new Browser()
  await first.call('session/sign_up', input)
  const second = new Browser()
  const reply = await second.call('session/sign_in', { email: ` ${input.email.toLowerCase()} `, password })
  assert.equal(reply.text, '{"success":true}')
  assert.equal((await second.call('session/get')).status, 200)
  const before = new Map(second.cookies)
  assert.equal((await second.call('session/sign_out')).text, '{"success":true}')
  assert.ok(!second.cookies.has(sessionCookie))
  for (const [name, value] of before) second.cookies.set(name, value)
  const after = await second.call('session/get')
  assert.equal(after.status, 401, 'the session is deleted, not only its cookie')
  assert.ok(!second.cookies.has(sessionCookie), 'an invalid cookie is removed')
  assert.equal((await first.call('session/get')).status, 200, 'the other session stays valid')
})

test('a wrong password and an unknown email get the same response', async () => {
  const input = newcomer()
  await new Browser().call('session/sign_up', input)
  const wrong = await new Browser().call('session/sign_in', { email: input.email, password: 'not the password' })
  const unknown = await new Browser().call('session/sign_in', newcomer())
  assert.deepEqual([wrong.status, wrong.body.error], [400, 'Email or password is wrong'])
  assert.equal(unknown.status, wrong.status)
  assert.equal(unknown.text, wrong.text)
  const names = (headers: Headers) => [...headers.keys()].toSorted()
  assert.deepEqual(names(unknown.headers), names(wrong.headers))
})

test('a session lasts thirty days from its last use', async () => {
  const company = await given.company()
  const user = await given.user(company)
  const set = (sql: string) => query(company.id, `update sessions set ${sql} where company_id = $1`, [company.id])
  await set("seen_at = now() - interval '1 hour', expires_at = now() + interval '1 day'")
  const reply = await user.call('session/get')
  assert.equal(reply.status, 200)
  assert.match(reply.headers.get('set-cookie') ?? '', /^__Host-kontor_session=.*Max-Age=2592000/)
  const [session] = await query(
    company.id,
    `select expires_at > now() + interval '29 days' as prolonged from sessions where company_id = $1`,
    [company.id],
  )
  assert.equal(session.prolonged, true)
  assert.equal((await user.call('session/get')).headers.get('set-cookie'), null, 'not renewed every time')
  await set("expires_at = now() - interval '1 second'")
  assert.equal((await user.call('session/get')).status, 401)
})

test('a new password ends the other sessions of the user and invalidates the old password', async () => {
  const input = newcomer()
  const [here, there] = [new Browser(), new Browser()]
  await here.call('session/sign_up', input)
  await there.call('session/sign_in', input)
  const change = (body: object) => here.call('session/change_password', body)
  assert.equal(
    (await change({ password: 'not the password', new_password: 'a better password' })).body.error,
    'Password is wrong',
  )
  assert.equal((await change({ new_password: 'a better password' })).body.error, 'No password in input')
  assert.equal((await change({ password })).body.error, 'No new_password in input')
  assert.equal(
    (await change({ password, new_password: 'short' })).body.error,
    'Invalid new_password value. Must be at least 10 characters',
  )
  assert.equal((await there.call('session/get')).status, 200)
  assert.equal((await change({ password, new_password: 'a better password' })).text, '{"success":true}')
  assert.equal((await here.call('session/get')).status, 200)
  assert.equal((await there.call('session/get')).status, 401)
  assert.equal((await new Browser().call('session/sign_in', input)).status, 400)
  assert.equal((await new Browser().call('session/sign_in', { ...input, password: 'a better password' })).status, 200)
  assert.equal((await new Browser().call('session/change_password', { password })).status, 401)
})

test('a sign-in with the old password while it is being changed starts no session', async () => {
  const company = await given.company()
  const { email, id } = await given.user(company, 'owner', password)
  const change = await holdRows(
    company.id,
    `update users set password_hash = 'another' where company_id = $1 and id = ${id}`,
  )
  const signingIn = new Browser().call('session/sign_in', { email, password })
  await change.waiters(1)
  await change.commit('delete from sessions where company_id = $1')
  const reply = await signingIn
  assert.deepEqual([reply.status, reply.body.error], [400, 'Email or password is wrong'])
  assert.deepEqual(await query(company.id, 'select 1 from sessions where company_id = $1', [company.id]), [])
})

test('sign-up can be closed', async () => {
  const server = await startServer({ SIGN_UP: 'closed' })
  try {
    const reply = await new Browser({ base: server.url }).call('session/sign_up', newcomer())
    assert.deepEqual([reply.status, reply.body.error], [403, 'Sign-up is closed'])
  } finally {
    await server.stop()
  }
})

test('with a configured http:// origin, cookies are sent over plain HTTP', async () => {
  const server = await startServer({ PUBLIC_ORIGIN: 'http://workshop.local:8080/' })
  try {
    const browser = new Browser({ base: server.url })
    const reply = await browser.call('session/sign_up', newcomer(), {
      'sec-fetch-site': '',
      origin: 'http://workshop.local:8080',
    })
    assert.equal(reply.status, 200, reply.text)
    for (const cookie of reply.headers.getSetCookie()) {
      assert.match(cookie, /^kontor_(session|device)=/)
      assert.ok(!cookie.includes('Secure'))
    }
    assert.equal((await browser.call('session/get')).status, 200)
    assert.equal(reply.headers.get('strict-transport-security'), null)
  } finally {
    await server.stop()
  }
})

test('no password, cookie or token gets into the log of the process', async () => {
  const server = await startServer({ LOG_LEVEL: 'trace' })
  try {
    const browser = new Browser({ base: server.url })
    await browser.call('session/sign_up', newcomer({ password: 'very-secret-words' }))
    await browser.call('session/sign_in', { email: 'x@y', password: 'very-secret-words' })
    await browser.call('session/sign_up', { password: 'very-secret-words', email: { password: 'very-secret-words' } })
    await browser.call('users/invite', { email: 'ben@oak.example', role: 'worker' })
    const secret = (browser.cookies.get(sessionCookie) ?? '').split('.')[1] ?? 'none'
    assert.ok(!server.output().includes('very-secret-words'))
    assert.ok(!server.output().includes(secret))
  } finally {
    await server.stop()
  }
})

test('session/get returns the signed-in user and the company', async () => {
  const company = await given.company({ name: 'Oak Workshop', timezone: 'Pacific/Kiritimati', daily_limit: 500 })
  await company.call('units/get_list')
  const user = await given.user(company, 'worker')
  const reply = await user.call('session/get')
  assert.equal(reply.status, 200, reply.text)
  assert.deepEqual(reply.body.user, { id: user.id, name: 'Some worker', email: user.email, role: 'worker' })
  assert.deepEqual(reply.body.company, {
    id: company.id,
    name: 'Oak Workshop',
    timezone: 'Pacific/Kiritimati',
    currency: 'EUR',
    test_of: null,
    delete_at: null,
  })
  assert.equal(reply.body.requests.used, 1)
  assert.equal(reply.body.requests.daily_limit, 500)
  assert.ok(reply.body.requests.reset_seconds > 0 && reply.body.requests.reset_seconds <= 86_400)
  assert.equal(reply.body.today, new Date(Date.now() + 14 * 3_600_000).toISOString().slice(0, 10))
  assert.equal(reply.body.seq, 5, 'its three first records, the settings and the user')
})
