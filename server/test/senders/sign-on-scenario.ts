// Single sign-on: an identity provider is set, a user signs in at it twice, and it is removed.

import assert from 'node:assert/strict'
import { Browser } from '../harness/browser.ts'
import { type Company, given } from '../harness/given.ts'
import { TestProvider } from '../harness/identity-provider.ts'
import type { Recorder } from './recorder.ts'

/** The server of the other scenarios has no single sign-on. */
export async function sendSingleSignOn(company: Company, recorder: Recorder): Promise<void> {
  const provider = new TestProvider()
  await provider.start()
  try {
    await recorder.onServer({ PUBLIC_ORIGIN: 'https://kontor.example' }, async () => {
      const owner = recorder.recorded(await given.user(company))
      const accept = async (path: string, body: object = {}) => {
        const reply = await owner.call(path, body)
        assert.equal(reply.status, 200, `${path} → ${reply.text}`)
        return reply.body
      }
      const { link } = await accept('identity_provider/set', provider.settings())
      await accept('identity_provider/get')
      for (const _time of ['first', 'second']) {
        const enter = async (path: string, body: object) => {
          const reply = await recorder.request(path, () => new Browser().call(path, body))
          assert.equal(reply.status, 200, `${path} → ${reply.text}`)
          return reply.body
        }
        const { url, token } = await enter('session/begin_single_sign_on', { link })
        const who = { sub: 'account', email: owner.email, email_verified: true }
        await enter('session/single_sign_on', { token, answer: provider.answer(url, who) })
      }
      await accept('identity_provider/set', { ...provider.settings(), issuer: 'https://id.oak.example' })
      await accept('identity_provider/delete')
    })
  } finally {
    provider.stop()
  }
}
