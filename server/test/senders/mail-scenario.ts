// Mails: what is sent to the database when a mail is written, sent, postponed and refused. The server of the other scenarios sends no mails, so this one starts its own.

import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { Browser } from '../harness/browser.ts'
import { query } from '../harness/database.ts'
import { type Company, given } from '../harness/given.ts'
import { MailServer, tokenOf } from '../harness/mail-server.ts'
import { until } from '../harness/until.ts'
import { WebhookReceiver } from '../harness/webhook-receiver.ts'
import type { Call } from './accepted.ts'
import type { Recorder } from './recorder.ts'

const marked = 'select has_queued from mail_companies where company_id = $1'

export async function sendMails(company: Company, call: Call, recorder: Recorder): Promise<void> {
  const mails = await MailServer.start()
  await wantShortageMails(company, call)
  try {
    await recorder.onServer(mails.env(), async () => {
      const invite = async (): Promise<string> => {
        const email = `${randomUUID()}@oak.example`
        await call('users/invite', { email, role: 'worker' })
        return email
      }
      const slow = Promise.withResolvers<void>()
      const isSent = async (email: string): Promise<boolean> =>
        (
          await query(company.id, 'select status from mails where company_id = $1 and recipient = $2', [
            company.id,
            email,
          ])
        )[0]?.status === 'sent'
      // Longer than the sender waits before it renews its lease.
      mails.onStage = async (stage) => (stage === 'received' ? await slow.promise : undefined)
      const first = await invite()
      setTimeout(() => slow.resolve(), 8_000)
      await until(() => isSent(first), { pollMs: 50 })
      // The mark of the company is cleared only while nothing is queued.
      await until(async () => !(await query(company.id, marked, [company.id]))[0]?.has_queued, { pollMs: 50 })
      const later = `${randomUUID()}@oak.example`
      mails.treat(later, 'postpone')
      await call('users/invite', { email: later, role: 'worker' })
      await resetPassword(company, mails, recorder)
      await signUp(mails, recorder)
      await turnOff(company, call, mails)
      await sendQuote(call, mails)
      await sendDocuments(call, mails)
      await recorder.mailStatements()
      await call('mails/get_list')
    })
  } finally {
    await mails.stop()
  }
}

const entering = (recorder: Recorder) => {
  const browser = new Browser()
  return async (path: string, body: object): Promise<void> => {
    const reply = await recorder.request(path, () => browser.call(path, body))
    assert.equal(reply.status, 200, `${path} → ${reply.text}`)
  }
}

/** A company is signed up, and its address confirmed. */
async function signUp(mails: MailServer, recorder: Recorder): Promise<void> {
  const enter = entering(recorder)
  const email = `${randomUUID()}@oak.example`
  await enter('session/sign_up', { company: 'Oak', name: 'Ada', email, password: 'a long password' })
  const [mail] = await mails.waitFor(email)
  assert.ok(mail)
  await enter('session/confirm_sign_up', { token: tokenOf(mail) })
}

/** A user forgets the password. */
async function resetPassword(company: Company, mails: MailServer, recorder: Recorder): Promise<void> {
  const { email } = await given.user(company, 'worker')
  await given.user(await given.company(), 'worker', undefined, email)
  const enter = entering(recorder)
  await enter('session/get_options', {})
  await enter('session/request_reset', { email })
  const [mail] = await mails.waitFor(email, 2)
  assert.ok(mail)
  await enter('session/reset_password', { token: tokenOf(mail), new_password: 'another long password' })
  await mails.waitFor(email, 3)
}

async function sendQuote(call: Call, mails: MailServer): Promise<void> {
  const email = `${randomUUID()}@oak.example`
  const { customer_id } = await call('customers/add', { name: randomUUID() })
  const { product_id } = await call('products/add', { name: randomUUID() })
  const { quote_id } = await call('quotes/add', { customer_id, products: [{ id: product_id, amount: 1, total: 1 }] })
  await call('quotes/send', { quote_id, email })
  await mails.waitFor(email)
}

async function sendDocuments(call: Call, mails: MailServer): Promise<void> {
  const { product_id } = await call('products/add', { name: randomUUID() })
  const products = [{ id: product_id, amount: 1, total: 1 }]
  const { order_id } = await call('orders/add', { num: randomUUID(), customer_name: randomUUID(), products })
  const { supplier_id } = await call('suppliers/add', { name: randomUUID() })
  const { purchase_id } = await call('purchases/add', { supplier_id, products })
  for (const [document, id] of [
    ['order-confirmation', order_id],
    ['purchase-order', purchase_id],
  ]) {
    const email = `${randomUUID()}@oak.example`
    await call('documents/get_recipient', { document, id })
    await call('documents/send', { document, id, email })
    await mails.waitFor(email)
  }
}

/** A server looks for these when it starts. */
async function wantShortageMails(company: Company, call: Call): Promise<void> {
  await call('session/edit_mails', { shortages_daily: 1 })
  await call('session/get_mails')
  await call('materials/add', { name: randomUUID(), min_amount: 10 })
  const noon = (36 - new Date().getUTCHours()) % 24
  const timezone = `Etc/GMT${noon > 12 ? `+${24 - noon}` : `-${noon}`}`
  await query(company.id, 'update companies set timezone = $2 where company_id = $1', [company.id, timezone])
  const { id } = await given.company()
  await query(id, 'insert into mail_companies (company_id, has_queued, has_shortage_mails) values ($1, false, true)', [
    id,
  ])
}

/** A webhook is turned off. The server of the other scenarios may do it, which sends no mails: until this one does. */
async function turnOff(company: Company, call: Call, mails: MailServer): Promise<void> {
  const receiver = await WebhookReceiver.start()
  try {
    const { email } = await given.user(company)
    const { webhook_id } = await call('webhooks/add', { url: `${receiver.url}/status/410` })
    const isOff = async () =>
      !(
        await query(company.id, 'select enabled from webhook_endpoints where company_id = $1 and id = $2', [
          company.id,
          webhook_id,
        ])
      )[0].enabled
    while (mails.of(email).length === 0) {
      await call('webhooks/edit', { webhook_id, enabled: 1 })
      await call('units/add', { name: randomUUID() })
      await until(isOff, { pollMs: 50 })
      const isQueued = `select from mails where company_id = $1 and kind = 'webhook_disabled'`
      if ((await query(company.id, isQueued, [company.id])).length > 0) await mails.waitFor(email)
    }
    await call('webhooks/delete', { webhook_id })
  } finally {
    await receiver.stop()
  }
}
