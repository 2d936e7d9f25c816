// Browsers that a user has signed in from. They are told apart by a cookie of their own, which outlives the sessions.

import { statement } from '../kernel/statement.ts'
import type { Pool } from '../platform/database.ts'
import { now } from '../platform/now.ts'
import { newSecret, readSecret } from '../platform/secrets.ts'

const mostOfUser = 20

export const findDevice = statement<{ secret_hash: Buffer }>(
  'devices.find',
  'select secret_hash from devices where company_id = $1 and user_id = $2 and secret_hash = $3',
)
const insert = statement(
  'devices.insert',
  'insert into devices (company_id, secret_hash, user_id, seen_at) values ($1, $2, $3, $4)',
)
const seen = statement('devices.seen', 'update devices set seen_at = $3 where company_id = $1 and secret_hash = $2')
const forgetOld = statement(
  'devices.forget_old',
  `delete from devices where company_id = $1 and user_id = $2 and secret_hash not in (
     select d.secret_hash from devices d where d.company_id = $1 and d.user_id = $2 order by d.seen_at desc limit ${mostOfUser})`,
)

export const forgetDevices = statement('devices.forget', 'delete from devices where company_id = $1 and user_id = $2')

/** The hash of what a browser's cookie holds; of nothing, when it holds nothing of this company. */
export function deviceHash(cookie: string | undefined, companyId: number): Buffer {
  const secret = readSecret(cookie)
  return secret?.companyId === companyId ? secret.hash : Buffer.alloc(32)
}

/** Remembers the browser: what its cookie shall hold, or nothing when it is known. */
export async function rememberDevice(
  pool: Pool,
  companyId: number,
  userId: number,
  known: Buffer | undefined,
): Promise<string | undefined> {
  const secret = newSecret()
  const change =
    known === undefined
      ? [insert(companyId, secret.hash, userId, now()), forgetOld(companyId, userId)]
      : [seen(companyId, known, now())]
  const flown = await pool.use((connection) =>
    connection.flight([`begin; set local app.company_id = '${companyId}'`, ...change, 'commit']),
  )
  if (flown.error !== undefined) throw flown.error
  return known === undefined ? secret.text(companyId) : undefined
}
