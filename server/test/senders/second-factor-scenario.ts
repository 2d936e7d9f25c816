// Second factors: set up, used in a sign-in, confirmed in a session, renewed, removed and reset.

import assert from 'node:assert/strict'
import { forgetUsedCodes, withAuthenticator } from '../harness/authenticator.ts'
import { Browser } from '../harness/browser.ts'
import { type Company, given, type User } from '../harness/given.ts'
import { TestPasskey, testOrigin, withPasskey } from '../harness/passkey.ts'
import type { Recorder } from './recorder.ts'

export async function sendSecondFactors(company: Company, owner: User, recorder: Recorder): Promise<void> {
  const password = 'a long password'
  const user = recorder.recorded(await given.user(company, 'manager', password))
  const accept = async (path: string, body: object = {}, by = user): Promise<void> => {
    const reply = await by.call(path, body)
    assert.equal(reply.status, 200, `${path} → ${reply.text}`)
  }
  const { app, codes } = await withAuthenticator(company, user)
  for (const code of [app.code(), codes[0] ?? '']) {
    const browser = new Browser()
    const enter = (path: string, body: object) => recorder.request(path, () => browser.call(path, body))
    const { body } = await enter('session/sign_in', { email: user.email, password })
    const completed = await enter('session/second_factor', { token: body.token, code })
    assert.equal(completed.status, 200, completed.text)
  }
  await forgetUsedCodes(company)
  for (const code of [app.code(), codes[1] ?? '']) await accept('session/confirm', { password, code })
  await accept('second_factors/renew_recovery_codes')
  await accept('second_factors/delete_authenticator')
  await withAuthenticator(company, user)
  await accept('users/reset_second_factors', { user_id: user.id }, owner)
  await sendPasskeys(company, recorder)
  await withAuthenticator(company, user)
  await recorder.command(['user', 'reset-second-factors'], ['--email', user.email])
}

/** The server of the other scenarios has no passkeys. */
async function sendPasskeys(company: Company, recorder: Recorder): Promise<void> {
  await recorder.onServer({ PUBLIC_ORIGIN: testOrigin }, async () => {
    const user = recorder.recorded(await given.user(company, 'manager'))
    const accept = async (path: string, body: object): Promise<void> => {
      const reply = await user.call(path, body)
      assert.equal(reply.status, 200, `${path} → ${reply.text}`)
    }
    const { passkey } = await withPasskey(user, new TestPasskey())
    const challenge = async (): Promise<string> => {
      const ask = () => new Browser().call('session/passkey_challenge')
      return (await recorder.request('session/passkey_challenge', ask)).body.challenge
    }
    const assertion = passkey.used(await challenge())
    const signIn = () => new Browser().call('session/passkey_sign_in', assertion)
    assert.equal((await recorder.request('session/passkey_sign_in', signIn)).status, 200)
    await accept('session/passkey_confirm', passkey.used(await challenge()))
    await accept('passkeys/edit', { passkey: passkey.credential, name: 'Phone' })
    await accept('passkeys/delete', { passkey: passkey.credential })
  })
}
