// Who a key belongs to, and the count of every request against the company's day. One statement authenticates and counts.

import { statement } from '../kernel/statement.ts'

export type KeyOwner = { readonly company_id: number; readonly connection_id: number }

const isLive = (now: string): string => `k.revoked_at is null and (k.expires_at is null or k.expires_at > ${now})`

/** Before the company is known; afterwards the process remembers whom a key belongs to, and the count decides. */
export const findKey = statement<KeyOwner>(
  'gate.find_key',
  `select k.company_id, k.connection_id from api_keys k where k.key_hash = $1 and ${isLive('now()')}`,
)

export type Counted = { readonly used: number; readonly daily_limit: number; readonly reset_seconds: number }

// The day never runs backwards: not when a clock is set back, not when the company moves to a time zone further west.
const day = (now: string): string => `greatest(q.day, (${now}::timestamptz at time zone c.timezone)::date)`

/** No row: the key does not live (any more). Rows of a day gone by start again at 1. */
export const countRequest = statement<Counted>(
  'gate.count',
  `update quotas q set day = ${day('$3')}, used = case when ${day('$3')} > q.day then 1 else q.used + 1 end
   from companies c, api_keys k
   where q.company_id = $1 and c.company_id = $1 and k.key_hash = $2 and k.company_id = $1 and ${isLive('$3::timestamptz')}
   returning q.used, c.daily_limit,
     ceil(extract(epoch from ((q.day + 1)::timestamp at time zone c.timezone) - $3::timestamptz))::bigint as reset_seconds`,
)

/** Takes back what `countRequest` counted, while the day is still the same. */
export const uncountRequest = statement(
  'gate.uncount',
  `update quotas q set used = q.used - 1 from companies c
   where q.company_id = $1 and c.company_id = $1 and q.used > 0 and q.day = ${day('$2')}`,
)
