// The users of one address: one in each of its companies, each with its own password and second factors. They are looked up before a company is known, for a known and an
// unknown address by the same statements.

import { refuse } from '../kernel/refusal.ts'
import { statement } from '../kernel/statement.ts'
import { beginAs } from '../platform/postgres/company-transaction.ts'
import type { Pool } from '../platform/postgres/database.ts'
import { deviceHash, findDevice } from './devices.ts'
import { hasPassword } from './passwords.ts'
import { hasSecondFactor } from './second-factor/has-second-factor.ts'
import { emailHash, findSignIns, maxCompanies, type SignIn, tooManyCompanies } from './users.ts'

type Credentials = {
  readonly password_hash: string
  readonly has_second_factor: boolean
  readonly seen_ms: number | null
}
const findPassword = statement<Credentials, { company_id: number; user_id: number }>(
  'users.find_password',
  `select u.password_hash, ${hasSecondFactor('u.id')} as has_second_factor, extract(epoch from u.last_seen_at)::float8 * 1000 as seen_ms from users u
   where u.company_id = :company_id and u.id = :user_id and u.deleted_at is null`,
)

export type UserOfEmail = {
  readonly companyId: number
  readonly userId: number
  readonly passwordHash: string
  readonly hasSecondFactor: boolean
  /** When the user was last seen; 0: never. */
  readonly seenMs: number
  /** The browser, if the user has signed in from it before. */
  readonly known: Buffer | undefined
}

/** Placeholder for an unknown address, for which the same lookups are made. */
const unknownUser: SignIn = { company_id: 0, user_id: 0 }

type Options = {
  /** The cookie by which the browser is recognized. */
  readonly device?: string | undefined
  /** Of this company only. */
  readonly companyId?: number | undefined
}

/** In the order of the companies. */
export async function findUsersOfEmail(
  pool: Pool,
  account: Buffer,
  { device, companyId: wanted }: Options = {},
): Promise<UserOfEmail[]> {
  const found = await pool.use((connection) => connection.roundTrip([findSignIns({ email_hash: account })]))
  if (found.error !== undefined) throw found.error
  const signIns = found.rows<SignIn>(0).filter((one) => wanted === undefined || one.company_id === wanted)
  return await findUsers(pool, signIns.length === 0 ? [unknownUser] : signIns, device)
}

/** Those who have not been removed. */
export async function findUsers(
  pool: Pool,
  users: readonly SignIn[],
  device: string | undefined,
): Promise<UserOfEmail[]> {
  const trip = await pool.use((connection) =>
    connection.roundTrip(
      users.flatMap((user) => [
        beginAs(user.company_id),
        findPassword(user),
        findDevice({ ...user, secret_hash: deviceHash(device, user.company_id) }),
        'commit',
      ]),
    ),
  )
  if (trip.error !== undefined) throw trip.error
  return users.flatMap(({ company_id: companyId, user_id: userId }, at) => {
    const [credentials] = trip.rows<Credentials>(at * 4 + 1)
    if (credentials === undefined) return []
    const { password_hash: passwordHash, has_second_factor: hasFactor, seen_ms: seenMs } = credentials
    const known = trip.rows<{ secret_hash: Buffer }>(at * 4 + 2)[0]?.secret_hash
    return [{ companyId, userId, passwordHash, hasSecondFactor: hasFactor, seenMs: seenMs ?? 0, known }]
  })
}

/**
 * A password hash of the address, whose salt a new one takes over: a sign-in then computes one hash, whatever the number of companies, so that its time does not show
 * it. Undefined: no user has the address.
 */
export async function hashOfEmail(pool: Pool, email: string): Promise<string | undefined> {
  return likeOf(await findUsersOfEmail(pool, emailHash(email)))
}

export const likeOf = (users: readonly UserOfEmail[]): string | undefined =>
  users.map(({ passwordHash }) => passwordHash).find(hasPassword)

/** Before another company gets a user with the address. */
export async function refuseTooManyCompanies(pool: Pool, email: string): Promise<void> {
  const found = await pool.use((connection) => connection.roundTrip([findSignIns({ email_hash: emailHash(email) })]))
  if (found.error !== undefined) throw found.error
  if (found.rows(0).length >= maxCompanies)
    refuse(tooManyCompanies, { code: 'too_many_companies', field: 'email', value: maxCompanies })
}
