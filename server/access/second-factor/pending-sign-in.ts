// A sign-in whose password was right and whose second factor is missing. Its token authorizes only the method that takes the second factor.

import { statement } from '../../kernel/statement.ts'
import type { Pool } from '../../platform/postgres/database.ts'
import { now } from '../../platform/process/now.ts'
import { newSecret, type Secret } from '../../platform/requests/secrets.ts'
import { inCompany } from '../in-company.ts'

const lastsMs = 5 * 60_000
/** Of one user: each tab and device has its own. */
const maxOfUser = 20

const insert = statement<
  { user_id: number },
  { company_id: number; token_hash: Buffer; user_id: number; password_hash: string; now: string; expires_at: string }
>(
  'pending_sign_ins.insert',
  `insert into pending_sign_ins as added (company_id, token_hash, user_id, password_digest, created_at, expires_at)
   select company_id, :token_hash::bytea, id, sha256(convert_to(password_hash, 'UTF8')), :now::timestamptz, :expires_at::timestamptz from users
   where company_id = :company_id and id = :user_id and deleted_at is null and password_hash = :password_hash::text
   returning user_id`,
)
const deleteOld = statement<never, { company_id: number; user_id: number; now: string }>(
  'pending_sign_ins.delete_old',
  `delete from pending_sign_ins where company_id = :company_id and (expires_at < :now or user_id = :user_id and token_hash not in (
     select p.token_hash from pending_sign_ins p where p.company_id = :company_id and p.user_id = :user_id order by p.created_at desc limit ${maxOfUser}))`,
)

export const forgetPendingSignIns = statement<never, { company_id: number; user_id: number }>(
  'pending_sign_ins.forget',
  'delete from pending_sign_ins where company_id = :company_id and user_id = :user_id',
)

/** Returns the token; `undefined` when the password was changed meanwhile or the user removed. */
export async function beginPendingSignIn(
  pool: Pool,
  companyId: number,
  userId: number,
  passwordHash: string,
): Promise<string | undefined> {
  const secret = newSecret()
  const time = now()
  const user = { company_id: companyId, user_id: userId }
  const trip = await inCompany(
    pool,
    companyId,
    insert({
      ...user,
      token_hash: secret.hash,
      password_hash: passwordHash,
      now: time,
      expires_at: new Date(Date.parse(time) + lastsMs).toISOString(),
    }),
    deleteOld({ ...user, now: time }),
  )
  return trip.rows(1).length === 0 ? undefined : secret.text(companyId)
}

export type PendingSignIn = {
  readonly user_id: number
  readonly password_hash: string
  /** The browser has signed in as this user before. */
  readonly is_known: boolean
}

// A change of the password, and the removal of the user, end it.
const find = statement<PendingSignIn, { company_id: number; token_hash: Buffer; device_hash: Buffer; now: string }>(
  'pending_sign_ins.find',
  `select p.user_id, u.password_hash,
     exists (select from devices d where d.company_id = :company_id and d.user_id = p.user_id and d.secret_hash = :device_hash) as is_known
   from pending_sign_ins p join users u on u.company_id = :company_id and u.id = p.user_id and u.deleted_at is null
     and sha256(convert_to(u.password_hash, 'UTF8')) = p.password_digest
   where p.company_id = :company_id and p.token_hash = :token_hash and p.expires_at > :now::timestamptz`,
)
const take = statement<{ user_id: number }, { company_id: number; token_hash: Buffer }>(
  'pending_sign_ins.take',
  'delete from pending_sign_ins where company_id = :company_id and token_hash = :token_hash returning user_id',
)

export async function findPendingSignIn(
  pool: Pool,
  { companyId, hash }: Secret,
  deviceHash: Buffer,
): Promise<PendingSignIn | undefined> {
  const values = { company_id: companyId, token_hash: hash, device_hash: deviceHash, now: now() }
  return (await inCompany(pool, companyId, find(values))).rows<PendingSignIn>(1)[0]
}

/** False: another request has completed it. */
export async function takePendingSignIn(pool: Pool, { companyId, hash }: Secret): Promise<boolean> {
  const trip = await inCompany(pool, companyId, take({ company_id: companyId, token_hash: hash }))
  return trip.rows(1).length === 1
}
