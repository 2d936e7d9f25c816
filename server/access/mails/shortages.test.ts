// The daily mail about items below their minimum.

import assert from 'node:assert/strict'
import { after } from 'node:test'
import { startServer } from '../../test/harness/app.ts'
import { query } from '../../test/harness/database.ts'
import { type Company, given, type User } from '../../test/harness/given.ts'
import { MailServer } from '../../test/harness/mail-server.ts'
import { ownedDatabase } from '../../test/harness/owned-database.ts'
import { rule } from '../../test/harness/rule.ts'
import { until } from '../../test/harness/until.ts'

const mails = await MailServer.start()
// Its own server sends no mails: those that a test starts look for daily mails when they start.
const urls = ownedDatabase()
after(() => mails.stop())

/** A time zone in which it is now this hour of a day. */
function zoneAt(hour: number): string {
  const ahead = ((hour - new Date().getUTCHours() + 36) % 24) - 12
  return ahead === 0 ? 'UTC' : `Etc/GMT${ahead > 0 ? '-' : '+'}${Math.abs(ahead)}`
}

async function workshop(timezone: string, minimum = 10): Promise<{ company: Company; owner: User }> {
  const company = await given.company({ name: 'Oak & Sons', timezone })
  const owner = await given.user(company)
  const item = { name: 'Oak <board>', sku: 'OAK-27', min_amount: minimum }
  assert.equal((await owner.call('materials/add', item)).status, 200)
  return { company, owner }
}

const want = async (user: User, shortages_daily: unknown) => {
  const { status, text } = await user.call('session/edit_mails', { shortages_daily })
  assert.equal(status, 200, text)
}

/** Until it has looked at every company, and sent what there was to send. */
async function serverRuns(companies: readonly { readonly company: Company }[]): Promise<void> {
  const server = await startServer(mails.env({ DATABASE_URL: urls.url }))
  try {
    for (const { company } of companies) {
      const open = `select from users u join companies c on c.company_id = $1 where u.company_id = $1 and u.shortages_daily
        and (u.shortages_on is null or u.shortages_on < (now() at time zone c.timezone)::date)`
      await until(async () => (await query(company.id, open, [company.id])).length === 0, { pollMs: 50 })
      const queued = `select from mails where company_id = $1 and status = 'queued'`
      await until(async () => (await query(company.id, queued, [company.id])).length === 0, { pollMs: 50 })
    }
  } finally {
    await server.stop()
  }
}

rule('mails.shortages.daily', async () => {
  const one = await workshop(zoneAt(12))
  const { company, owner } = one
  const german = await given.user(company, 'worker')
  await query(company.id, `update users set language = 'de' where company_id = $1 and id = $2`, [company.id, german.id])
  const off = await given.user(company, 'manager')
  const enough = await workshop(zoneAt(12), 0)
  for (const user of [owner, german, enough.owner]) await want(user, 1)
  await serverRuns([one, enough])
  const [mail] = mails.of(owner.email)
  assert.equal(mail?.mail.subject, '1 item of Oak & Sons is below its minimum')
  assert.ok(
    mail.mail.text?.includes('Oak <board> (OAK-27): 0 of 10 pcs') && !String(mail.mail.html).includes('<board>'),
  )
  assert.ok(mail.mail.text?.includes('https://kontor.example/stock?cut=low'))
  assert.equal(mails.of(german.email)[0]?.mail.subject, '1 Artikel von Oak & Sons ist unter dem Mindestbestand')
  assert.deepEqual([mails.of(off.email), mails.of(enough.owner.email)], [[], []])
  await serverRuns([one])
  assert.equal(mails.of(owner.email).length, 1, 'once a day')
  await query(company.id, `update users set shortages_on = shortages_on - 1 where company_id = $1`, [company.id])
  await want(german, 0)
  await serverRuns([one])
  assert.deepEqual([mails.of(owner.email).length, mails.of(german.email).length], [2, 1])
})

rule('mails.shortages.morning', async () => {
  const [early, late] = [await workshop(zoneAt(3)), await workshop(zoneAt(12))]
  for (const { owner } of [early, late]) await want(owner, true)
  await serverRuns([late])
  assert.deepEqual([mails.of(early.owner.email).length, mails.of(late.owner.email).length], [0, 1])
})

rule('mails.shortages.setting', async () => {
  const company = await given.company()
  const user = await given.user(company, 'worker')
  const read = async () => (await user.call('session/get_mails')).body.shortages_daily
  assert.equal(await read(), false)
  await want(user, 'true')
  assert.equal(await read(), true)
  await want(user, 0)
  assert.equal(await read(), false)
  for (const [body, error] of [
    [{}, 'No shortages_daily in input'],
    [{ shortages_daily: 2 }, 'Invalid shortages_daily value. Must be one of: 0, 1'],
    [{ shortages_daily: {} }, 'Invalid shortages_daily value. Must be one of: 0, 1'],
  ] as const)
    assert.equal((await user.call('session/edit_mails', body)).body.error, error)
})
