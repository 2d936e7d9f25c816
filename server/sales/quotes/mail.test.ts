// Quotes sent by mail: by the real server to a real SMTP server.

import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after } from 'node:test'
import { Browser } from '../../test/harness/browser.ts'
import { query } from '../../test/harness/database.ts'
import { given } from '../../test/harness/given.ts'
import { linkOf, MailServer, tokenOf, words } from '../../test/harness/mail-server.ts'
import { ownedDatabase } from '../../test/harness/owned-database.ts'
import { type Quoted, quoted, quoteOf } from '../../test/harness/quotes.ts'
import { rule } from '../../test/harness/rule.ts'
import { shown } from '../../test/harness/screens.ts'
import { until } from '../../test/harness/until.ts'

const mails = await MailServer.start()
const urls = ownedDatabase(mails.env({ MAILS_PER_DAY: '8', LOG_LEVEL: 'trace' }))
after(() => mails.stop())

const newAddress = (): string => `${randomUUID()}@beech.example`

/** A quote that is sent to an address of its own. */
async function mailed({ user, add }: Quoted, body: object = {}): Promise<{ readonly id: number; readonly to: string }> {
  const [id, to] = [await add(body), newAddress()]
  assert.deepEqual(await shown(user, 'quotes/send', { quote_id: id, email: ` ${to} ` }), { success: true, token: null })
  return { id, to }
}

const linksOf = async ({ user }: Quoted, id: number) => (await shown(user, 'quotes/get_card', { quote_id: id })).links

const waitForState = ({ user }: Quoted, id: number, status: string): Promise<unknown> =>
  until(async () => (await shown(user, 'quotes/get_card', { quote_id: id })).links[0].mail_status === status, {
    pollMs: 50,
  })

const open = (token: string) => new Browser().call('quotes/get_shared', { token })

rule('quotes.mail.link', async () => {
  const place = await quoted()
  const owner = await given.user(place.company)
  const subjects = { en: 'Quote Q-1 from Oak Ltd', de: 'Angebot Q-2 von Oak Ltd', ru: 'Предложение Q-3 от Oak Ltd' }
  const days = { en: 'March 12, 2099', de: '12. März 2099', ru: '12 марта 2099' }
  for (const language of ['en', 'de', 'ru'] as const) {
    const details = { legal_name: 'Oak Ltd', email: 'office@oak.example', document_language: language }
    await shown(owner, 'company/edit_details', details)
    const { id, to } = await mailed(place, { valid_until: '2099-03-12' })
    const [first] = await mails.waitFor(to)
    assert.ok(first)
    const { mail } = first
    assert.equal(mail.subject, subjects[language])
    assert.ok(mail.text?.includes(days[language]), mail.text)
    assert.equal(mail.replyTo?.value[0]?.address, 'office@oak.example')
    assert.ok(linkOf(first).startsWith('https://kontor.example/q/'))
    assert.equal((await open(tokenOf(first))).body.quote.num, subjects[language].split(' ')[1])
    await waitForState(place, id, 'sent')
    const [link] = await linksOf(place, id)
    assert.deepEqual([link.works, link.mailed_to, link.opened], [1, to, 1])
    const accepted = await new Browser().call('quotes/accept_shared', { token: tokenOf(first), name: 'Ada' })
    assert.equal(accepted.status, 200)
    assert.equal((await quoteOf(place.user, id)).status, 3)
  }
})

rule('quotes.mail.link', 'the card says where a quote may be sent', async () => {
  const { user, customer, add } = await quoted()
  await shown(user, 'customers/edit', { customer_id: customer, email: 'ada@beech.example' })
  const { customer_email, sends_mails } = await shown(user, 'quotes/get_card', { quote_id: await add() })
  assert.deepEqual([customer_email, sends_mails], ['ada@beech.example', true])
})

rule('quotes.mail.refused', async () => {
  const { user, add } = await quoted()
  const id = await add()
  const send = async (email: string) => (await user.call('quotes/send', { quote_id: id, email })).body
  const { error, field } = await send('ada')
  assert.deepEqual([error, field], ['Invalid email value. Must be an email address', 'email'])
  assert.equal(
    (await send(`${'x'.repeat(250)}@oak.example`)).error,
    'Invalid email value. Must be at most 255 characters',
  )
  assert.equal((await quoteOf(user, id)).status, 0)
  for (const email of ['', ' ']) assert.match((await send(email)).token, /^\d+\..{43}$/)
})

rule('quotes.mail.limit', async () => {
  const place = await quoted()
  const { user } = place
  const owner = await given.user(place.company)
  for (let n = 1; n <= 4; n++) {
    await mailed(place)
    assert.equal((await owner.call('users/invite', { email: newAddress(), role: 'worker' })).status, 200)
  }
  const id = await place.add()
  const refused = await user.call('quotes/send', { quote_id: id, email: newAddress() })
  assert.equal(refused.body.error, 'Too many mails in 24 hours. Must be at most 8')
  assert.equal((await quoteOf(user, id)).status, 0)
  assert.equal((await user.call('quotes/send', { quote_id: id })).status, 200)
})

rule('quotes.mail.canceled', async () => {
  const place = await quoted()
  const { user, company } = place
  const ends: Readonly<Record<string, (id: number) => Promise<unknown>>> = {
    revoke: (id) => shown(user, 'quotes/revoke', { quote_id: id }),
    reopen: (id) => shown(user, 'quotes/reopen', { quote_id: id }),
    accept: (id) => shown(user, 'quotes/accept', { quote_id: id }),
    decline: (id) => shown(user, 'quotes/decline', { quote_id: id }),
    expire: (id) =>
      query(
        company.id,
        `update quotes set date_placed = '2026-01-01', valid_until = '2026-01-02' where company_id = $1 and id = $2`,
        [company.id, id],
      ),
  }
  for (const [name, end] of Object.entries(ends)) {
    const [id, to] = [await place.add(), newAddress()]
    mails.treat(to, 'postpone', 'accept')
    await shown(user, 'quotes/send', { quote_id: id, email: to })
    await until(
      async () => {
        const rows = await query(company.id, 'select response from mails where company_id = $1 and quote_id = $2', [
          company.id,
          id,
        ])
        return rows[0]?.response === words.postpone
      },
      { pollMs: 50 },
    )
    await end(id)
    await query(company.id, 'update mails set next_at = null where company_id = $1', [company.id])
    await waitForState(place, id, 'canceled')
    assert.equal(mails.of(to).length, 0, name)
  }
})

rule('quotes.mail.again', async () => {
  const place = await quoted()
  const { user, company } = place
  const [id, to] = [await place.add(), newAddress()]
  mails.treat(to, 'keep and cut', 'accept')
  await shown(user, 'quotes/send', { quote_id: id, email: to })
  await until(
    async () => {
      const rows = await query(company.id, 'select next_at from mails where company_id = $1', [company.id])
      return rows[0]?.next_at !== null
    },
    { pollMs: 50 },
  )
  await query(company.id, 'update mails set next_at = null where company_id = $1', [company.id])
  await waitForState(place, id, 'sent')
  const both = await mails.waitFor(to, 2)
  assert.equal(new Set(both.map(tokenOf)).size, 2)
  for (const one of both) assert.equal((await open(tokenOf(one))).status, 200)
  assert.equal((await linksOf(place, id)).length, 1)
})

rule('quotes.mail.secret', async () => {
  const place = await quoted()
  const { company } = place
  const { id, to } = await mailed(place)
  const [first] = await mails.waitFor(to)
  assert.ok(first)
  await waitForState(place, id, 'sent')
  const secret = tokenOf(first).split('.')[1] ?? ''
  assert.equal(secret.length, 43)
  const rows = await query(
    company.id,
    `select to_jsonb(l)::text as row from quote_links l where l.company_id = $1
     union all select to_jsonb(t)::text from quote_tokens t where t.company_id = $1
     union all select to_jsonb(m)::text from mails m where m.company_id = $1
     union all select to_jsonb(e)::text from events e where e.company_id = $1`,
    [company.id],
  )
  assert.ok(rows.length > 3)
  for (const { row } of rows) assert.ok(!row.includes(secret))
  assert.match(urls.serverOutput(), /"listening"/)
  assert.ok(!urls.serverOutput().includes(secret), 'the log contains the token')
})
