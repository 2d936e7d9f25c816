// Whom an account at the identity provider signs in as. The first sign-in finds the user by the email that the provider has verified; from then on the account is that of this user, and its email
// does not matter. So an address that is given to somebody else at the provider does not open the account of its former holder.

import { statement } from '../../kernel/statement.ts'
import type { Pool } from '../../platform/postgres/database.ts'
import { now } from '../../platform/process/now.ts'
import { inCompany } from '../in-company.ts'
import type { Identity } from './openid.ts'

type User = { readonly user_id: number }

const find = statement<User, { company_id: number; subject: string }>(
  'provider_identities.find',
  `select i.user_id from provider_identities i join users u on u.company_id = :company_id and u.id = i.user_id and u.deleted_at is null
   where i.company_id = :company_id and i.subject = :subject`,
)
const link = statement<User, { company_id: number; subject: string; email: string; now: string }>(
  'provider_identities.link',
  `insert into provider_identities (company_id, subject, user_id, created_at)
   select company_id, :subject::text, id, :now::timestamptz from users
   where company_id = :company_id and lower(email) = lower(:email::text) and deleted_at is null
   on conflict do nothing returning user_id`,
)
export const forgetIdentity = statement<never, { company_id: number; user_id: number }>(
  'provider_identities.forget',
  'delete from provider_identities where company_id = :company_id and user_id = :user_id',
)
export const forgetIdentities = statement<never, { company_id: number }>(
  'provider_identities.forget_all',
  'delete from provider_identities where company_id = :company_id',
)

/** Undefined: no user has the email, or the one who has it signs in with another account. */
export async function userOf(
  pool: Pool,
  companyId: number,
  { subject, email, isEmailVerified }: Identity,
): Promise<number | undefined> {
  const account = { company_id: companyId, subject }
  const known = await inCompany(pool, companyId, find(account))
  const [user] = known.rows<User>(1)
  if (user !== undefined || email === undefined || !isEmailVerified) return user?.user_id
  const linked = await inCompany(pool, companyId, link({ ...account, email, now: now() }))
  return linked.rows<User>(1)[0]?.user_id
}
