// Sessions: whom a cookie belongs to, how long a session lasts, and how it ends.

import { type Statement, statement } from '../kernel/statement.ts'
import type { Pool } from '../platform/postgres/database.ts'
import { deletionTime, now } from '../platform/process/now.ts'
import type { SessionRow } from '../platform/requests/request.ts'
import { newSecret, type Secret } from '../platform/requests/secrets.ts'
import { inCompany } from './in-company.ts'
import { noOrigin, type StoredOrigin } from './request-origin.ts'
import { hasSecondFactor } from './second-factor/has-second-factor.ts'
import { signInEvent } from './security-events.ts'
import { settingColumns } from './settings.ts'

const dayMs = 86_400_000
export const sessionDays = 30
/** A session ends so many days after the sign-in, however much it is used. */
const longestDays = 90
/** In a test company: nobody signs in there, and what follows from the user of the original, such as its removal, is not noticed. */
const testHours = 8
/** SQL: the session has not ended yet. */
export const isLive = (s: string): string =>
  `(${s}.expires_at > :now::timestamptz and ${s}.created_at > :now::timestamptz - interval '${longestDays} days')`
/** SQL: the company of the session is not a test company, or the session has not lasted as long as there. */
export const isLiveIn = (c: string, s: string): string =>
  `(${c}.test_of is null or ${s}.created_at > :now::timestamptz - interval '${testHours} hours')`
const maxOfUser = 20
/** Use prolongs a session, but not every single request writes. */
const seenAfterMs = 10 * 60_000

/** For how long a proof of identity counts as fresh. */
export const freshMs = 15 * 60_000

/** The session with everything its requests are authorized by: the user's current role, and the company's settings. */
export const findSession = statement<
  SessionRow,
  { company_id: number; secret_hash: Buffer; now: string; stale_before: string; fresh_after: string }
>(
  'sessions.find',
  `select s.user_id, u.role, s.seen_at < :stale_before::timestamptz as is_stale,
     c.test_of is not null as is_test, c.test_of is not null or coalesce(s.authenticated_at, s.created_at) > :fresh_after::timestamptz as is_fresh, ${hasSecondFactor('s.user_id')} as has_second_factor,
     c.requires_second_factor and not ${hasSecondFactor('s.user_id')} as must_set_up, ${settingColumns.map((name) => `c.${name}`).join(', ')}
   from sessions s
   join users u on u.company_id = :company_id and u.id = s.user_id and u.deleted_at is null
   join companies c on c.company_id = :company_id
   where s.company_id = :company_id and s.secret_hash = :secret_hash and ${isLive('s')} and ${isLiveIn('c', 's')}`,
)

export const sessionOf = ({ companyId, hash }: Secret): Statement<SessionRow> => {
  const time = now()
  return findSession({
    company_id: companyId,
    secret_hash: hash,
    now: time,
    stale_before: later(time, -seenAfterMs),
    fresh_after: later(time, -freshMs),
  })
}

type SignInValues = {
  readonly company_id: number
  readonly user_id: number
  readonly now: string
  /** The hash that the password was checked against; null: it was not. */
  readonly password_hash: string | null
  /** A user with a second factor gets no session without it, whatever begins the session. */
  readonly has_second_factor: boolean
}

/** SQL on users: the user, whose password has not been changed since it was checked, and who has passed the second factor. */
const signingIn =
  'company_id = :company_id and id = :user_id and deleted_at is null and (:password_hash::text is null or password_hash = :password_hash::text)' +
  ` and (:has_second_factor::boolean or not ${hasSecondFactor('users.id')})`

// Locks the user, so that the password cannot be changed before the session exists: a change of it ends the sessions that exist.
const signedIn = statement<never, SignInValues>(
  'users.signed_in',
  `update users set last_seen_at = :now where ${signingIn}`,
)
const insertSession = statement<
  { user_id: number },
  SignInValues &
    StoredOrigin & { readonly secret_hash: Buffer; readonly expires_at: string; readonly authenticated_at: string }
>(
  'sessions.insert',
  `insert into sessions as added (company_id, secret_hash, user_id, created_at, seen_at, expires_at, authenticated_at, address, browser, system)
   select company_id, :secret_hash::bytea, id, :now::timestamptz, :now::timestamptz, :expires_at::timestamptz, :authenticated_at::timestamptz,
     :address::text, :browser::text, :system::text
   from users where ${signingIn}
   returning user_id`,
)
const keepSession = statement<never, { company_id: number; secret_hash: Buffer; seen_at: string; expires_at: string }>(
  'sessions.keep',
  'update sessions set seen_at = :seen_at, expires_at = :expires_at where company_id = :company_id and secret_hash = :secret_hash',
)
/** The oldest by last use end; the new one was used last. */
const endSurplus = statement<never, { company_id: number; user_id: number }>(
  'sessions.end_surplus',
  `delete from sessions where company_id = :company_id and user_id = :user_id and secret_hash not in (
     select s.secret_hash from sessions s where s.company_id = :company_id and s.user_id = :user_id
     order by s.seen_at desc, s.created_at desc limit ${maxOfUser})`,
)
const userSeen = statement<never, { company_id: number; user_id: number; last_seen_at: string }>(
  'users.seen',
  'update users set last_seen_at = :last_seen_at where company_id = :company_id and id = :user_id',
)
const deleteSession = statement<never, { company_id: number; secret_hash: Buffer }>(
  'sessions.delete',
  'delete from sessions where company_id = :company_id and secret_hash = :secret_hash',
)
const deleteOld = statement<never, { company_id: number; now: string }>(
  'sessions.delete_old',
  'delete from sessions where company_id = :company_id and expires_at < :now',
)

export const endSessions = statement<never, { company_id: number; user_id: number }>(
  'sessions.end_all',
  'delete from sessions where company_id = :company_id and user_id = :user_id',
)
export const endOtherSessions = statement<never, { company_id: number; user_id: number; kept_secret_hash: Buffer }>(
  'sessions.end_others',
  'delete from sessions where company_id = :company_id and user_id = :user_id and secret_hash <> :kept_secret_hash',
)

const later = (time: string, byMs: number): string => new Date(Date.parse(time) + byMs).toISOString()

/** How the user has proved who they are: the hash of the password as it was then, and whether a second factor was right. */
export type SignInProof = {
  readonly passwordHash?: string
  readonly hasSecondFactor?: boolean
  /** False: it was not proved just now. Default: true. */
  readonly isFresh?: boolean
}

type BeginOptions = SignInProof & { readonly origin?: StoredOrigin }

/**
 * Creates a session and returns the cookie value. Expired sessions of the company are deleted on the way. `undefined`: the user was removed, the
 * password is no longer the one with `passwordHash`, or the second factor is missing.
 */
export async function beginSession(
  pool: Pool,
  companyId: number,
  userId: number,
  { passwordHash, hasSecondFactor: passed = false, isFresh = true, origin = noOrigin }: BeginOptions = {},
): Promise<string | undefined> {
  const secret = newSecret()
  const time = now()
  const values = {
    company_id: companyId,
    user_id: userId,
    now: time,
    password_hash: passwordHash ?? null,
    has_second_factor: passed,
  }
  const trip = await inCompany(
    pool,
    companyId,
    deleteOld({ company_id: companyId, now: deletionTime() }),
    signedIn(values),
    insertSession({
      ...values,
      ...origin,
      secret_hash: secret.hash,
      expires_at: later(time, sessionDays * dayMs),
      authenticated_at: isFresh ? time : '-infinity',
    }),
    endSurplus({ company_id: companyId, user_id: userId }),
    signInEvent(companyId, secret.hash),
  )
  return trip.rows(3).length === 0 ? undefined : secret.text(companyId)
}

export async function prolongSession(pool: Pool, { companyId, hash }: Secret, userId: number): Promise<void> {
  const time = now()
  await inCompany(
    pool,
    companyId,
    keepSession({
      company_id: companyId,
      secret_hash: hash,
      seen_at: time,
      expires_at: later(time, sessionDays * dayMs),
    }),
    userSeen({ company_id: companyId, user_id: userId, last_seen_at: time }),
  )
}

const confirmSession = statement<never, { company_id: number; secret_hash: Buffer; now: string }>(
  'sessions.confirm',
  'update sessions set authenticated_at = :now where company_id = :company_id and secret_hash = :secret_hash',
)
/** Sessions that began without the second factor must be confirmed with it before they count as fresh. */
export const endFreshness = statement<never, { company_id: number; user_id: number; kept_secret_hash: Buffer }>(
  'sessions.end_freshness',
  `update sessions set authenticated_at = '-infinity' where company_id = :company_id and user_id = :user_id and secret_hash <> :kept_secret_hash`,
)

/** The user has proved again who they are. */
export async function markFresh(pool: Pool, { companyId, hash }: Secret): Promise<void> {
  await inCompany(pool, companyId, confirmSession({ company_id: companyId, secret_hash: hash, now: now() }))
}

/** `event` reports it. */
export async function endSession(pool: Pool, { companyId, hash }: Secret, event: Statement): Promise<void> {
  await inCompany(pool, companyId, deleteSession({ company_id: companyId, secret_hash: hash }), event)
}
