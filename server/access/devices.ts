// Browsers that a user has signed in from. Each is identified by its own cookie, which outlives the sessions.

import { statement } from '../kernel/statement.ts'
import type { Pool } from '../platform/postgres/database.ts'
import { now } from '../platform/process/now.ts'
import { newSecret, readSecret } from '../platform/requests/secrets.ts'
import { inCompany } from './in-company.ts'

const maxOfUser = 20

export const findDevice = statement<
  { secret_hash: Buffer },
  { company_id: number; user_id: number; secret_hash: Buffer }
>(
  'devices.find',
  'select secret_hash from devices where company_id = :company_id and user_id = :user_id and secret_hash = :secret_hash',
)
const insert = statement<never, { company_id: number; secret_hash: Buffer; user_id: number; seen_at: string }>(
  'devices.insert',
  'insert into devices (company_id, secret_hash, user_id, seen_at) values (:company_id, :secret_hash, :user_id, :seen_at)',
)
const seen = statement<never, { company_id: number; secret_hash: Buffer; seen_at: string }>(
  'devices.seen',
  'update devices set seen_at = :seen_at where company_id = :company_id and secret_hash = :secret_hash',
)
const forgetOld = statement<never, { company_id: number; user_id: number }>(
  'devices.forget_old',
  `delete from devices where company_id = :company_id and user_id = :user_id and secret_hash not in (
     select d.secret_hash from devices d where d.company_id = :company_id and d.user_id = :user_id order by d.seen_at desc limit ${maxOfUser})`,
)

export const forgetDevices = statement<never, { company_id: number; user_id: number }>(
  'devices.forget',
  'delete from devices where company_id = :company_id and user_id = :user_id',
)

/** The hash of a browser's cookie; zeros when the cookie is missing or of another company. */
export function deviceHash(cookie: string | undefined, companyId: number): Buffer {
  const secret = readSecret(cookie)
  return secret?.companyId === companyId ? secret.hash : Buffer.alloc(32)
}

/** Remembers the browser. Returns the new cookie value, or nothing when the browser is already known. */
export async function rememberDevice(
  pool: Pool,
  companyId: number,
  userId: number,
  known: Buffer | undefined,
): Promise<string | undefined> {
  const secret = newSecret()
  const change =
    known === undefined
      ? [
          insert({ company_id: companyId, secret_hash: secret.hash, user_id: userId, seen_at: now() }),
          forgetOld({ company_id: companyId, user_id: userId }),
        ]
      : [seen({ company_id: companyId, secret_hash: known, seen_at: now() })]
  await inCompany(pool, companyId, ...change)
  return known === undefined ? secret.text(companyId) : undefined
}
