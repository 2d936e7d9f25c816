// Passkeys: made for a user, used to sign in and to confirm, and refused when anything about them is wrong. The assertions are computed here.

import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { type Server, send, startServer } from '../../test/harness/app.ts'
import { withAuthenticator } from '../../test/harness/authenticator.ts'
import { Browser } from '../../test/harness/browser.ts'
import { query } from '../../test/harness/database.ts'
import { given } from '../../test/harness/given.ts'
import { type Faults, TestPasskey, testOrigin, withPasskey } from '../../test/harness/passkey.ts'
import { passkeyPolicyOf } from '../second-factor/passkey-policy.ts'

const password = 'a long password'
let server: Server
before(async () => {
  server = await startServer({ PUBLIC_ORIGIN: testOrigin })
})
after(() => server.stop())

const newBrowser = () => new Browser({ base: server.url })

/** A user whose calls go to the server with passkeys. */
async function userOf(company: { readonly id: number }, role: 'owner' | 'worker' = 'owner') {
  const user = await given.user(company, role, password)
  const headers = { cookie: user.cookie, 'sec-fetch-site': 'same-origin' }
  const call = (path: string, body: unknown = {}) =>
    send(`/screens/${path}`, { headers, body: JSON.stringify(body) }, server.url)
  return { ...user, call }
}

async function newUser() {
  const company = await given.company()
  const user = await userOf(company)
  return { company, user, ...(await withPasskey(user)) }
}

const challenge = async (browser = newBrowser()): Promise<string> =>
  (await browser.call('session/passkey_challenge')).body.challenge

const answerOf = ({ status, body }: { status: number; body: { code?: string } }) => [status, body.code]
const wrong = [400, 'wrong_passkey']
const right = [200, undefined]

async function signIn(passkey: TestPasskey, faults: Faults = {}) {
  const browser = newBrowser()
  return answerOf(await browser.call('session/passkey_sign_in', passkey.used(await challenge(browser), faults)))
}

test('a passkey is added, signs in without a password, and counts as two factors', async () => {
  const { user, passkey, codes } = await newUser()
  assert.equal(codes?.length, 10, 'the first second factor comes with recovery codes')
  const { body } = await user.call('second_factors/get')
  assert.equal(body.recovery_codes, 10)
  const [shown] = body.passkeys
  assert.deepEqual(
    [body.passkeys.length, shown.passkey, shown.name, shown.last_used_at],
    [1, passkey.credential, 'Laptop', null],
  )
  const browser = newBrowser()
  const reply = await browser.call('session/passkey_sign_in', passkey.used(await challenge(browser)))
  assert.equal(reply.text, '{"success":true}')
  const { body: session } = await browser.call('session/get')
  assert.deepEqual([session.user.email, session.has_second_factor], [user.email, true])
  assert.match((await user.call('second_factors/get')).body.passkeys[0].last_used_at, /Z$/)
  // The password alone no longer signs in.
  const { body: first } = await newBrowser().call('session/sign_in', { email: user.email, password })
  assert.equal(first.needs, 'second_factor')
  const completed = await newBrowser().call('session/second_factor', { token: first.token, code: codes?.[0] })
  assert.deepEqual(answerOf(completed), right)
})

test('what is wrong about an assertion refuses it', async () => {
  const { passkey } = await newUser()
  const other = await newUser()
  const faults: Readonly<Record<string, Faults>> = {
    'another origin': { origin: 'https://evil.example' },
    'another port': { origin: `${testOrigin}:8443` },
    'plain HTTP': { origin: 'http://kontor.example' },
    'another relying party': { rpId: 'evil.example' },
    'made, not used': { type: 'webauthn.create' },
    'in a frame of another site': { crossOrigin: true },
    'without verifying the user': { isUnverified: true },
    'another signature': { signed: Buffer.from('something else') },
    'the credential of another user': { credential: other.passkey.credential },
    'the handle of another user': { userHandle: other.passkey.userHandle },
    'a handle of nobody': { userHandle: Buffer.from('1.1').toString('base64url') },
    'no handle': { userHandle: Buffer.from('0.0').toString('base64url') },
    'a count that was used': { counter: 0 },
  }
  assert.deepEqual(await signIn(passkey), right)
  for (const [what, fault] of Object.entries(faults)) assert.deepEqual(await signIn(passkey, fault), wrong, what)
  assert.deepEqual(await signIn(passkey), right, 'the passkey still works')
})

test('a challenge is used once, within five minutes, and only one that was given out', async () => {
  const { user, passkey } = await newUser()
  const browser = newBrowser()
  const use = async (one: string, faults?: Faults) =>
    answerOf(await browser.call('session/passkey_sign_in', passkey.used(one, faults)))
  const first = await challenge()
  assert.deepEqual(await use(first), right)
  assert.deepEqual(await use(first), wrong, 'a second time')
  const repeated = passkey.used(await challenge())
  assert.deepEqual(answerOf(await browser.call('session/passkey_sign_in', repeated)), right)
  assert.deepEqual(answerOf(await browser.call('session/passkey_sign_in', repeated)), wrong, 'the same request again')
  const failed = await challenge()
  assert.deepEqual(await use(failed, { origin: 'https://evil.example' }), wrong)
  assert.deepEqual(await use(failed), wrong, 'after a failure')
  assert.deepEqual(await use('A'.repeat(43)), wrong, 'never given out')
  const { body: begun } = await user.call('passkeys/begin')
  assert.deepEqual(await use(begun.challenge), wrong, 'given out for adding a passkey')
  const old = await challenge()
  await query(
    0,
    `update passkey_challenges set expires_at = now() where company_id < 0 and challenge_hash = sha256(convert_to($1, 'UTF8'))`,
    [old],
  )
  assert.deepEqual(await use(old), wrong, 'expired')
  const parallel = await challenge()
  const answers = await Promise.all([1, 2, 3].map(() => use(parallel)))
  assert.equal(answers.filter(([status]) => status === 200).length, 1, 'concurrent uses')
})

test('a copied authenticator is refused: counts only grow, unless the authenticator does not count', async () => {
  const { passkey } = await newUser()
  assert.deepEqual(await signIn(passkey, { counter: 7 }), right)
  for (const counter of [7, 6, 0]) assert.deepEqual(await signIn(passkey, { counter }), wrong, String(counter))
  assert.deepEqual(await signIn(passkey, { counter: 8 }), right)
  const user = await userOf(await given.company())
  const { passkey: synchronized } = await withPasskey(user, new TestPasskey({ isCounting: false }))
  for (let time = 1; time <= 3; time++) assert.deepEqual(await signIn(synchronized), right)
})

test('what is wrong about a new passkey refuses it', async () => {
  const company = await given.company()
  const user = await userOf(company)
  const other = await userOf(company)
  const add = async (
    faults: Faults = {},
    begun?: { challenge: string; user_handle: string },
    passkey = new TestPasskey(),
  ) => {
    const made = passkey.made(begun ?? (await user.call('passkeys/begin')).body, faults)
    return answerOf(await user.call('passkeys/add', { name: 'Key', ...made }))
  }
  for (const fault of [
    { origin: 'https://evil.example' },
    { rpId: 'evil.example' },
    { type: 'webauthn.get' },
    { crossOrigin: true },
    { isUnverified: true },
  ])
    assert.deepEqual(await add(fault), wrong, JSON.stringify(fault))
  const { body: theirs } = await other.call('passkeys/begin')
  assert.deepEqual(await add({}, theirs), wrong, 'the challenge of another user')
  assert.deepEqual(
    await add({}, { challenge: await challenge(), user_handle: 'MS4x' }),
    wrong,
    'a challenge for signing in',
  )
  const { body: begun } = await user.call('passkeys/begin')
  const passkey = new TestPasskey()
  assert.deepEqual(await add({}, begun, passkey), right)
  assert.deepEqual(await add({}, begun), wrong, 'a challenge that was used')
  assert.deepEqual(await add({}, undefined, passkey), wrong, 'the same passkey again')
  const broken = { name: 'Key', credential: 'AAAA', client_data: 'e30', attestation: 'oA' }
  for (const more of [{}, { client_data: 'bm8ganNvbg' }, { attestation: '!' }, { credential: 'A'.repeat(2_000) }])
    assert.equal((await user.call('passkeys/add', { ...broken, ...more })).status, 400, JSON.stringify(more))
})

test('users rename and delete their own passkeys, and see no others', async () => {
  const { company, user, passkey } = await newUser()
  const colleague = await userOf(company)
  const there = await newUser()
  const named = { passkey: passkey.credential }
  for (const outsider of [colleague, there.user]) {
    const missing = [400, 'record_not_found']
    assert.deepEqual(answerOf(await outsider.call('passkeys/edit', { ...named, name: 'Mine' })), missing)
    assert.deepEqual(answerOf(await outsider.call('passkeys/delete', named)), missing)
  }
  assert.equal((await user.call('passkeys/edit', { ...named, name: 'Phone' })).text, '{"success":true}')
  const { passkey: second, codes } = await withPasskey(user, new TestPasskey(), 'Key')
  assert.equal(codes, null, 'the recovery codes stay')
  const names = async () =>
    (await user.call('second_factors/get')).body.passkeys.map(({ name }: { name: string }) => name)
  assert.deepEqual(await names(), ['Phone', 'Key'])
  assert.equal((await user.call('passkeys/delete', named)).status, 200)
  assert.deepEqual(await signIn(passkey), wrong)
  assert.equal((await user.call('second_factors/get')).body.recovery_codes, 10)
  assert.equal((await user.call('passkeys/delete', { passkey: second.credential })).status, 200)
  assert.equal((await user.call('second_factors/get')).body.recovery_codes, 0, 'without a second factor there are none')
  assert.deepEqual(await names(), [])
  assert.equal((await newBrowser().call('session/sign_in', { email: user.email, password })).text, '{"success":true}')
})

test('a passkey confirms who the user of a session is, and only that user', async () => {
  const { company, user, passkey } = await newUser()
  const other = await newUser()
  const old = `update sessions set authenticated_at = now() - interval '1 hour' where company_id = $1`
  const confirm = async (by: TestPasskey) =>
    answerOf(await user.call('session/passkey_confirm', by.used(await challenge())))
  const isFresh = async () => (await user.call('connections/add', { name: 'Shop' })).status === 200
  await query(company.id, old, [company.id])
  assert.equal(await isFresh(), false)
  assert.deepEqual(await confirm(other.passkey), wrong)
  assert.equal(await isFresh(), false)
  assert.deepEqual(await confirm(passkey), right)
  assert.equal(await isFresh(), true)
})

test('an authenticator app and passkeys are second factors of one user, and an owner removes all of them', async () => {
  const { company, user, passkey } = await newUser()
  const { app } = await withAuthenticator(company, user)
  assert.equal((await user.call('second_factors/delete_authenticator')).status, 200)
  assert.equal((await user.call('second_factors/get')).body.recovery_codes, 10, 'the passkey is left')
  assert.match(app.code(), /^\d{6}$/)
  const owner = await userOf(company)
  assert.equal((await owner.call('users/reset_second_factors', { user_id: user.id })).status, 200)
  assert.deepEqual(await signIn(passkey), wrong)
  assert.equal((await newBrowser().call('session/sign_in', { email: user.email, password })).text, '{"success":true}')
})

test('a removed user does not sign in, and one address has a limit', async () => {
  const { company, user, passkey } = await newUser()
  const owner = await userOf(company)
  assert.equal((await owner.call('users/delete', { user_id: user.id })).status, 200)
  assert.deepEqual(await signIn(passkey), wrong)
  const browser = newBrowser()
  for (let time = 1; time <= 50; time++)
    assert.deepEqual(answerOf(await browser.call('session/passkey_sign_in', passkey.used('A'.repeat(43)))), wrong)
  assert.equal((await browser.call('session/passkey_sign_in', passkey.used(await challenge()))).status, 429)
})

test('without an origin of HTTPS or localhost there are no passkeys', async () => {
  const rpIdOf = (origin?: string) => passkeyPolicyOf({ PUBLIC_ORIGIN: origin })?.rpId
  assert.equal(rpIdOf(testOrigin), 'kontor.example')
  assert.equal(rpIdOf('https://kontor.example:8443'), 'kontor.example')
  assert.equal(rpIdOf('http://localhost:8080'), 'localhost')
  for (const origin of [undefined, 'http://kontor.example', 'https://192.0.2.1', 'https://[2001:db8::1]'])
    assert.equal(rpIdOf(origin), undefined, origin)
  // The server of the other tests has no PUBLIC_ORIGIN.
  const user = await given.user(await given.company())
  const off = [400, 'passkeys_off']
  assert.deepEqual(answerOf(await user.call('passkeys/begin')), off)
  assert.deepEqual(answerOf(await new Browser().call('session/passkey_challenge')), off)
  assert.equal((await new Browser().call('session/get_options')).body.passkeys, false)
  assert.equal((await newBrowser().call('session/get_options')).body.passkeys, true)
})
