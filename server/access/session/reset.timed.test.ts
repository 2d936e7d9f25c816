// How long a request for a new password, a sign-up or an invitation takes does not reveal whether the address has an account.

import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, type TestContext, test } from 'node:test'
import { Browser } from '../../test/harness/browser.ts'
import { query } from '../../test/harness/database.ts'
import { type Company, given, type User } from '../../test/harness/given.ts'
import { MailServer } from '../../test/harness/mail-server.ts'
import { measured } from '../../test/harness/measured.ts'
import { ownedDatabase } from '../../test/harness/owned-database.ts'
import { emailHash } from '../users.ts'

const mails = await MailServer.start()
ownedDatabase(mails.env({ MAILS_PER_DAY: '1000' }))
after(() => mails.stop())

/** Users of one company; an address may be asked about a few times only. */
async function addUsers(company: Company, count: number): Promise<string[]> {
  const emails = Array.from({ length: count }, () => `${randomUUID()}@oak.example`)
  await query(
    company.id,
    `insert into users (company_id, id, name, email, role, password_hash, created_at)
     select $1, x.place, 'Ada', x.email, 'worker', 'none', now() from unnest($2::text[]) with ordinality x (email, place)`,
    [company.id, emails],
  )
  await query(
    company.id,
    `insert into sign_ins (company_id, email_hash, user_id)
     select $1, x.hash, x.place from unnest($2::bytea[]) with ordinality x (hash, place)`,
    [company.id, emails.map(emailHash)],
  )
  return emails
}

const median = (list: readonly number[]): number => list.toSorted((a, b) => a - b)[list.length >> 1] ?? Number.NaN

type Measured = { readonly tries: number; readonly call: (email: string) => Promise<{ readonly status: number }> }

async function compare(context: TestContext, { tries, call }: Measured): Promise<void> {
  await measured(context, async () => {
    const known: string[] = []
    for (let n = 0; n < 20; n++) known.push(...(await addUsers(await given.company(), tries / 20)))
    const took = { known: [] as number[], unknown: [] as number[] }
    const time = async (list: number[], email: string) => {
      const started = performance.now()
      const { status } = await call(email)
      list.push(performance.now() - started)
      assert.equal(status, 200)
    }
    for (const [at, email] of known.entries()) {
      const pair = [() => time(took.known, email), () => time(took.unknown, `${randomUUID()}@oak.example`)]
      // What one request leaves to be done meets the other as often.
      for (const one of at % 2 === 0 ? pair : pair.reverse()) await one()
    }
    const [ofKnown, ofUnknown] = [median(took.known), median(took.unknown)]
    context.diagnostic(`medians of ${tries}: known ${ofKnown.toFixed(2)} ms, unknown ${ofUnknown.toFixed(2)} ms`)
    assert.ok(Math.abs(ofKnown / ofUnknown - 1) < 0.05, `known ${ofKnown} ms, unknown ${ofUnknown} ms`)
  })
}

test('a request for a new password takes the same time for a known and an unknown address', (context) =>
  compare(context, { tries: 1_000, call: (email) => new Browser().call('session/request_reset', { email }) }))

const newcomer = { company: 'Oak Workshop', name: 'Ada Oak', password: 'a long password' }

test('a sign-up takes the same time for a known and an unknown address', (context) =>
  compare(context, { tries: 1_000, call: (email) => new Browser().call('session/sign_up', { ...newcomer, email }) }))

/** A company has at most so many open invitations. */
const invitationsOfCompany = 100

test('an invitation takes the same time for a known and an unknown address', async (context) => {
  let [owner, sent]: [User | undefined, number] = [undefined, 0]
  const call = async (email: string) => {
    // Few requests create a company first: not the median.
    if (owner === undefined || sent++ % invitationsOfCompany === 0) owner = await given.user(await given.company())
    return await owner.call('users/invite', { email, role: 'worker' })
  }
  await compare(context, { tries: 1_000, call })
})
