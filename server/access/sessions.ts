// Sessions: who a cookie belongs to, how long it lasts, and how it ends.

import type { Role } from '../kernel/method.ts'
import type { Settings } from '../kernel/settings.ts'
import { type Statement, statement } from '../kernel/statement.ts'
import type { Pool } from '../platform/database.ts'
import { now } from '../platform/now.ts'
import { newSecret, type Secret } from '../platform/secrets.ts'
import { settingColumns } from './settings.ts'

const dayMs = 86_400_000
export const sessionDays = 30
/** A session is kept alive by its use, but not by every single request. */
const seenAfterMs = 10 * 60_000

export type SessionRow = Settings & { readonly user_id: number; readonly role: Role; readonly is_stale: boolean }

/** The session with what its requests are judged by: the user's role as it is now, and the company's settings. */
export const findSession = statement<SessionRow>(
  'sessions.find',
  `select s.user_id, u.role, s.seen_at < $4::timestamptz as is_stale, ${settingColumns.map((name) => `c.${name}`).join(', ')}
   from sessions s
   join users u on u.company_id = $1 and u.id = s.user_id and u.deleted_at is null
   join companies c on c.company_id = $1
   where s.company_id = $1 and s.secret_hash = $2 and s.expires_at > $3::timestamptz`,
)

export const sessionOf = ({ companyId, hash }: Secret): Statement<SessionRow> => {
  const time = now()
  return findSession(companyId, hash, time, later(time, -seenAfterMs))
}

const insertSession = statement(
  'sessions.insert',
  `insert into sessions (company_id, secret_hash, user_id, created_at, seen_at, expires_at) values ($1, $2, $3, $4, $4, $5)`,
)
const keepSession = statement(
  'sessions.keep',
  'update sessions set seen_at = $3, expires_at = $4 where company_id = $1 and secret_hash = $2',
)
const userSeen = statement('users.seen', 'update users set last_seen_at = $3 where company_id = $1 and id = $2')
const deleteSession = statement('sessions.delete', 'delete from sessions where company_id = $1 and secret_hash = $2')
const deleteOld = statement('sessions.delete_old', 'delete from sessions where company_id = $1 and expires_at < $2')

export const endSessions = statement('sessions.end_all', 'delete from sessions where company_id = $1 and user_id = $2')
export const endOtherSessions = statement(
  'sessions.end_others',
  'delete from sessions where company_id = $1 and user_id = $2 and secret_hash <> $3',
)

const later = (time: string, byMs: number): string => new Date(Date.parse(time) + byMs).toISOString()

async function change(pool: Pool, companyId: number, statements: readonly Statement[]): Promise<void> {
  const flown = await pool.use((connection) =>
    connection.flight([`begin; set local app.company_id = '${companyId}'`, ...statements, 'commit']),
  )
  if (flown.error !== undefined) throw flown.error
}

/** A new session; its text is what the cookie holds. Old ones of the company leave as new ones come. */
export async function beginSession(pool: Pool, companyId: number, userId: number): Promise<string> {
  const secret = newSecret()
  const time = now()
  await change(pool, companyId, [
    deleteOld(companyId, time),
    insertSession(companyId, secret.hash, userId, time, later(time, sessionDays * dayMs)),
    userSeen(companyId, userId, time),
  ])
  return secret.text(companyId)
}

export async function prolongSession(pool: Pool, { companyId, hash }: Secret, userId: number): Promise<void> {
  const time = now()
  await change(pool, companyId, [
    keepSession(companyId, hash, time, later(time, sessionDays * dayMs)),
    userSeen(companyId, userId, time),
  ])
}

export const endSession = (pool: Pool, { companyId, hash }: Secret): Promise<void> =>
  change(pool, companyId, [deleteSession(companyId, hash)])
