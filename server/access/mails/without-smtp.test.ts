// A server without an SMTP server: links are copied.

import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { Browser } from '../../test/harness/browser.ts'
import { query } from '../../test/harness/database.ts'
import { given } from '../../test/harness/given.ts'
import { rule } from '../../test/harness/rule.ts'

rule('mails.invitation.off', async () => {
  const company = await given.company()
  const owner = await given.user(company)
  const { body } = await owner.call('users/invite', { email: `${randomUUID()}@oak.example`, role: 'worker' })
  assert.match(body.token, new RegExp(`^${company.id}\\.[A-Za-z0-9_-]{43}$`))
  assert.deepEqual((await owner.call('mails/get_list')).body, { success: true, mails: [], total: 0, is_on: false })
  assert.deepEqual(await query(company.id, 'select from mail_companies where company_id = $1', [company.id]), [])
})

rule('accounts.reset.off', async () => {
  const { email } = await given.user(await given.company())
  const { status, body } = await new Browser().call('session/request_reset', { email })
  assert.deepEqual([status, body.error], [400, 'This server sends no mails'])
})

rule('accounts.options.mails', 'without an SMTP server', async () => {
  const { body } = await new Browser().call('session/get_options')
  assert.deepEqual(body, { success: true, is_sign_up_open: true, sends_mails: false, passkeys: false })
})
