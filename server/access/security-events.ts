// Security events: sign-ins, failed sign-ins, and changes of who may do what, with the address and the browser. Written in the transaction of what they report, except for failed
// sign-ins, which are written after the response, so that its time does not show whether the account exists.

import { randomBytes } from 'node:crypto'
import type { RequestOrigin, TransactionContext } from '../kernel/clock.ts'
import { type Statement, statement } from '../kernel/statement.ts'
import type { Pool } from '../platform/postgres/database.ts'
import { inBackground } from '../platform/process/background.ts'
import { now } from '../platform/process/now.ts'
import { inCompany } from './in-company.ts'
import { type StoredOrigin, storedOrigin } from './request-origin.ts'

export const securityKinds = [
  'signed_in',
  'sign_in_failed',
  'signed_out',
  'sessions_ended',
  'password_changed',
  'password_reset',
  'user_invited',
  'invitation_withdrawn',
  'user_joined',
  'role_changed',
  'user_removed',
  'key_created',
  'key_revoked',
  'second_factor_added',
  'second_factor_removed',
  'second_factors_reset',
  'recovery_codes_renewed',
  'archive_downloaded',
  'company_deletion_requested',
  'company_kept',
  'test_company_requested',
  'identity_provider_set',
  'identity_provider_removed',
] as const
export type SecurityKind = (typeof securityKinds)[number]

type Row = StoredOrigin & {
  readonly company_id: number
  readonly id: string
  readonly at: string
  readonly kind: SecurityKind
  readonly user_id: number | null
  readonly about_user_id: number | null
  readonly detail: string | null
}

const columns = 'company_id, id, at, kind, user_id, about_user_id, detail, address, browser, system'

const insert = statement<never, Row>(
  'security_events.insert',
  `insert into security_events (${columns})
   values (:company_id, :id, :at, :kind, :user_id, :about_user_id, :detail, :address, :browser, :system)`,
)

type SignIn = { readonly company_id: number; readonly id: string; readonly secret_hash: Buffer }
const insertSignIn = statement<never, SignIn>(
  'security_events.insert_sign_in',
  `insert into security_events (${columns})
   select s.company_id, :id::text, s.created_at, 'signed_in', s.user_id, null, null, s.address, s.browser, s.system
   from sessions s where s.company_id = :company_id and s.secret_hash = :secret_hash`,
)

/** More of them say nothing new. */
const failuresPerHour = 100
const insertFailure = statement<never, Row>(
  'security_events.insert_failure',
  `insert into security_events (${columns})
   select k.company_id, :id::text, :at::timestamptz, :kind::text, :user_id::bigint, :about_user_id::bigint, :detail::text, :address::text, :browser::text, :system::text
   from company_clock k where k.company_id = :company_id and (select count(*) from security_events e
     where e.company_id = :company_id and e.kind = :kind and e.at > :at::timestamptz - interval '1 hour') < ${failuresPerHour}`,
)

const newId = (): string => randomBytes(12).toString('base64url')

/** Written by the write with its own event; its context says who and from where. */
export const securityEvent = (
  { context, seq, at }: TransactionContext,
  kind: SecurityKind,
  { userId, aboutUserId = null, detail = null }: About = {},
): Statement =>
  insert({
    company_id: context.companyId,
    id: `e${seq}`,
    at,
    kind,
    user_id: userId ?? context.userId,
    about_user_id: aboutUserId,
    detail: detail === null ? null : [...detail].slice(0, 255).join(''),
    ...storedOrigin(context.from),
  })

type About = {
  /** Who did it, if not the user of the request. */
  readonly userId?: number
  readonly aboutUserId?: number | null
  readonly detail?: string | null
}

type Own = { readonly companyId: number; readonly userId: number }

/** Of a method that changes no records, such as signing out. */
export const ownSecurityEvent = ({ companyId, userId }: Own, kind: SecurityKind, origin: RequestOrigin): Statement =>
  insert(rowOf({ companyId, userId }, kind, origin))

const rowOf = (
  { companyId, userId }: Omit<Own, 'userId'> & { readonly userId: number | null },
  kind: SecurityKind,
  origin: RequestOrigin,
): Row => ({
  company_id: companyId,
  id: newId(),
  at: now(),
  kind,
  user_id: userId,
  about_user_id: null,
  detail: null,
  ...storedOrigin(origin),
})

/** Of the session with this hash, if it was started. */
export const signInEvent = (companyId: number, secretHash: Buffer): Statement =>
  insertSignIn({ company_id: companyId, id: newId(), secret_hash: secretHash })

/** Does not wait. */
export function noteFailedSignIn(pool: Pool, user: Own, { address, agent }: RequestOrigin): void {
  noteFailure(pool, rowOf(user, 'sign_in_failed', { address, agent }))
}

/** At the identity provider of the company. Does not wait. */
export function noteFailedSingleSignOn(pool: Pool, companyId: number, origin: RequestOrigin, detail: string): void {
  noteFailure(pool, { ...rowOf({ companyId, userId: null }, 'sign_in_failed', origin), detail })
}

function noteFailure(pool: Pool, row: Row): void {
  inBackground('security_events', async () => {
    await inCompany(pool, row.company_id, insertFailure(row))
  })
}
