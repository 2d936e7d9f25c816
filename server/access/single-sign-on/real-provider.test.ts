// Single sign-on at a provider that is not ours, in another process: the user signs in on its pages, and comes back.

import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { type Server, send, startServer } from '../../test/harness/app.ts'
import { Browser } from '../../test/harness/browser.ts'
import { query } from '../../test/harness/database.ts'
import { given } from '../../test/harness/given.ts'
import { type RealProvider, startProvider } from '../../test/harness/real-provider.ts'

const origin = 'https://kontor.example'
let server: Server
let provider: RealProvider
before(async () => {
  provider = await startProvider(origin)
  server = await startServer({ PUBLIC_ORIGIN: origin })
})
after(async () => {
  provider.stop()
  await server.stop()
})

/** A browser on the pages of the provider. */
class ProviderPages {
  readonly #cookies = new Map<string, string>()

  /** Signs in, consents, and returns the address to which the provider sends the user back. */
  async signIn(address: string, email: string): Promise<URL> {
    const forms = [{ prompt: 'login', login: email, password: 'any' }, { prompt: 'consent' }]
    let at = new URL(address)
    let body: URLSearchParams | undefined
    for (let steps = 0; steps < 20; steps++) {
      if (at.origin === origin) return at
      const response = await this.#request(at, body)
      body = undefined
      const next = response.headers.get('location')
      if (next !== null) {
        at = new URL(next, at)
        continue
      }
      const form = forms.shift()
      const text = await response.text()
      assert.ok(form !== undefined, `${at}: ${text}`)
      const [, action] = /action="([^"]+)"/.exec(text) ?? []
      if (action !== undefined) at = new URL(action, at)
      body = new URLSearchParams(form as Record<string, string>)
    }
    throw new Error('the provider sends the user nowhere')
  }

  async #request(at: URL, body: URLSearchParams | undefined): Promise<Response> {
    const cookie = [...this.#cookies].map(([name, value]) => `${name}=${value}`).join('; ')
    const sent = { redirect: 'manual', headers: { cookie } } as const
    const response = await fetch(at, body === undefined ? sent : { ...sent, method: 'POST', body })
    for (const text of response.headers.getSetCookie()) {
      const [name = '', value = ''] = text.split(';', 1)[0]?.split('=') ?? []
      this.#cookies.set(name, value)
    }
    return response
  }
}

async function newCompany() {
  const company = await given.company()
  const owner = await given.user(company)
  const set = await send(
    '/screens/identity_provider/set',
    {
      headers: { cookie: owner.cookie, 'sec-fetch-site': 'same-origin' },
      body: JSON.stringify(provider.settings),
    },
    server.url,
  )
  assert.equal(set.status, 200, set.text)
  return { company, owner, link: String(set.body.link) }
}

test('a user signs in on the pages of a real provider, and a second time with what it remembers', async () => {
  const { owner, link } = await newCompany()
  const pages = new ProviderPages()
  for (const _time of ['first', 'second']) {
    const browser = new Browser({ base: server.url })
    const { url, token } = (await browser.call('session/begin_single_sign_on', { link })).body
    const back = await pages.signIn(url, owner.email)
    assert.equal(back.pathname, '/sign-in/return')
    const completed = await browser.call('session/single_sign_on', { token, answer: back.search.slice(1) })
    assert.deepEqual([completed.status, completed.body], [200, { success: true }])
    assert.equal((await browser.call('session/get')).body.user.email, owner.email)
  }
})

test('an address that the provider has not verified signs nobody in', async () => {
  const { company, link } = await newCompany()
  const email = `unverified-${company.id}@oak.example`
  const worker = await given.user(company, 'worker')
  await query(company.id, 'update users set email = $2 where company_id = $1 and id = $3', [
    company.id,
    email,
    worker.id,
  ])
  const browser = new Browser({ base: server.url })
  const { url, token } = (await browser.call('session/begin_single_sign_on', { link })).body
  const back = await new ProviderPages().signIn(url, email)
  const { status, body } = await browser.call('session/single_sign_on', { token, answer: back.search.slice(1) })
  assert.deepEqual([status, body.code], [400, 'provider_user_unknown'])
})
