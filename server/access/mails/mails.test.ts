// Mails sent by the real server to a real SMTP server. Long because every kind of mail and every way in which a server can answer is tested here.

import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after } from 'node:test'
import { mail as mailCommands } from '../../cli/mail.ts'
import { Browser } from '../../test/harness/browser.ts'
import { commandLine, withEnv } from '../../test/harness/command-line.ts'
import { query } from '../../test/harness/database.ts'
import { type Company, given, type User } from '../../test/harness/given.ts'
import { linkOf, MailServer, tokenOf, words } from '../../test/harness/mail-server.ts'
import { ownedDatabase } from '../../test/harness/owned-database.ts'
import { rule } from '../../test/harness/rule.ts'
import { until } from '../../test/harness/until.ts'

const mails = await MailServer.start()
const urls = ownedDatabase(mails.env({ MAILS_PER_DAY: '8', LOG_LEVEL: 'trace' }))
after(() => mails.stop())

const kontor = commandLine(...mailCommands)
const newAddress = (): string => `${randomUUID()}@oak.example`

type Inviting = { readonly company: Company; readonly owner: User; readonly email: string; readonly id: number }

async function invited(more: object = {}, own?: Company): Promise<Inviting> {
  const company = own ?? (await given.company({ name: 'Oak & Sons' }))
  const owner = await given.user(company)
  const email = newAddress()
  const { status, body, text } = await owner.call('users/invite', { email, role: 'worker', ...more })
  assert.equal(status, 200, text)
  return { company, owner, email, id: body.invitation_id }
}

// biome-ignore lint/suspicious/noExplicitAny: rows of the list have many fields
async function listed({ owner }: Pick<Inviting, 'owner'>): Promise<any[]> {
  const { status, body, text } = await owner.call('mails/get_list')
  assert.equal(status, 200, text)
  assert.equal(body.is_on, true)
  return body.mails
}

async function waitForState(one: Inviting, status: string): Promise<Record<string, unknown>> {
  const find = async () => (await listed(one)).find(({ recipient }) => recipient === one.email)
  await until(async () => (await find())?.status === status, { pollMs: 50 })
  return await find()
}

/** Lets the pause before the next attempt pass. */
const endPause = ({ company }: Inviting) =>
  query(company.id, 'update mails set next_at = null where company_id = $1', [company.id])

const accept = (token: string) =>
  new Browser().call('invitations/accept', { token, name: 'Ben', password: 'a long password of Ben' })

rule('mails.invitation.link', async () => {
  const subjects = { en: 'Invitation to Oak & Sons', de: 'Einladung zu Oak & Sons', ru: 'Приглашение в Oak & Sons' }
  for (const [language, subject] of Object.entries(subjects)) {
    const one = await invited({ language })
    const [first] = await mails.waitFor(one.email)
    assert.ok(first)
    const { mail } = first
    assert.equal(mail.subject, subject)
    assert.deepEqual(mail.from?.value, [{ name: 'Kontor', address: 'kontor@kontor.example' }])
    assert.ok(String(mail.html).includes(`href="${linkOf(first)}"`) && String(mail.html).includes(`lang="${language}"`))
    assert.ok(mail.text?.includes('Some owner'), 'who invites')
    assert.equal(mail.headers.get('auto-submitted'), 'auto-generated')
    const shown = await new Browser().call('invitations/get', { token: tokenOf(first) })
    assert.deepEqual(shown.body, { success: true, company: 'Oak & Sons', email: one.email, role: 'worker' })
    assert.equal((await accept(tokenOf(first))).status, 200)
    assert.equal((await accept(tokenOf(first))).body.error, 'Invitation not found')
    assert.equal((await waitForState(one, 'sent'))['response'], '250 Ok, kept')
  }
})

rule('mails.invitation.link', 'a token is not answered, and a link that was never sent does not work', async () => {
  const company = await given.company()
  const owner = await given.user(company)
  const { body } = await owner.call('users/invite', { email: newAddress(), role: 'worker' })
  assert.deepEqual(Object.entries(body), [
    ['success', true],
    ['invitation_id', 1],
    ['token', null],
  ])
  assert.equal((await accept(`${company.id}.${'A'.repeat(43)}`)).body.error, 'Invitation not found')
})

rule('mails.invitation.origin', async () => {
  const company = await given.company()
  const owner = await given.user(company)
  const email = newAddress()
  const headers = {
    'x-forwarded-host': 'evil.example',
    forwarded: 'host=evil.example',
    origin: 'https://kontor.example',
  }
  assert.equal((await owner.call('users/invite', { email, role: 'worker' }, headers)).status, 200)
  const [first] = await mails.waitFor(email)
  assert.ok(first && linkOf(first).startsWith('https://kontor.example/invitation/') && !first.raw.includes('evil'))
})

rule('mails.invitation.alike', async () => {
  const elsewhere = await given.user(await given.company())
  const company = await given.company({ name: 'Oak & Sons' })
  const owner = await given.user(company)
  const unknown = await owner.call('users/invite', { email: newAddress(), role: 'worker' })
  const known = await owner.call('users/invite', { email: elsewhere.email, role: 'worker' })
  assert.deepEqual([known.status, known.body], [unknown.status, { ...unknown.body, invitation_id: 2 }])
  const [first] = await mails.waitFor(elsewhere.email)
  assert.ok(first)
  assert.equal(first.mail.subject, 'Invitation to Oak & Sons')
  const accepted = await new Browser().call('invitations/accept', {
    token: tokenOf(first),
    name: 'Ben',
    password: 'a long password',
  })
  assert.equal(accepted.status, 200, accepted.text)
})

rule('mails.invitation.own', async () => {
  const { company, owner } = await invited()
  const { email } = await given.user(company, 'worker')
  const { status, body } = await owner.call('users/invite', { email, role: 'worker' })
  assert.deepEqual([status, body.error], [400, 'Email is already in use'])
})

rule('mails.invitation.withdrawn', async () => {
  const company = await given.company()
  const owner = await given.user(company)
  const email = newAddress()
  mails.treat(email, 'postpone', 'accept')
  const { body } = await owner.call('users/invite', { email, role: 'worker' })
  const one = { company, owner, email, id: body.invitation_id }
  await until(async () => (await listed(one))[0].response === words.postpone, { pollMs: 50 })
  assert.equal((await owner.call('invitations/delete', { invitation_id: one.id })).status, 200)
  await endPause(one)
  await waitForState(one, 'canceled')
  assert.equal(mails.of(email).length, 0)
})

rule('mails.invitation.names', async () => {
  const name = `<script>alert(1)</script>\u0085${'x'.repeat(200)}`
  const { email } = await invited({}, await given.company({ name }))
  const [first] = await mails.waitFor(email)
  assert.ok(first)
  assert.ok(!String(first.mail.html).includes('<script') && String(first.mail.html).includes('&lt;script&gt;'))
  assert.equal(first.mail.subject, `Invitation to <script>alert(1)</script> ${'x'.repeat(53)}…`)
})

rule('mails.secret.stored', async () => {
  const one = await invited()
  mails.treat(one.email, 'echo')
  const [first] = await mails.waitFor(one.email)
  assert.ok(first)
  const token = tokenOf(first)
  await waitForState(one, 'sent')
  const later = newAddress()
  mails.treat(later, 'postpone')
  await one.owner.call('users/invite', { email: later, role: 'worker' })
  await waitForState({ ...one, email: later }, 'queued')
  const secret = token.split('.')[1] ?? ''
  assert.ok(secret.length === 43)
  const tables = await query(
    one.company.id,
    `select c.relname as name from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attname = 'company_id'
     where c.relkind in ('r', 'p') and c.relnamespace = current_schema()::regnamespace`,
  )
  let rows = 0
  for (const { name } of tables) {
    const found = await query(one.company.id, `select to_jsonb(t)::text as row from ${name} t where company_id = $1`, [
      one.company.id,
    ])
    rows += found.length
    for (const { row } of found) {
      assert.ok(!row.includes(secret), `${name} contains the token`)
      // The text of a mail is not stored either: only one of those that wait has a link, and no row has its form.
      assert.doesNotMatch(row, /\/invitation\/\w/, name)
    }
  }
  assert.ok(rows > 20)
  assert.match(urls.serverOutput(), /"listening"/)
  assert.ok(!urls.serverOutput().includes(secret), 'the log contains the token')
})

rule('mails.list.states', async () => {
  const one = await invited()
  const { id, created_at, ended_at, ...row } = (await waitForState(one, 'sent')) as Record<string, string>
  assert.match(id ?? '', /^[A-Za-z0-9_-]{16}$/)
  assert.ok(Date.parse(ended_at ?? '') >= Date.parse(created_at ?? ''))
  const expected = { kind: 'invitation', recipient: one.email, status: 'sent', attempts: 1, next_at: null }
  assert.deepEqual(row, { ...expected, response: '250 Ok, kept' })
  const neighbour = await given.user(await given.company())
  assert.deepEqual(await listed({ owner: neighbour }), [])
})

rule('mails.list.owners', async () => {
  const company = await given.company()
  for (const role of ['manager', 'worker'] as const)
    assert.equal((await (await given.user(company, role)).call('mails/get_list')).status, 403)
})

rule('mails.limit.day', async () => {
  const { owner } = await invited()
  const invite = async () => (await owner.call('users/invite', { email: newAddress(), role: 'worker' })).body
  for (let n = 2; n <= 8; n++) assert.equal((await invite()).success, true)
  assert.equal((await invite()).error, 'Too many mails in 24 hours. Must be at most 8')
})

rule('mails.failure.postponed', async () => {
  for (const treatment of ['postpone', 'cut at recipient', 'cut at text', 'cut before response'] as const) {
    const company = await given.company()
    const owner = await given.user(company)
    const email = newAddress()
    mails.treat(email, treatment, 'accept')
    const { body } = await owner.call('users/invite', { email, role: 'worker' })
    const one = { company, owner, email, id: body.invitation_id }
    await until(async () => (await listed(one))[0].response !== null, { pollMs: 50 })
    const [{ status, response, next_at: next, created_at: created }] = await listed(one)
    assert.equal(status, 'queued')
    if (treatment === 'postpone') assert.equal(response, words.postpone)
    else assert.match(response, /clos|reset|hang|EPIPE/i)
    const pauseMs = Date.parse(next) - Date.parse(created)
    assert.ok(pauseMs >= 60_000 && pauseMs < 120_000, `${pauseMs} ms`)
    await endPause(one)
    await waitForState(one, 'sent')
    assert.equal(mails.of(email).length, 1, treatment)
  }
})

rule('mails.failure.refused', async () => {
  const expected = { refuse: words.refuse, 'refuse text': '554 5.6.0 This looks like spam' } as const
  for (const [treatment, response] of Object.entries(expected)) {
    const company = await given.company()
    const owner = await given.user(company)
    const email = newAddress()
    mails.treat(email, treatment as keyof typeof expected)
    const { body } = await owner.call('users/invite', { email, role: 'worker' })
    const failed = await waitForState({ company, owner, email, id: body.invitation_id }, 'failed')
    assert.deepEqual([failed['response'], failed['attempts']], [response, 1])
  }
})

rule('mails.failure.given-up', async () => {
  const company = await given.company()
  const owner = await given.user(company)
  const email = newAddress()
  mails.treat(email, 'postpone')
  const { body } = await owner.call('users/invite', { email, role: 'worker' })
  const one = { company, owner, email, id: body.invitation_id }
  await until(async () => (await listed(one))[0].response !== null, { pollMs: 50 })
  await query(
    company.id,
    `update mails set next_at = null, created_at = now() - interval '48 hours' where company_id = $1`,
    [company.id],
  )
  assert.equal((await waitForState(one, 'failed'))['response'], words.postpone)
})

rule('mails.command.test', async () => {
  const to = newAddress()
  const test = (env: Record<string, string>, ...more: string[]) =>
    withEnv({ DATABASE_URL: urls.url, ...env }, () => kontor('mail', 'test', '--to', to, ...more))
  const sent = await test(mails.env(), '--language', 'de')
  assert.deepEqual([sent.code, sent.out], [0, `127.0.0.1:${mails.port} has accepted the mail: 250 Ok, kept\n`])
  assert.equal(mails.of(to)[0]?.mail.subject, 'Test von Kontor')
  mails.treat(to, 'refuse')
  const refused = await test(mails.env())
  assert.deepEqual([refused.code, refused.errors.includes(words.refuse)], [1, true])
  const wrong = await test(mails.env({ SMTP_URL: `smtp://kontor:wrong@127.0.0.1:${mails.port}` }))
  assert.ok(wrong.code === 1 && wrong.errors.includes('535 5.7.8 Wrong password') && !wrong.errors.includes(':wrong'))
  mails.treat(to, 'accept')
  assert.equal((await test(mails.env({ SMTP_URL: `smtp://kontor:right@127.0.0.1:${mails.port}` }))).code, 0)
  const off = await test({})
  assert.deepEqual([off.code, off.errors], [2, 'kontor: SMTP_URL is not set: this server sends no mails\n'])
})
