// The sessions of a user, as the user sees and ends them. The id of a session is the beginning of the hash of its secret.

import { statement } from '../kernel/statement.ts'
import { nullable, object, text, time } from '../platform/postgres/json-sql.ts'
import { isLive } from './sessions.ts'

type Own = { readonly company_id: number; readonly user_id: number; readonly secret_hash: Buffer }

export const sessionIdLength = 16
const sessionId = `left(encode(s.secret_hash, 'hex'), ${sessionIdLength})`

/** `secret_hash` is that of the session that asks. */
export const listOwnSessions = statement<{ rows: string }, Own & { now: string }>(
  'sessions.list',
  `select coalesce(string_agg(x.json, ',' order by x.is_current desc, x.seen_at desc, x.secret_hash), '') as rows from (
     select ${object([
       ['id', text(sessionId)],
       ['created_at', time('s.created_at')],
       ['seen_at', time('s.seen_at')],
       ['address', nullable(text('s.address'))],
       ['browser', nullable(text('s.browser'))],
       ['system', nullable(text('s.system'))],
       ['is_current', `(s.secret_hash = :secret_hash)::text`],
     ])} as json, s.secret_hash = :secret_hash as is_current, s.seen_at, s.secret_hash
     from sessions s where s.company_id = :company_id and s.user_id = :user_id and ${isLive('s')}
   ) x`,
)

export const endOwnSession = statement<{ is_current: boolean }, Own & { session_id: string }>(
  'sessions.end_own',
  `delete from sessions s where s.company_id = :company_id and s.user_id = :user_id and ${sessionId} = :session_id
   returning s.secret_hash = :secret_hash as is_current`,
)
