// The mail to the owners of a company whose webhook was turned off.

import assert from 'node:assert/strict'
import { after } from 'node:test'
import { query } from '../../test/harness/database.ts'
import { given } from '../../test/harness/given.ts'
import { MailServer } from '../../test/harness/mail-server.ts'
import { ownedDatabase } from '../../test/harness/owned-database.ts'
import { rule } from '../../test/harness/rule.ts'
import { until } from '../../test/harness/until.ts'
import { closeReceiver, Subscription } from '../../test/harness/webhooks.ts'

const mails = await MailServer.start()
ownedDatabase(mails.env())
after(async () => {
  await closeReceiver()
  await mails.stop()
})

rule('mails.webhook.disabled', async () => {
  const company = await given.company({ name: 'Oak & Sons' })
  const [other, manager] = [await given.user(company), await given.user(company, 'manager')]
  await query(company.id, `update users set language = 'de' where company_id = $1 and id = $2`, [company.id, other.id])
  const one = await Subscription.of('/status/410', {}, company)
  await one.change()
  const [mail] = await mails.waitFor(one.owner.email)
  const [german] = await mails.waitFor(other.email)
  assert.equal(mail?.mail.subject, 'A webhook of Oak & Sons was turned off')
  assert.equal(german?.mail.subject, 'Ein Webhook von Oak & Sons wurde ausgeschaltet')
  assert.ok(mail.mail.text?.includes('(410)') && mail.mail.text.includes('https://kontor.example/settings/webhooks/1'))
  assert.equal(mails.of(manager.email).length, 0)
  const { events } = (await one.owner.call('history/get_list', { record: 'webhook', record_id: one.id })).body
  const [row] = await query(
    company.id,
    'select created_at = $2::timestamptz as is_one from mails where company_id = $1',
    [company.id, events[0].at],
  )
  assert.equal(row.is_one, true, 'written in the transaction that turned it off')
})

rule('mails.webhook.canceled', async () => {
  const company = await given.company()
  const owner = await given.user(company)
  mails.treat(owner.email, 'postpone', 'accept')
  const one = await Subscription.of('/status/410', {}, company)
  await one.change()
  const state = async () =>
    (
      await query(company.id, 'select status, response from mails where company_id = $1 and recipient = $2', [
        company.id,
        owner.email,
      ])
    )[0]
  await until(async () => (await state())?.response != null, { pollMs: 50 })
  await one.call('edit', { enabled: 1, url: `${new URL(String((await one.listed())['url'])).origin}/ok` })
  await query(company.id, 'update mails set next_at = null where company_id = $1', [company.id])
  await until(async () => (await state()).status === 'canceled', { pollMs: 50 })
  assert.equal(mails.of(owner.email).length, 0)
})
