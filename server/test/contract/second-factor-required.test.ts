// A company that requires a second factor: its users can only set one up before they do anything else. Every method of the app API is tried.

import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import { roles } from '../../kernel/method.ts'
import { methods, sessionMethods } from '../../methods.ts'
import { send } from '../harness/app.ts'
import { withAuthenticator } from '../harness/authenticator.ts'
import { query } from '../harness/database.ts'
import { type Company, given, type User } from '../harness/given.ts'

const all = [...methods, ...sessionMethods.filter(({ needsSession }) => needsSession)]
/** What a user without a second factor may call. */
const forSettingUp = [
  'passkeys/add',
  'passkeys/begin',
  'second_factors/add_authenticator',
  'second_factors/confirm_authenticator',
  'second_factors/get',
  'session/confirm',
  'session/get',
  'session/get_companies',
  'session/passkey_confirm',
  'session/sign_out',
  'session/switch_company',
]

let company: Company
let owner: User
before(async () => {
  company = await given.company()
  owner = await given.user(company, 'owner')
})

test('an owner turns it on after setting up a second factor of their own', async () => {
  const turnOn = () => owner.call('settings/edit', { requires_second_factor: 1 })
  const refused = await turnOn()
  assert.deepEqual([refused.status, refused.body.code], [400, 'own_second_factor_first'])
  await withAuthenticator(company, owner)
  assert.equal((await turnOn()).text, '{"success":true}')
  assert.equal((await owner.call('settings/get')).body.settings.requires_second_factor, true)
  const { body } = await owner.call('session/get')
  assert.deepEqual([body.has_second_factor, body.must_set_up_second_factor], [true, false])
})

test('a user without a second factor can call these methods, and every other one is refused', async () => {
  assert.deepEqual(
    all.flatMap(({ path, isForSettingUp }) => (isForSettingUp === true ? [path] : [])).toSorted(),
    forSettingUp.toSorted(),
  )
  await query(company.id, 'update companies set requires_second_factor = true where company_id = $1', [company.id])
  for (const role of roles) {
    const { cookie, call } = await given.user(company, role)
    assert.equal((await call('session/get')).body.must_set_up_second_factor, true)
    for (const { path, role: least } of all) {
      if (roles.indexOf(role) < roles.indexOf(least)) continue
      // The body is valid for no method: where the call is allowed, it is refused because of the body.
      const headers = { cookie, 'sec-fetch-site': 'same-origin' }
      const { status, text } = await send(`/screens/${path}`, { headers, body: '[1]' })
      const expected = forSettingUp.includes(path)
        ? [400, '{"success":false,"error":"Request body must be a JSON object"}']
        : [403, '{"success":false,"error":"Set up a second factor first","code":"second_factor_required"}']
      assert.deepEqual([status, text], expected, `${path} as ${role}`)
    }
    const file = await send(`/screens/files/1-${'A'.repeat(22)}`, {
      method: 'GET',
      headers: { cookie, 'sec-fetch-site': 'same-origin' },
    })
    assert.equal(file.status, 403, file.text)
  }
})

test('with a second factor everything is allowed again, and API keys are not affected', async () => {
  const user = await given.user(company, 'manager')
  assert.equal((await user.call('orders/browse', { limit: 1 })).status, 403)
  await withAuthenticator(company, user)
  assert.equal((await user.call('orders/browse', { limit: 1 })).status, 200)
  assert.equal((await user.call('second_factors/delete_authenticator')).status, 200)
  assert.equal((await user.call('orders/browse', { limit: 1 })).body.code, 'second_factor_required')
  assert.equal((await company.call('orders/get_list', { limit: 1 })).status, 200)
})
