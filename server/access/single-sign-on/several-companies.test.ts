// Single sign-on of a person with users in several companies: the provider of a company, which its owner has chosen, gives no way into another one.

import assert from 'node:assert/strict'
import { after, before } from 'node:test'
import { type Server, send, startServer } from '../../test/harness/app.ts'
import { withAuthenticator } from '../../test/harness/authenticator.ts'
import { Browser } from '../../test/harness/browser.ts'
import { query } from '../../test/harness/database.ts'
import { TestProvider } from '../../test/harness/identity-provider.ts'
import { rule } from '../../test/harness/rule.ts'
import {
  another,
  join,
  listedIn,
  newEmail,
  notSignedIn,
  type Place,
  password,
  place,
  signIn,
  switchTo,
} from '../../test/harness/several-companies.ts'

let server: Server
const provider = new TestProvider()
before(async () => {
  await provider.start()
  server = await startServer({ PUBLIC_ORIGIN: 'https://kontor.example' })
})
after(async () => {
  provider.stop()
  await server.stop()
})

const newBrowser = () => new Browser({ base: server.url })

/** The address at which its users sign in. */
async function withProvider({ owner }: Place): Promise<string> {
  const headers = { cookie: owner.cookie, 'sec-fetch-site': 'same-origin' }
  const body = JSON.stringify(provider.settings())
  const set = await send('/screens/identity_provider/set', { headers, body }, server.url)
  assert.equal(set.status, 200, set.text)
  return String(set.body.link)
}

const accountOf = (email: string) => ({ sub: `account of ${email}`, email, email_verified: true })

async function begin(link: string, browser: Browser, email: string) {
  const begun = await browser.call('session/begin_single_sign_on', { link })
  assert.equal(begun.status, 200, begun.text)
  return { token: String(begun.body.token), answer: provider.answer(String(begun.body.url), accountOf(email)) }
}

const signInAtProvider = async (link: string, browser: Browser, email: string) =>
  await browser.call('session/single_sign_on', await begin(link, browser, email))

const linkedIn = async ({ company }: Place) =>
  (await query(company.id, 'select from provider_identities where company_id = $1', [company.id])).length

const sessionsIn = async ({ company }: Place) =>
  (await query(company.id, 'select from sessions where company_id = $1 and user_id > 1', [company.id])).length

rule('accounts.companies.single-sign-on', async () => {
  const [oak, pine] = [await place('Oak'), await place('Pine')]
  const email = newEmail()
  // One password for both: not even so does the sign-in at the provider of one begin a session in the other.
  const inOak = await join(oak, email, password, newBrowser())
  await join(pine, email, password, newBrowser())
  const link = await withProvider(pine)
  const browser = newBrowser()
  const before = await sessionsIn(oak)
  const reply = await signInAtProvider(link, browser, email)
  assert.deepEqual([reply.status, reply.text], [200, '{"success":true}'])
  assert.deepEqual(await listedIn(browser), ['Pine *'])
  assert.deepEqual(await switchTo(browser, oak), notSignedIn)
  assert.equal(await sessionsIn(oak), before)
  assert.deepEqual([await linkedIn(oak), await linkedIn(pine)], [0, 1])
  // A sign-in that has begun in Pine completes nothing in Oak, though both have the same provider.
  await withProvider(oak)
  const { token, answer } = await begin(link, browser, email)
  const elsewhere = `${oak.company.id}.${token.split('.')[1]}`
  const moved = await newBrowser().call('session/single_sign_on', { token: elsewhere, answer })
  assert.deepEqual([moved.status, moved.body.code], [400, 'sign_in_expired'])
  assert.equal(await linkedIn(oak), 0)
  // In a browser of the same person, the other session is kept; in one of somebody else, it is not.
  assert.equal((await signInAtProvider(link, inOak, email)).status, 200)
  assert.deepEqual(await listedIn(inOak), ['Oak', 'Pine *'])
  const other = newEmail()
  await join(pine, other, password, newBrowser())
  assert.equal((await signInAtProvider(link, inOak, other)).status, 200)
  assert.deepEqual(await listedIn(inOak), ['Pine *'])
  assert.deepEqual(await switchTo(inOak, oak), notSignedIn)
})

rule('accounts.companies.single-sign-on', 'a user of another company is nobody to the provider', async () => {
  const [oak, pine] = [await place('Oak'), await place('Pine')]
  const email = newEmail()
  await join(oak, email, password, newBrowser())
  const link = await withProvider(pine)
  const browser = newBrowser()
  const refused = await signInAtProvider(link, browser, email)
  assert.deepEqual([refused.status, refused.body.code], [400, 'provider_user_unknown'])
  assert.equal((await browser.call('session/get')).status, 401)
  assert.deepEqual([await linkedIn(oak), await linkedIn(pine)], [0, 0])
  // The password of Oak is none in Pine, where users sign in at the provider.
  await join(pine, email, another, newBrowser())
  assert.equal((await signIn(browser, email, password)).status, 200)
  assert.deepEqual(await listedIn(browser), ['Oak *'])
  const inPine = await signIn(browser, email, password, { company_id: pine.company.id })
  assert.deepEqual([inPine.status, inPine.code], [400, 'wrong_credentials'])
  assert.deepEqual(await switchTo(browser, pine), notSignedIn)
})

rule(
  'accounts.companies.second-factor',
  'the second factor is asked for in its own company, also after a sign-in at the provider',
  async () => {
    const [oak, pine] = [await place('Oak'), await place('Pine')]
    const email = newEmail()
    const inOak = await join(oak, email, password)
    const { app } = await withAuthenticator(oak.company, { call: (path, body) => inOak.call(path, body) })
    await join(pine, email, another)
    const [ofOak, ofPine] = [await withProvider(oak), await withProvider(pine)]
    await query(pine.company.id, 'update companies set requires_second_factor = true where company_id = $1', [
      pine.company.id,
    ])
    // Pine requires one, and the user has none there: that of Oak does not count.
    const browser = newBrowser()
    const entered = await signInAtProvider(ofPine, browser, email)
    assert.deepEqual([entered.status, entered.body.needs], [200, undefined])
    const refused = await browser.call('orders/get_list')
    assert.deepEqual([refused.status, refused.body.code], [403, 'second_factor_required'])
    // Oak asks for it, and nothing of Oak is open before.
    const { status, body } = await signInAtProvider(ofOak, browser, email)
    assert.deepEqual([status, body.needs], [200, 'second_factor'])
    assert.deepEqual(await listedIn(browser), ['Pine *'])
    assert.deepEqual(await switchTo(browser, oak), notSignedIn)
    const second = await browser.call('session/second_factor', { token: body.token, code: app.code() })
    assert.equal(second.status, 200, second.text)
    assert.deepEqual(await listedIn(browser), ['Oak *', 'Pine'])
    assert.deepEqual(await switchTo(browser, pine), [200, undefined])
    assert.equal((await browser.call('orders/get_list')).body.code, 'second_factor_required')
  },
)
