// Long because every wrong answer of a provider is tried against the same one.
// Single sign-on: users sign in at the identity provider of their company, and nobody signs in with an answer that is wrong, old or somebody else's.

import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { type Server, send, startServer } from '../../test/harness/app.ts'
import { withAuthenticator } from '../../test/harness/authenticator.ts'
import { Browser } from '../../test/harness/browser.ts'
import { query } from '../../test/harness/database.ts'
import { type Company, given, type User } from '../../test/harness/given.ts'
import { type Faults, TestProvider } from '../../test/harness/identity-provider.ts'
import { until } from '../../test/harness/until.ts'

const password = 'a long password'
const origin = 'https://kontor.example'
let server: Server
const provider = new TestProvider()
before(async () => {
  await provider.start()
  server = await startServer({ PUBLIC_ORIGIN: origin })
})
after(async () => {
  provider.stop()
  await server.stop()
})

const newBrowser = () => new Browser({ base: server.url })
const callAs =
  ({ cookie }: User) =>
  (path: string, body: unknown = {}) =>
    send(
      `/screens/${path}`,
      { headers: { cookie, 'sec-fetch-site': 'same-origin' }, body: JSON.stringify(body) },
      server.url,
    )

async function newCompany(at = provider) {
  const company = await given.company()
  const owner = await given.user(company, 'owner', password)
  const call = callAs(owner)
  const set = await call('identity_provider/set', at.settings())
  assert.equal(set.status, 200, set.text)
  return { company, owner, call, link: String(set.body.link) }
}

const accountOf = (user: User, subject = `account of ${user.email}`) => ({
  sub: subject,
  email: user.email,
  email_verified: true,
})

async function begin(link: string, browser = newBrowser()) {
  const begun = await browser.call('session/begin_single_sign_on', { link })
  assert.equal(begun.status, 200, begun.text)
  return { browser, token: String(begun.body.token), url: String(begun.body.url) }
}

/** Signs in at the provider, and completes it in the same browser. */
async function signIn(link: string, who: object, faults: Faults = {}, at = provider) {
  const { browser, token, url } = await begin(link)
  const reply = await browser.call('session/single_sign_on', { token, answer: at.answer(url, { ...who }, faults) })
  return { browser, reply, result: [reply.status, reply.body.code] }
}

const right = [200, undefined]
const failed = [400, 'provider_failed']
const unknown = [400, 'provider_user_unknown']
const expired = [400, 'sign_in_expired']

const reasons = async (company: Company): Promise<(string | null)[]> =>
  (
    await query(
      company.id,
      `select detail from security_events where company_id = $1 and kind = 'sign_in_failed' order by at`,
      [company.id],
    )
  ).map(({ detail }) => detail)

test('a user signs in at the provider, and the session is that of the user', async () => {
  const { owner, link } = await newCompany()
  const { browser, reply } = await signIn(link, accountOf(owner))
  assert.deepEqual([reply.status, reply.body], [200, { success: true }])
  assert.equal((await browser.call('session/get')).body.user.email, owner.email)
  const [sent] = provider.redeemed.slice(-1)
  assert.equal(sent?.get('redirect_uri'), `${origin}/sign-in/return`)
  assert.match(sent?.get('code_verifier') ?? '', /^[\w-]{43}$/)
})

test('the provider must have asked who the user is a short time ago for the sign-in to count as fresh', async () => {
  const { owner, link } = await newCompany()
  const addKey = async (claims: object) => {
    const { browser } = await signIn(link, { ...accountOf(owner), ...claims })
    return (await browser.call('connections/add', { name: 'Shop' })).body.code
  }
  assert.equal(await addKey({}), undefined)
  const hourAgo = Math.floor(Date.now() / 1_000) - 3_600
  assert.equal(await addKey({ auth_time: hourAgo }), 'fresh_sign_in_required')
  assert.equal(await addKey({ auth_time: undefined }), 'fresh_sign_in_required')
})

test('a user with a second factor enters it as well', async () => {
  const { company, owner, link } = await newCompany()
  const { app } = await withAuthenticator(company, owner)
  const { browser, reply } = await signIn(link, accountOf(owner))
  assert.deepEqual([reply.status, reply.body.needs], [200, 'second_factor'])
  assert.equal((await browser.call('session/get')).status, 401)
  const second = { token: reply.body.token, code: app.code() }
  assert.equal((await browser.call('session/second_factor', second)).status, 200)
  assert.equal((await browser.call('session/get')).status, 200)
})

test('an ID token that is not right signs nobody in', async () => {
  const { company, owner, link } = await newCompany()
  const seconds = Math.floor(Date.now() / 1_000)
  const faults: Readonly<Record<string, Faults>> = {
    'another issuer': { claims: { iss: 'https://id.elm.example' } },
    'for another client': { claims: { aud: 'another' } },
    'for two clients, of which another one asked': { claims: { aud: ['kontor', 'another'], azp: 'another' } },
    'another nonce': { claims: { nonce: 'x'.repeat(43) } },
    'without a nonce': { claims: { nonce: undefined } },
    expired: { claims: { iat: seconds - 900, exp: seconds - 600 } },
    'not valid yet': { claims: { nbf: seconds + 600 } },
    'without an account': { claims: { sub: undefined } },
    'an account that is too long': { claims: { sub: 'x'.repeat(256) } },
    forged: { isForged: true },
    'without a signature': { isUnsigned: true },
  }
  for (const [name, fault] of Object.entries(faults)) {
    const { browser, result } = await signIn(link, accountOf(owner), fault)
    assert.deepEqual(result, failed, name)
    assert.equal((await browser.call('session/get')).status, 401, name)
  }
  await until(async () => (await reasons(company)).length === Object.keys(faults).length, { pollMs: 50 })
  for (const reason of await reasons(company)) assert.match(reason ?? '', /^[\w ,]+$/)
})

test('an answer is completed once, in the browser that began, and with its own state', async () => {
  const { owner, link } = await newCompany()
  const own = await begin(link)
  const other = await begin(link)
  const answer = provider.answer(own.url, accountOf(owner))
  const complete = async ({ browser, token }: typeof own, of = answer) => {
    const { status, body } = await browser.call('session/single_sign_on', { token, answer: of })
    return [status, body.code]
  }
  // Somebody else's answer in this browser: the state is not the one of its token.
  assert.deepEqual(await complete(other), failed)
  assert.deepEqual(await complete(own), right)
  assert.deepEqual(await complete(own), expired, 'the same again')
  const [third, fourth] = [await begin(link), await begin(link)]
  const used = provider.answer(third.url, accountOf(owner))
  assert.deepEqual(await complete(third, used), right)
  const replayed = new URLSearchParams(used)
  replayed.set('state', new URL(fourth.url).searchParams.get('state') ?? '')
  assert.deepEqual(await complete(fourth, replayed.toString()), failed, 'a code that was redeemed')
  const late = await begin(link)
  await query(
    Number(link.split('.')[0]),
    `update pending_single_sign_ons set expires_at = now() - interval '1 second' where company_id = $1`,
    [Number(link.split('.')[0])],
  )
  assert.deepEqual(await complete(late, provider.answer(late.url, accountOf(owner))), expired)
  const refused = await begin(link)
  const state = new URL(refused.url).searchParams.get('state') ?? ''
  assert.deepEqual(await complete(refused, `error=access_denied&state=${state}`), failed)
})

test('an account at the provider opens only the account of the user it belongs to', async () => {
  const { company, owner, link } = await newCompany()
  const worker = await given.user(company, 'worker', password)
  const result = async (who: object) => (await signIn(link, who)).result
  assert.deepEqual(await result({ ...accountOf(worker), email_verified: false }), unknown, 'not verified')
  assert.deepEqual(await result({ ...accountOf(worker), email_verified: 'true' }), unknown, 'not verified')
  assert.deepEqual(await result({ ...accountOf(worker), email: undefined }), unknown)
  assert.deepEqual(await result({ ...accountOf(worker), email: 'nobody@oak.example' }), unknown)
  assert.deepEqual(await result({ ...accountOf(worker), email: worker.email.toUpperCase() }), right)
  assert.deepEqual(await result(accountOf(worker, 'another account with the same email')), unknown)
  // The account keeps its user, whatever its email becomes.
  const renamed = await signIn(link, { ...accountOf(worker), email: owner.email })
  assert.equal((await renamed.browser.call('session/get')).body.user.email, worker.email)
  // Users of other companies are not found.
  const elsewhere = await newCompany()
  assert.deepEqual(await result(accountOf(elsewhere.owner)), unknown)
})

test('a removed user does not sign in, and a new user with the email gets an own account', async () => {
  const { company, call, link } = await newCompany()
  const worker = await given.user(company, 'worker', password)
  assert.deepEqual((await signIn(link, accountOf(worker))).result, right)
  assert.equal((await call('users/delete', { user_id: worker.id })).status, 200)
  assert.deepEqual((await signIn(link, accountOf(worker))).result, unknown)
})

test('with another issuer, accounts are linked to users anew', async () => {
  const { company, owner, call, link } = await newCompany()
  const worker = await given.user(company, 'worker', password)
  assert.deepEqual((await signIn(link, accountOf(worker, 'one'))).result, right)
  const other = new TestProvider()
  await other.start()
  try {
    assert.equal((await call('identity_provider/set', other.settings())).body.link, link)
    const { browser, result } = await signIn(link, accountOf(owner, 'one'), {}, other)
    assert.deepEqual(result, right)
    assert.equal((await browser.call('session/get')).body.user.email, owner.email)
  } finally {
    other.stop()
  }
})

test('a provider that does not answer as it should is refused, and the reason names none of its words', async () => {
  const broken = new TestProvider()
  await broken.start()
  const path = '/.well-known/openid-configuration'
  try {
    for (const body of [
      '',
      'no JSON',
      '{}',
      JSON.stringify({ issuer: 'https://elsewhere.example' }),
      'x'.repeat(300_000),
    ]) {
      broken.responses.set(path, { status: 200, body })
      const { company, link } = await newCompany(broken)
      const { status, body: answered } = await newBrowser().call('session/begin_single_sign_on', { link })
      assert.deepEqual([status, answered.code], failed, body.slice(0, 20))
      await until(async () => (await reasons(company)).length === 1, { pollMs: 50 })
      assert.match((await reasons(company))[0] ?? '', /^[\w ,]+$/)
    }
    const endpoints = { token_endpoint: `${broken.issuer}/token`, jwks_uri: `${broken.issuer}/keys` }
    for (const address of ['javascript:alert(1)', 'data:text/html,x', 'ftp://id.oak.example/']) {
      const metadata = { issuer: broken.issuer, ...endpoints, authorization_endpoint: address }
      broken.responses.set(path, { status: 200, body: JSON.stringify(metadata) })
      const { link } = await newCompany(broken)
      const begun = await newBrowser().call('session/begin_single_sign_on', { link })
      assert.equal(begun.body.code, 'provider_failed', address)
    }
    broken.responses.set(path, { status: 500, body: '{}' })
    const { link } = await newCompany(broken)
    assert.equal((await newBrowser().call('session/begin_single_sign_on', { link })).body.code, 'provider_failed')
  } finally {
    broken.stop()
  }
})

test('only owners set the provider, with a fresh sign-in, to a public address; the secret is never shown', async () => {
  const { company, call, link } = await newCompany()
  const manager = callAs(await given.user(company, 'manager'))
  for (const path of ['identity_provider/get', 'identity_provider/set', 'identity_provider/delete'])
    assert.equal((await manager(path, provider.settings())).status, 403, path)
  for (const issuer of ['https://10.0.0.1/', 'ftp://id.oak.example', 'https://id.oak.example/?a=b', 'id'])
    assert.deepEqual(
      (await call('identity_provider/set', { ...provider.settings(), issuer })).body.field,
      'issuer',
      issuer,
    )
  const shown = await call('identity_provider/get')
  assert.deepEqual(shown.body, {
    success: true,
    return_address: `${origin}/sign-in/return`,
    provider: { name: 'Oak ID', issuer: provider.issuer, client_id: 'kontor', link },
  })
  // Without the secret, the stored one is kept.
  const { client_secret: _secret, ...rest } = provider.settings()
  assert.equal((await call('identity_provider/set', { ...rest, name: 'Oak' })).body.link, link)
  assert.equal((await begin(link)).url.startsWith(`${provider.issuer}/authorize?`), true)
  const { status } = await call('identity_provider/delete')
  assert.equal(status, 200)
  assert.equal((await newBrowser().call('session/begin_single_sign_on', { link })).body.code, 'link_gone')
  const history = await query(company.id, 'select change::text from events where company_id = $1', [company.id])
  assert.ok(!JSON.stringify(history).includes(provider.clientSecret))
})

test('a link of no company, and one with another key, are not valid', async () => {
  const { link } = await newCompany()
  const [company = ''] = link.split('.')
  for (const wrong of [
    '',
    'x',
    company,
    `${company}.${'x'.repeat(22)}`,
    `1.${'x'.repeat(22)}`,
    `${'9'.repeat(20)}.${'x'.repeat(22)}`,
  ]) {
    const { status, body } = await newBrowser().call('session/begin_single_sign_on', { link: wrong })
    assert.equal(status, 400, wrong)
    assert.ok(['link_gone', 'required'].includes(body.code), `${wrong}: ${body.code}`)
  }
})

test('without PUBLIC_ORIGIN there is no single sign-on', async () => {
  const { owner, link } = await newCompany()
  assert.equal((await new Browser().call('session/begin_single_sign_on', { link })).body.code, 'single_sign_on_off')
  assert.equal((await owner.call('identity_provider/get')).body.return_address, null)
})
