// How long a request for a new password takes does not reveal whether the address has an account.

import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, test } from 'node:test'
import { Browser } from '../../test/harness/browser.ts'
import { query } from '../../test/harness/database.ts'
import { type Company, given } from '../../test/harness/given.ts'
import { MailServer } from '../../test/harness/mail-server.ts'
import { measured } from '../../test/harness/measured.ts'
import { ownedDatabase } from '../../test/harness/owned-database.ts'
import { emailHash } from '../users.ts'

const mails = await MailServer.start()
ownedDatabase(mails.env())
after(() => mails.stop())

const tries = 1_000

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

test('a known and an unknown address take the same time', async (context) => {
  await measured(context, async () => {
    const known: string[] = []
    for (let n = 0; n < 20; n++) known.push(...(await addUsers(await given.company(), tries / 20)))
    const took = { known: [] as number[], unknown: [] as number[] }
    const time = async (list: number[], email: string) => {
      const started = performance.now()
      const { status } = await new Browser().call('session/request_reset', { email })
      list.push(performance.now() - started)
      assert.equal(status, 200)
    }
    for (const [at, email] of known.entries()) {
      const pair = [() => time(took.known, email), () => time(took.unknown, `${randomUUID()}@oak.example`)]
      // What one request leaves to be done meets the other as often.
      for (const one of at % 2 === 0 ? pair : pair.reverse()) await one()
    }
    const [ofKnown, ofUnknown] = [median(took.known), median(took.unknown)]
    context.diagnostic(`medians of ${tries}: ${ofKnown.toFixed(2)} ms and ${ofUnknown.toFixed(2)} ms`)
    assert.ok(Math.abs(ofKnown / ofUnknown - 1) < 0.05, `known ${ofKnown} ms, unknown ${ofUnknown} ms`)
  })
})
