// Methods that require a fresh sign-in: which they are, and that each of them refuses a session whose user has not proved for a while who they are.

import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import { methods, sessionMethods } from '../../methods.ts'
import { withAuthenticator } from '../harness/authenticator.ts'
import { Browser } from '../harness/browser.ts'
import { query } from '../harness/database.ts'
import { type Company, given, type User } from '../harness/given.ts'
import { allRows, assertSameRows } from './rows.ts'

const password = 'a long password'
const passwords = { password, new_password: 'another long password' }

/** A request of each method that requires it. */
const required: Readonly<Record<string, object>> = {
  'company/delete': { name: 'Oak Workshop' },
  'company/prepare_archive': {},
  'connections/add': { name: 'Shop' },
  'connections/edit': { connection_id: 1, name: 'Shop' },
  'connections/replace': { connection_id: 1, by_connection_id: 2 },
  'identity_provider/set': {
    name: 'Oak ID',
    issuer: 'https://id.oak.example',
    client_id: 'kontor',
    client_secret: 'secret',
  },
  'keys/roll': { connection_id: 1 },
  'passkeys/add': { name: 'Laptop', credential: 'AAAA', client_data: 'e30', attestation: 'oA' },
  'passkeys/begin': {},
  'passkeys/delete': { passkey: 'AAAA' },
  'second_factors/add_authenticator': {},
  'second_factors/confirm_authenticator': { code: '123456' },
  'second_factors/delete_authenticator': {},
  'second_factors/renew_recovery_codes': {},
  'session/change_password': passwords,
  'session/open_test_company': {},
  'settings/edit': { requires_second_factor: 1 },
  'test_company/make': {},
  'users/edit': { user_id: 2, role: 'owner' },
  'users/invite': { email: 'ben@oak.example', role: 'owner' },
  'users/reset_second_factors': { user_id: 2 },
  'webhooks/add': { url: 'https://shop.example/' },
  'webhooks/edit': { webhook_id: 1, url: 'https://elsewhere.example/' },
  'webhooks/roll': { webhook_id: 1 },
}

/** Inputs with which the same methods do not. */
const harmless: Readonly<Record<string, object>> = {
  'settings/edit': { currency: 'USD' },
  'users/edit': { user_id: 2, role: 'manager' },
  'users/invite': { email: 'ben@oak.example', role: 'manager' },
  'webhooks/edit': { webhook_id: 1, description: 'Shop' },
}

let company: Company
let owner: User
before(async () => {
  company = await given.company()
  owner = await given.user(company, 'owner', password)
  await withAuthenticator(company, owner)
})

/** As if the user had signed in so many minutes ago. */
const signedIn = (minutesAgo: number): Promise<unknown> =>
  query(company.id, 'update sessions set authenticated_at = now() - make_interval(mins => $2) where company_id = $1', [
    company.id,
    minutesAgo,
  ])
const codeOf = async (path: string, body: object) => (await owner.call(path, body)).body.code

test('these methods require a fresh sign-in, and no others', () => {
  const declared = [...methods, ...sessionMethods].filter(({ needsFreshSignIn }) => needsFreshSignIn !== undefined)
  assert.deepEqual(declared.map(({ path }) => path).toSorted(), Object.keys(required).toSorted())
  for (const { path, api } of declared)
    assert.equal(api, 'app', `${path} is also called with keys, which do not sign in`)
})

test('each of them refuses a session in which nobody has signed in for fifteen minutes', async () => {
  await signedIn(16)
  const was = await allRows(company)
  for (const [path, body] of Object.entries(required)) {
    const { status, text } = await owner.call(path, body)
    const refused = { success: false, error: 'Confirm first that it is you', code: 'fresh_sign_in_required' }
    assert.deepEqual([status, text], [403, JSON.stringify(refused)], path)
  }
  assertSameRows(await allRows(company), was, 'nothing happens')
  for (const [path, body] of Object.entries(harmless))
    assert.notEqual(await codeOf(path, body), 'fresh_sign_in_required', path)
})

test('none refuses it a short time after signing in', async () => {
  await signedIn(14)
  // These would end the second factor or the password.
  for (const [path, body] of Object.entries(required))
    if (!/delete_authenticator|change_password/.test(path))
      assert.notEqual(await codeOf(path, body), 'fresh_sign_in_required', path)
})

test('the user confirms with the password and the second factor', async () => {
  const other = await given.company()
  const user = await given.user(other, 'owner', password)
  const old = `update sessions set authenticated_at = null, created_at = now() - interval '1 hour' where company_id = $1`
  const isFresh = async () => (await user.call('connections/add', { name: 'Shop' })).status === 200
  const confirm = async (body: object) => {
    const reply = await user.call('session/confirm', body)
    return [reply.status, reply.body.code, reply.body.field]
  }
  await query(other.id, old, [other.id])
  assert.equal(await isFresh(), false, 'a session of an older server counts from its beginning')
  assert.equal(
    (await user.call('session/change_password', { password: 'x', new_password: password })).body.code,
    'wrong_password',
  )
  assert.deepEqual(await confirm({ password: 'wrong' }), [400, 'wrong_password', 'password'])
  assert.equal(await isFresh(), false)
  assert.deepEqual(await confirm({ password }), [200, undefined, undefined])
  assert.equal(await isFresh(), true)

  const { app, codes } = await withAuthenticator(other, user)
  assert.equal(await isFresh(), true)
  await query(other.id, old, [other.id])
  assert.deepEqual(await confirm({ password }), [400, 'required', 'code'])
  assert.deepEqual(await confirm({ password, code: app.wrongCode() }), [400, 'wrong_code', 'code'])
  assert.deepEqual(await confirm({ password: 'wrong', code: app.code() }), [400, 'wrong_password', 'password'])
  assert.equal(await isFresh(), false)
  const code = app.code()
  assert.deepEqual(await confirm({ password, code }), [200, undefined, undefined])
  assert.equal(await isFresh(), true)
  assert.deepEqual(await confirm({ password, code }), [400, 'wrong_code', 'code'], 'a code counts once')
  assert.deepEqual(await confirm({ password, code: codes[0] }), [200, undefined, undefined])
})

test('other sessions of a user who sets up a second factor must be confirmed with it', async () => {
  const other = await given.company()
  const user = await given.user(other, 'owner', password)
  const browser = new Browser()
  await browser.call('session/sign_in', { email: user.email, password })
  await withAuthenticator(other, user)
  assert.equal((await browser.call('connections/add', { name: 'Shop' })).body.code, 'fresh_sign_in_required')
  assert.equal((await user.call('connections/add', { name: 'Shop' })).status, 200)
})
