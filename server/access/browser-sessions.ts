// The sessions of one browser: one is used, and the others can be switched to. Each began with the password and the second factor of its own company, and only the browser
// knows that they belong together: no company trusts another one. All are of one person, that is of one address.

import { statement } from '../kernel/statement.ts'
import { beginAs } from '../platform/postgres/company-transaction.ts'
import type { Pool } from '../platform/postgres/database.ts'
import { now } from '../platform/process/now.ts'
import { readSecret, type Secret } from '../platform/requests/secrets.ts'
import { isLive, isLiveIn } from './sessions.ts'
import { emailHash } from './users.ts'

type Row = { readonly user_id: number; readonly email: string; readonly company: string; readonly is_test: boolean }

const find = statement<Row, { company_id: number; secret_hash: Buffer; now: string }>(
  'sessions.find_company',
  `select s.user_id, u.email, c.name as company, c.test_of is not null as is_test
   from sessions s
   join users u on u.company_id = :company_id and u.id = s.user_id and u.deleted_at is null
   join companies c on c.company_id = :company_id
   where s.company_id = :company_id and s.secret_hash = :secret_hash and ${isLive('s')} and ${isLiveIn('c', 's')}`,
)

export type BrowserSession = Secret & {
  /** The value of the cookie. */
  readonly text: string
  readonly userId: number
  readonly email: string
  readonly company: string
  readonly isTest: boolean
}

/** The sessions that have not ended, of the values of the cookies. */
export async function findBrowserSessions(pool: Pool, cookies: readonly string[]): Promise<BrowserSession[]> {
  const given = cookies.flatMap((text) => {
    const secret = readSecret(text)
    return secret === undefined ? [] : [{ ...secret, text }]
  })
  if (given.length === 0) return []
  const time = now()
  const trip = await pool.use((connection) =>
    connection.roundTrip(
      given.flatMap(({ companyId, hash }) => [
        beginAs(companyId),
        find({ company_id: companyId, secret_hash: hash, now: time }),
        'commit',
      ]),
    ),
  )
  if (trip.error !== undefined) throw trip.error
  return given.flatMap((one, at) => {
    const [row] = trip.rows<Row>(at * 3 + 1)
    return row === undefined
      ? []
      : [{ ...one, userId: row.user_id, email: row.email, company: row.company, isTest: row.is_test }]
  })
}

/** Those of the same person in other companies, at most one in each. */
export function othersOf<S extends BrowserSession>(sessions: readonly S[], { companyId, email }: BrowserSession): S[] {
  const own = emailHash(email)
  const others = sessions.filter((one) => one.companyId !== companyId && emailHash(one.email).equals(own))
  return [...new Map(others.toReversed().map((one) => [one.companyId, one])).values()].toReversed()
}

/** What the browser keeps besides the session that has begun: its other sessions, if they are of the same person. The newest come first. */
export async function keptSessions(pool: Pool, begun: string, cookies: readonly string[]): Promise<string[]> {
  if (cookies.length === 0) return []
  const sessions = await findBrowserSessions(pool, [begun, ...cookies])
  const current = sessions.find(({ text }) => text === begun)
  return current === undefined ? [] : othersOf(sessions, current).map(({ text }) => text)
}
