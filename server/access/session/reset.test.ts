// A forgotten password is set anew with a link in a mail.

import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after } from 'node:test'
import { keepLogDays } from '../../platform/postgres/maintain.ts'
import { Browser } from '../../test/harness/browser.ts'
import { query } from '../../test/harness/database.ts'
import { type Company, given, type User } from '../../test/harness/given.ts'
import { linkOf, MailServer, tokenOf } from '../../test/harness/mail-server.ts'
import { ownedDatabase } from '../../test/harness/owned-database.ts'
import { rule } from '../../test/harness/rule.ts'
import { until } from '../../test/harness/until.ts'
import { numberOfNone } from '../attempts.ts'
import { emailHash } from '../users.ts'

const mails = await MailServer.start()
const urls = ownedDatabase(mails.env())
after(() => mails.stop())

const password = 'a long password'
const better = 'a better password'
const gone = [400, 'Link not found']

type Forgetful = { readonly company: Company; readonly user: User }

async function forgetful(): Promise<Forgetful> {
  const company = await given.company({ name: 'Oak & Sons' })
  return { company, user: await given.user(company, 'manager', password) }
}

/** Under which number something is stored about an address without an account. */
const noneOf = (email: string): number => numberOfNone(emailHash(email))

const request = (email: string, more: object = {}) => new Browser().call('session/request_reset', { email, ...more })

async function requested({ user }: Forgetful, count = 1): Promise<string> {
  const { status, text } = await request(user.email)
  assert.equal(status, 200, text)
  const sent = (await mails.waitFor(user.email, count))[count - 1]
  assert.ok(sent)
  return tokenOf(sent)
}

async function reset(token: string, to = better): Promise<[number, string | undefined]> {
  const { status, body } = await new Browser().call('session/reset_password', { token, new_password: to })
  return [status, body.error]
}

const signIn = async (email: string, with_: string): Promise<number> =>
  (await new Browser().call('session/sign_in', { email, password: with_ })).status

rule('accounts.options.mails', async () => {
  const { body } = await new Browser().call('session/get_options')
  assert.deepEqual(body, { success: true, is_sign_up_open: true, sends_mails: true, passkeys: true })
})

rule('accounts.reset.link', async () => {
  const subjects = {
    en: 'Set a new password for Kontor',
    de: 'Neues Passwort für Kontor festlegen',
    ru: 'Новый пароль для Kontor',
  }
  for (const [language, subject] of Object.entries(subjects)) {
    const { user } = await forgetful()
    const headers = { 'x-forwarded-host': 'evil.example', forwarded: 'host=evil.example' }
    const asked = await new Browser().call('session/request_reset', { email: user.email, language }, headers)
    assert.equal(asked.text, '{"success":true}')
    const [mail] = await mails.waitFor(user.email)
    assert.ok(mail)
    assert.equal(mail.mail.subject, subject)
    assert.match(linkOf(mail), /^https:\/\/kontor\.example\/reset-password\/\d+\.[\w-]{43}$/)
    assert.ok(mail.mail.text?.includes(user.email) && !mail.raw.includes('evil'))
  }
})

rule('accounts.reset.once', async () => {
  const one = await forgetful()
  const { company, user } = one
  const [first, second] = [await requested(one), await requested(one, 2)]
  assert.equal((await user.call('session/get')).status, 200)
  assert.deepEqual(
    await Promise.all([reset(first), reset(first)]).then((all) => all.map(([status]) => status).sort()),
    [200, 400],
  )
  for (const token of [first, second]) assert.deepEqual(await reset(token, 'yet another password'), gone)
  assert.equal((await user.call('session/get')).status, 401)
  assert.deepEqual([await signIn(user.email, password), await signIn(user.email, better)], [400, 200])
  const notice = (await mails.waitFor(user.email, 3))[2]
  assert.equal(notice?.mail.subject, 'Your password was changed')
  assert.deepEqual(await query(company.id, 'select from mail_links where company_id = $1', [company.id]), [])
  const [event] = await query(
    company.id,
    `select method, user_id::int, change from events where company_id = $1 and record = 'user' order by seq desc limit 1`,
    [company.id],
  )
  assert.deepEqual(event, { method: 'session/reset_password', user_id: user.id, change: { password: 'reset' } })
})

rule('accounts.reset.alike', async () => {
  const { user } = await forgetful()
  const unknown = `${randomUUID()}@nowhere.example`
  const replies = [await request(user.email), await request(unknown)]
  const [known, other] = replies.map(({ status, text, headers }) => ({
    status,
    text,
    names: [...headers.keys()].sort(),
  }))
  assert.deepEqual(other, known)
  await mails.waitFor(user.email)
  const none = noneOf(unknown)
  const ended = async () =>
    await query(none, `select recipient, user_id from mails where company_id = $1 and status = 'canceled'`, [none])
  await until(async () => (await ended()).length > 0, { pollMs: 50 })
  assert.deepEqual(await ended(), [{ recipient: '', user_id: null }])
  assert.equal(mails.of(unknown).length, 0)
})

rule('accounts.companies.reset', async () => {
  const { company, user } = await forgetful()
  const others = [await given.company({ name: 'Pine' }), await given.company({ name: 'Elm' })]
  for (const other of others) await given.user(other, 'worker', password, user.email)
  assert.equal((await request(user.email)).status, 200)
  const sent = await mails.waitFor(user.email, 3)
  const tokens = new Map(sent.map((mail) => [Number(tokenOf(mail).split('.')[0]), tokenOf(mail)]))
  assert.deepEqual(new Set(tokens.keys()), new Set([company, ...others].map(({ id }) => id)))
  for (const name of ['Oak & Sons', 'Pine', 'Elm'])
    assert.equal(sent.filter(({ mail }) => mail.text?.includes(`(${name})`)).length, 1, name)
  const pine = others[0] ?? company
  assert.equal((await reset(tokens.get(pine.id) ?? ''))[0], 200)
  const signsIn = async ({ id }: Company, with_: string): Promise<number> =>
    (await new Browser().call('session/sign_in', { email: user.email, password: with_, company_id: id })).status
  assert.deepEqual([await signsIn(pine, better), await signsIn(pine, password)], [200, 400])
  assert.deepEqual([await signsIn(company, better), await signsIn(company, password)], [400, 200])
  assert.equal((await user.call('session/get')).status, 200, 'the sessions in other companies go on')
  // The token of one company is none in another.
  const [, secret] = (tokens.get(company.id) ?? '').split('.')
  assert.deepEqual(await reset(`${others[1]?.id}.${secret}`), gone)
})

rule('accounts.reset.expires', async () => {
  const one = await forgetful()
  const token = await requested(one)
  const [link] = await query(
    one.company.id,
    `select extract(epoch from l.expires_at - m.created_at)::int as seconds from mail_links l
     join mails m on m.company_id = $1 and m.id = l.mail_id where l.company_id = $1`,
    [one.company.id],
  )
  assert.equal(link.seconds, 30 * 60)
  assert.deepEqual(await reset(token, 'short'), [400, 'Invalid new_password value. Must be at least 10 characters'])
  const tooCommon = [400, 'This password is too common. Choose another one']
  assert.deepEqual(await reset(token, 'password1234'), tooCommon)
  assert.deepEqual(await reset(token, `${one.user.email.split('@')[0]}1`), tooCommon)
  await query(one.company.id, `update mail_links set expires_at = now() where company_id = $1`, [one.company.id])
  assert.deepEqual(await reset(token), gone)
  assert.equal(await signIn(one.user.email, password), 200)
})

rule('accounts.reset.ended', async () => {
  const changed = await forgetful()
  const token = await requested(changed)
  const body = { password, new_password: better }
  assert.equal((await changed.user.call('session/change_password', body)).status, 200)
  assert.deepEqual(await reset(token), gone)
  const removed = await forgetful()
  const other = await requested(removed)
  const owner = await given.user(removed.company)
  assert.equal((await owner.call('users/delete', { user_id: removed.user.id })).status, 200)
  assert.deepEqual(await reset(other), gone)
  for (const wrong of ['', 'x', `${changed.company.id}.${'A'.repeat(43)}`, `${removed.company.id}.x`])
    assert.equal((await reset(wrong))[0], 400)
})

rule('accounts.reset.limits', async () => {
  for (const email of [(await forgetful()).user.email, `${randomUUID()}@nowhere.example`]) {
    for (let times = 1; times <= 3; times++) assert.equal((await request(email.toUpperCase())).status, 200)
    const { status, body } = await request(email)
    assert.deepEqual([status, body.error], [429, 'Too many attempts. Try again in 15 minutes'])
  }
})

rule('accounts.reset.secret', async () => {
  const one = await forgetful()
  const token = await requested(one)
  const secret = token.split('.')[1] ?? ''
  assert.equal(secret.length, 43)
  for (const table of ['mails', 'mail_links', 'events', 'users']) {
    const rows = await query(one.company.id, `select to_jsonb(t)::text as row from ${table} t where company_id = $1`, [
      one.company.id,
    ])
    assert.ok(rows.length > 0 && rows.every(({ row }) => !row.includes(secret)), table)
  }
  assert.equal((await reset(token))[0], 200)
  assert.ok(!urls.serverOutput().includes(secret) && !urls.serverOutput().includes(better))
})

rule('accounts.reset.deleted', async () => {
  const one = await forgetful()
  const unknown = `${randomUUID()}@nowhere.example`
  await request(unknown)
  await requested(one)
  const ids = [noneOf(unknown), one.company.id]
  const left = async (id: number) => {
    await query(id, `update mails set created_at = now() - interval '25 hours' where company_id = $1`, [id])
    return (await query(id, 'select from mails where company_id = $1', [id])).length
  }
  assert.deepEqual([await left(ids[0] ?? 0), await left(ids[1] ?? 0)], [1, 1])
  await keepLogDays(urls.url, 30)
  assert.deepEqual([await left(ids[0] ?? 0), await left(ids[1] ?? 0)], [0, 1])
  assert.deepEqual(await query(0, 'select from mail_companies where company_id = $1', [ids[0]]), [])
})
