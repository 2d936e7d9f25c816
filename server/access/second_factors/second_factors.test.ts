// Second factors: an authenticator app is set up, and sign-in then takes two steps. What the first step gives is not a session.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { user as userCommands } from '../../cli/user.ts'
import { allRows } from '../../test/contract/rows.ts'
import { AuthenticatorApp, passwordEntered, withAuthenticator } from '../../test/harness/authenticator.ts'
import { Browser } from '../../test/harness/browser.ts'
import { commandLine } from '../../test/harness/command-line.ts'
import { query } from '../../test/harness/database.ts'
import { type Company, given, pool, type User } from '../../test/harness/given.ts'
import { beginSession } from '../sessions.ts'

const password = 'a long password'

async function withFactor() {
  const company = await given.company()
  const user = await given.user(company, 'owner', password)
  return { company, user, ...(await withAuthenticator(company, user)) }
}

const answerOf = ({ status, body }: { status: number; body: { error?: string; code?: string } }) => [status, body.code]
const wrong = [400, 'wrong_code']
const expired = [400, 'sign_in_expired']
const tooMany = [429, undefined]

const complete = async ({ browser, token }: { browser: Browser; token: string }, code: string) =>
  answerOf(await browser.call('session/second_factor', { token, code }))

/** Runs it again if a period of 30 seconds ended meanwhile. */
async function withinPeriod<T>(run: () => Promise<T>): Promise<T> {
  for (;;) {
    const period = Math.floor(Date.now() / 30_000)
    const result = await run()
    if (period === Math.floor(Date.now() / 30_000)) return result
  }
}

/** The response to the password, in a new browser. */
const signIn = async (user: User) => (await new Browser().call('session/sign_in', { email: user.email, password })).body

test('an authenticator app counts after a code of it was entered, and sign-in then takes two steps', async () => {
  const company = await given.company({ name: 'Oak & Sons' })
  const user = await given.user(company, 'worker', password)
  const state = async () => (await user.call('second_factors/get')).body
  const none = { authenticator_since: null, recovery_codes: 0, passkeys: [], has_passkeys: false }
  assert.deepEqual(await state(), { success: true, ...none })
  const { body: first } = await user.call('second_factors/add_authenticator')
  const { body: added } = await user.call('second_factors/add_authenticator')
  assert.match(added.secret, /^[A-Z2-7]{32}$/)
  assert.notEqual(added.secret, first.secret, 'beginning again makes a new secret')
  const address = new URL(added.address)
  assert.deepEqual([address.protocol, address.searchParams.get('secret')], ['otpauth:', added.secret])
  assert.deepEqual(decodeURIComponent(address.pathname), `/Kontor:${user.email} (Oak & Sons)`)
  assert.equal((await state()).authenticator_since, null)
  assert.deepEqual(await signIn(user), { success: true }, 'it does not count yet')

  const app = new AuthenticatorApp(added.secret)
  const confirm = (code: string) => user.call('second_factors/confirm_authenticator', { code })
  for (const code of [app.wrongCode(), app.code(-3), app.code(3), new AuthenticatorApp(first.secret).code(), 'x'])
    assert.deepEqual(answerOf(await confirm(code)), wrong, code)
  assert.deepEqual(answerOf(await confirm(app.code())), tooMany)
  const another = new Browser()
  await another.call('session/sign_in', { email: user.email, password })
  const typed = app.code().replace(/^(...)/, '$1 ')
  const confirmed = await another.call('second_factors/confirm_authenticator', { code: typed })
  assert.equal(confirmed.status, 200, confirmed.text)
  assert.equal(confirmed.body.recovery_codes.length, 10)
  assert.equal(new Set(confirmed.body.recovery_codes).size, 10)
  for (const code of confirmed.body.recovery_codes) assert.match(code, /^([a-km-np-z2-9]{4}-){5}[a-km-np-z2-9]{4}$/)
  const { authenticator_since: since, recovery_codes: left } = await state()
  assert.match(since, /^\d{4}-.*Z$/)
  assert.equal(left, 10)
  const again = await another.call('second_factors/confirm_authenticator', { code: app.code(1) })
  assert.deepEqual(answerOf(again), [400, 'second_factor_missing'], 'it is confirmed once')
  const begun = await another.call('second_factors/add_authenticator')
  assert.deepEqual(answerOf(begun), [400, 'second_factor_exists'])

  const entered = await passwordEntered(user, password)
  assert.equal(entered.browser.cookies.size, 0, 'the first step sets no cookie')
  assert.equal(
    await beginSession(pool(), company.id, user.id),
    undefined,
    'no session begins without the second factor',
  )
  assert.deepEqual(await complete(entered, app.code()), wrong, 'the code of the confirmation is used up')
  assert.deepEqual(await complete(entered, app.code(1)), [200, undefined])
  assert.equal((await entered.browser.call('session/get')).body.has_second_factor, true)
  assert.deepEqual(await complete(entered, app.code(1)), expired, 'a sign-in is completed once')
})

test('codes of the period before and after are right, others are wrong, and none is accepted twice', async () => {
  const { user, app } = await withFactor()
  const enter = async (code: string) => complete(await passwordEntered(user, password), code)
  assert.deepEqual(await enter(app.code(-3)), wrong)
  assert.deepEqual(await enter(app.code(3)), wrong)
  assert.deepEqual(await withinPeriod(() => enter(app.code(-1))), [200, undefined])
  const now = app.code()
  assert.deepEqual(await enter(now), [200, undefined])
  assert.deepEqual(await enter(now), wrong)
  const next = app.code(1)
  assert.deepEqual(await enter(next), [200, undefined])
  assert.deepEqual(await enter(now), wrong, 'an earlier code is not accepted after a later one')
})

test('of concurrent uses of one code only one is accepted', async () => {
  const { user, app, codes } = await withFactor()
  for (const code of [app.code(), codes[0] ?? '']) {
    const entered = await Promise.all([1, 2, 3].map(() => passwordEntered(user, password)))
    const answers = await Promise.all(entered.map((one) => complete(one, code)))
    assert.equal(answers.filter(([status]) => status === 200).length, 1, JSON.stringify(answers))
  }
})

test('a recovery code replaces the second factor once', async () => {
  const { user, codes } = await withFactor()
  const [first = '', second = ''] = codes
  assert.deepEqual(await complete(await passwordEntered(user, password), first.toUpperCase()), [200, undefined])
  assert.deepEqual(await complete(await passwordEntered(user, password), first), wrong)
  assert.deepEqual(await complete(await passwordEntered(user, password), second.replaceAll('-', ' ')), [200, undefined])
  assert.equal((await user.call('second_factors/get')).body.recovery_codes, 8)
  const { body: renewed } = await user.call('second_factors/renew_recovery_codes')
  assert.equal(renewed.recovery_codes.length, 10)
  assert.deepEqual(
    await complete(await passwordEntered(user, password), codes[2] ?? ''),
    wrong,
    'the old ones are gone',
  )
  assert.deepEqual(await complete(await passwordEntered(user, password), renewed.recovery_codes[9]), [200, undefined])
})

test('what the first step returns authorizes nothing else, and ends', async () => {
  const { company, user, app } = await withFactor()
  const other = await withFactor()
  const { browser, token } = await passwordEntered(user, password)
  const asSession = { cookie: `__Host-kontor_session=${token}` }
  for (const path of ['session/get', 'orders/browse', 'second_factors/get', 'session/confirm', 'session/sign_out'])
    assert.deepEqual(answerOf(await browser.call(path, {}, asSession)), [401, 'signed_out'], path)
  const [, secret] = token.split('.')
  for (const bad of ['x', `${other.company.id}.${secret}`, `${company.id}.${'A'.repeat(43)}`])
    assert.deepEqual(await complete({ browser, token: bad }, app.code()), expired, bad)
  // The second factor of another user, of this and of another company.
  const colleague = await given.user(company, 'owner', password)
  const { app: theirs } = await withAuthenticator(company, colleague)
  assert.deepEqual(await complete({ browser, token }, theirs.code()), wrong)
  assert.deepEqual(await complete({ browser, token }, other.app.code()), wrong)
  assert.deepEqual(await complete({ browser, token }, other.codes[0] ?? ''), wrong)
  await query(company.id, `update pending_sign_ins set expires_at = now() where company_id = $1`, [company.id])
  assert.deepEqual(await complete({ browser, token }, app.code()), expired)

  const beforeChange = await passwordEntered(user, password)
  const changed = await user.call('session/change_password', { password, new_password: 'another long password' })
  assert.equal(changed.status, 200, changed.text)
  assert.deepEqual(await complete(beforeChange, app.code()), expired, 'a change of the password ends it')
  const ended = await passwordEntered(user, 'another long password')
  await commandLine(...userCommands)('user', 'end', '--email', user.email)
  assert.deepEqual(await complete(ended, app.code()), expired, 'signing out everywhere ends it')
  const removed = await passwordEntered(user, 'another long password')
  await colleague.call('users/delete', { user_id: user.id })
  assert.deepEqual(await complete(removed, app.code()), expired, 'the removal of the user ends it')
})

test('codes can be tried five times, also in several sign-ins, and a known browser has its own count', async () => {
  const { user, app, codes } = await withFactor()
  const known = await passwordEntered(user, password)
  assert.deepEqual(await complete(known, codes[0] ?? ''), [200, undefined])
  for (let attempt = 1; attempt <= 5; attempt++)
    assert.deepEqual(await complete(await passwordEntered(user, password), app.wrongCode()), wrong)
  const entered = await passwordEntered(user, password)
  assert.deepEqual(await complete(entered, app.code()), tooMany)
  assert.deepEqual(await complete(entered, codes[1] ?? ''), tooMany, 'recovery codes, too')
  const { body } = await known.browser.call('session/sign_in', { email: user.email, password })
  assert.deepEqual(await complete({ browser: known.browser, token: body.token }, app.code()), [200, undefined])
})

test('without the authenticator app the password alone signs in again', async () => {
  const { user, codes } = await withFactor()
  assert.equal((await user.call('second_factors/delete_authenticator')).status, 200)
  assert.deepEqual((await user.call('second_factors/get')).body, {
    success: true,
    authenticator_since: null,
    recovery_codes: 0,
    passkeys: [],
    has_passkeys: false,
  })
  assert.deepEqual(await signIn(user), { success: true })
  for (const path of ['second_factors/delete_authenticator', 'second_factors/renew_recovery_codes'])
    assert.deepEqual(answerOf(await user.call(path)), [400, 'second_factor_missing'], path)
  assert.equal(codes.length, 10)
})

test('an owner removes the second factor of a user, and so does the operator', async () => {
  const { company, user, app } = await withFactor()
  const reset = (by: User, id: number) => by.call('users/reset_second_factors', { user_id: id })
  const owner = await given.user(company, 'owner')
  for (const role of ['worker', 'manager'] as const)
    assert.deepEqual(answerOf(await reset(await given.user(company, role), user.id)), [403, 'role_forbids'])
  assert.deepEqual(answerOf(await reset(owner, owner.id)), [400, 'second_factor_missing'])
  assert.deepEqual(answerOf(await reset(owner, 99)), [400, 'record_not_found'])
  const pending = await passwordEntered(user, password)
  assert.equal((await reset(owner, user.id)).status, 200)
  assert.deepEqual(await complete(pending, app.code()), expired)
  assert.deepEqual(await signIn(user), { success: true })
  const { body: history } = await owner.call('history/get_list', { record: 'user', record_id: user.id })
  assert.deepEqual(history.events[0].change, { second_factors: 'reset' })

  await withAuthenticator(company, user)
  const run = commandLine(...userCommands)
  const printed = await run('user', 'reset-second-factors', '--email', user.email.toUpperCase())
  assert.deepEqual(printed, { code: 0, out: 'The second factors are removed.\n', errors: '' })
  assert.deepEqual(await signIn(user), { success: true })
  const again = await run('user', 'reset-second-factors', '--email', user.email)
  assert.deepEqual([again.code, again.errors], [2, 'kontor: The user has no second factor\n'])
})

test('neither the secret nor a code is stored where it could be read', async () => {
  const { company, user, codes } = await withFactor()
  const rows = await everything(company)
  const shown = [...codes, ...codes.map((code) => code.replaceAll('-', ''))]
  for (const text of shown) assert.ok(!rows.includes(text), 'a recovery code is stored')
  const [{ secret }] = await query(
    company.id,
    `select encode(secret, 'hex') as secret from authenticators where company_id = $1`,
    [company.id],
  )
  assert.match(secret, /^00[0-9a-f]{40}$/, 'without SECRETS_KEY the secret is stored plainly')
  assert.equal(rows.split(secret).length, 2, 'in its own column and nowhere else')
  const { body: history } = await user.call('history/get_list', { record: 'user', record_id: user.id })
  assert.deepEqual(history.events[0].change, { authenticator: 'on' })
})

/** All rows of the company as one text. */
const everything = async (company: Company): Promise<string> => JSON.stringify(await allRows(company))
