// The SQL of second factors, and whether a code is one of them. A code counts once: the statement that uses it up decides.

import { refuse } from '../../kernel/refusal.ts'
import { statement } from '../../kernel/statement.ts'
import type { Pool } from '../../platform/postgres/database.ts'
import { now } from '../../platform/process/now.ts'
import { inCompany } from '../in-company.ts'
import { hasSecondFactor } from './has-second-factor.ts'
import { hashOfCode, isRecoveryCode } from './recovery-codes.ts'
import { unseal } from './sealed-secrets.ts'
import { isTotpCode, stepOfCode } from './totp.ts'

export type CompanyUser = { readonly companyId: number; readonly userId: number }
type UserValues = { readonly company_id: number; readonly user_id: number }

export const valuesOf = ({ companyId, userId }: CompanyUser): UserValues => ({
  company_id: companyId,
  user_id: userId,
})

export type Authenticator = {
  readonly email: string
  /** Its name. */
  readonly company: string
  /** Null: the user has no authenticator app. */
  readonly secret: Buffer | null
  readonly is_confirmed: boolean
}
export const findAuthenticator = statement<Authenticator, UserValues>(
  'authenticators.find',
  `select u.email, (select c.name from companies c where c.company_id = :company_id) as company, a.secret, a.confirmed_at is not null as is_confirmed from users u
   left join authenticators a on a.company_id = :company_id and a.user_id = u.id
   where u.company_id = :company_id and u.id = :user_id`,
)
const useStep = statement<{ user_id: number }, UserValues & { secret: Buffer; step: number }>(
  'authenticators.use_step',
  `update authenticators set last_step = :step
   where company_id = :company_id and user_id = :user_id and secret = :secret and confirmed_at is not null and last_step < :step returning user_id`,
)
const useRecoveryCode = statement<{ user_id: number }, UserValues & { code_hash: Buffer }>(
  'recovery_codes.use',
  'delete from recovery_codes where company_id = :company_id and user_id = :user_id and code_hash = :code_hash returning user_id',
)

export const insertRecoveryCodes = statement<never, UserValues & { code_hashes: readonly Buffer[]; at: string }>(
  'recovery_codes.insert',
  `insert into recovery_codes (company_id, user_id, code_hash, created_at)
   select k.company_id, :user_id::bigint, h.code_hash, :at::timestamptz from company_clock k cross join unnest(:code_hashes::bytea[]) h (code_hash)
   where k.company_id = :company_id`,
)
export const deleteRecoveryCodes = statement<never, UserValues>(
  'recovery_codes.delete',
  'delete from recovery_codes where company_id = :company_id and user_id = :user_id',
)
export const deleteAuthenticator = statement<never, UserValues>(
  'authenticators.delete',
  'delete from authenticators where company_id = :company_id and user_id = :user_id',
)

/** After a second factor was removed: without any, recovery codes are of no use. */
export const deleteUnusedCodes = statement<never, UserValues>(
  'recovery_codes.delete_unused',
  `delete from recovery_codes where company_id = :company_id and user_id = :user_id and not ${hasSecondFactor(':user_id::bigint')}`,
)
export const deletePasskeys = statement<never, UserValues>(
  'passkeys.delete_all',
  'delete from passkeys where company_id = :company_id and user_id = :user_id',
)

/** Uses a code of the user's authenticator app, or a recovery code. False: it is wrong, or was used before. */
export async function takeCode(pool: Pool, user: CompanyUser, code: string): Promise<boolean> {
  const values = valuesOf(user)
  if (isRecoveryCode(code)) {
    const used = await inCompany(pool, user.companyId, useRecoveryCode({ ...values, code_hash: hashOfCode(code) }))
    return used.rows(1).length === 1
  }
  if (!isTotpCode(code)) return false
  const found = await inCompany(pool, user.companyId, findAuthenticator(values))
  const { secret = null } = found.rows<Authenticator>(1)[0] ?? {}
  if (secret === null) return false
  const step = stepOfCode(unseal(secret), code, now())
  if (step === undefined) return false
  const used = await inCompany(pool, user.companyId, useStep({ ...values, secret, step }))
  return used.rows(1).length === 1
}

export const wrongCode = 'Code is wrong'
export const refuseCode = (): never => refuse(wrongCode, { code: 'wrong_code', field: 'code' })
