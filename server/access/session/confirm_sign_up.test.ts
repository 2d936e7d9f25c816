// With an SMTP server a sign-up is completed with the link of a mail.

import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after } from 'node:test'
import { keepLogDays } from '../../platform/postgres/maintain.ts'
import { Browser } from '../../test/harness/browser.ts'
import { broken, query } from '../../test/harness/database.ts'
import { given } from '../../test/harness/given.ts'
import { linkOf, MailServer, tokenOf } from '../../test/harness/mail-server.ts'
import { ownedDatabase } from '../../test/harness/owned-database.ts'
import { rule } from '../../test/harness/rule.ts'

const mails = await MailServer.start()
const urls = ownedDatabase(mails.env())
after(() => mails.stop())

const password = 'a long password'
const newEmail = (): string => `ada-${randomUUID()}@oak.example`
const newcomer = (email: string) => ({ company: 'Buy at evil.example', name: 'See evil.example', email, password })

async function signUp(email: string, more: object = {}) {
  const reply = await new Browser().call('session/sign_up', { ...newcomer(email), ...more })
  assert.equal(reply.text, '{"success":true,"is_mailed":true}')
  assert.deepEqual(reply.headers.getSetCookie(), [])
  return reply
}

async function linkTo(email: string, count = 1): Promise<string> {
  const mail = (await mails.waitFor(email, count))[count - 1]
  assert.ok(mail)
  return tokenOf(mail)
}

const confirm = (token: string, browser = new Browser()) => browser.call('session/confirm_sign_up', { token })
const signIn = async (email: string): Promise<number> =>
  (await new Browser().call('session/sign_in', { email, password })).status

rule('accounts.sign-up.link', async () => {
  const subjects = {
    en: ['Confirm your e-mail address', 'pcs'],
    de: ['Bestätigen Sie Ihre E-Mail-Adresse', 'Stk.'],
    ru: ['Подтвердите адрес e-mail', 'шт'],
  }
  for (const [language, [subject, unit]] of Object.entries(subjects)) {
    const email = newEmail()
    await signUp(email, { language, timezone: 'Europe/Berlin' })
    const token = await linkTo(email)
    const [mail] = mails.of(email)
    assert.ok(mail && linkOf(mail).startsWith('https://kontor.example/confirm/'))
    assert.equal(mail.mail.subject, subject)
    const browser = new Browser()
    assert.equal((await confirm(token, browser)).text, '{"success":true}')
    const { body } = await browser.call('session/get')
    assert.deepEqual([body.user.email, body.user.role, body.user.name], [email, 'owner', 'See evil.example'])
    assert.deepEqual([body.company.name, body.company.timezone], ['Buy at evil.example', 'Europe/Berlin'])
    assert.equal((await browser.call('units/get_list')).body.units[0].name, unit)
    const again = await confirm(token)
    assert.deepEqual([again.status, again.body.error], [400, 'Link not found'])
    assert.equal(await signIn(email), 200)
    const left = await query(body.company.id, 'select from pending_sign_ups where company_id = $1', [body.company.id])
    assert.deepEqual([left, await broken(body.company.id)], [[], []])
    assert.equal((await browser.call('mails/get_list')).body.mails[0].kind, 'sign_up')
  }
})

rule('accounts.sign-up.link', 'two confirm at once', async () => {
  const email = newEmail()
  await signUp(email)
  const token = await linkTo(email)
  const replies = await Promise.all([confirm(token), confirm(token), confirm(token)])
  assert.deepEqual(replies.map(({ status }) => status).sort(), [200, 400, 400])
  for (const wrong of ['', 'x', `7.${'A'.repeat(43)}`]) assert.equal((await confirm(wrong)).status, 400)
})

rule('accounts.sign-up.alike', async () => {
  const known = (await given.user(await given.company())).email
  const unknown = newEmail()
  const names = (headers: Headers) => [...headers.keys()].sort()
  const [one, other] = [await signUp(known), await signUp(unknown)]
  assert.deepEqual(names(one.headers), names(other.headers))
  const [mail] = await mails.waitFor(known)
  assert.ok(mail && mail.mail.text?.includes('already belongs to an account') === true)
  assert.equal(mail.mail.subject, 'Confirm another company')
  const reply = await confirm(tokenOf(mail))
  assert.equal(reply.status, 200, reply.text)
})

rule('accounts.sign-up.nothing', async () => {
  const email = newEmail()
  await signUp(email)
  const companyId = Number((await linkTo(email)).split('.')[0])
  for (const table of ['companies', 'company_clock', 'users', 'events', 'sign_ins'])
    assert.deepEqual(await query(companyId, `select from ${table} where company_id = $1`, [companyId]), [], table)
  assert.equal(await signIn(email), 400)
  const [pending] = await query(companyId, 'select * from pending_sign_ups where company_id = $1', [companyId])
  assert.match(pending.password_hash, /^\$argon2id\$/)
})

rule('accounts.sign-up.several', async () => {
  const email = newEmail()
  await signUp(email)
  const first = await linkTo(email)
  await signUp(email)
  const second = await linkTo(email, 2)
  for (const token of [second, first]) assert.equal((await confirm(token)).status, 200)
  const ids = [first, second].map((token) => Number(token.split('.')[0]))
  for (const id of ids) assert.deepEqual(await broken(id), [])
})

rule('accounts.sign-up.words', async () => {
  const email = newEmail()
  await signUp(email)
  const [mail] = await mails.waitFor(email)
  assert.ok(mail && !mail.raw.includes('evil') && !mail.mail.text?.includes('evil'))
})

rule('accounts.sign-up.expires', async () => {
  const email = newEmail()
  await signUp(email)
  const token = await linkTo(email)
  const companyId = Number(token.split('.')[0])
  await query(companyId, `update pending_sign_ups set expires_at = now() where company_id = $1`, [companyId])
  await query(companyId, `update mails set created_at = now() - interval '24 hours' where company_id = $1`, [companyId])
  assert.equal((await confirm(token)).body.error, 'Link not found')
  await keepLogDays(urls.url, 30)
  for (const table of ['pending_sign_ups', 'mails', 'mail_links', 'mail_companies'])
    assert.deepEqual(await query(companyId, `select from ${table} where company_id = $1`, [companyId]), [], table)
})

rule('accounts.sign-up.limits', async () => {
  for (const email of [newEmail(), (await given.user(await given.company())).email]) {
    for (let times = 1; times <= 3; times++) await signUp(email)
    const { status, body } = await new Browser().call('session/sign_up', newcomer(email))
    assert.deepEqual([status, body.error], [429, 'Too many attempts. Try again in 15 minutes'])
  }
})
