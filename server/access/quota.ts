// The owner of a key, and the count of requests against the company's daily quota. One statement authenticates and counts.

import type { KeyScope } from '../kernel/key-scope.ts'
import { statement } from '../kernel/statement.ts'
import { secondsUntil } from './day-start.ts'

export type KeyOwner = { readonly company_id: number; readonly connection_id: number }

const isLive = (now: string): string => `k.revoked_at is null and (k.expires_at is null or k.expires_at > ${now})`

/** Used until the company of the key is cached in the process. */
export const findKey = statement<KeyOwner, { key_hash: Buffer }>(
  'gate.find_key',
  `select k.company_id, k.connection_id from api_keys k where k.key_hash = :key_hash and ${isLive('now()')}`,
)

/** The count of the day, and what the key may do until when. */
export type Counted = KeyScope & {
  readonly used: number
  readonly daily_limit: number
  readonly reset_seconds: number
  /** Milliseconds since 1970; null: it does not expire. */
  readonly expires_at_ms: number | null
}

type KeyValues = {
  readonly company_id: number
  readonly key_hash: Buffer
  /** Whether the key is valid. */
  readonly now: string
  /** To which day the request is counted. */
  readonly counted_at: string
}

const expiresAtMs = `(extract(epoch from least(k.expires_at, (n.expires_on + 1)::timestamp at time zone c.timezone) at time zone 'UTC') * 1000)::float8`
/** The key is valid at the time `:now`, and these rows belong to it. */
const ofValidKey = `q.company_id = :company_id and c.company_id = :company_id and k.key_hash = :key_hash and k.company_id = :company_id and ${isLive(':now::timestamptz')}
     and n.company_id = :company_id and n.id = k.connection_id
     and (n.expires_on is null or n.expires_on >= (:now::timestamptz at time zone c.timezone)::date)`
const shownOfKey = `c.daily_limit, n.read_only, n.sections, n.networks, n.hides_costs, ${expiresAtMs} as expires_at_ms`

// The day does not move backwards when a clock is set back a little, or when the company moves to a time zone further west, which is up to two days. A
// day further ahead was written while a clock was wrong.
const today = '(:counted_at::timestamptz at time zone c.timezone)::date'
export const dayOf = (stored: string, today: string): string =>
  `case when ${stored} > ${today} + 2 then ${today} else greatest(${stored}, ${today}) end`
const day = dayOf('q.day', today)

/** No row: the key is expired, revoked or unknown. On a new day the count restarts at 1. Also returns the key's scope, so that a change of it takes effect with the next request. */
export const countRequest = statement<Counted, KeyValues>(
  'gate.count',
  `update quotas q set day = ${day}, used = case when ${day} <> q.day then 1 else q.used + 1 end
   from companies c, api_keys k, api_connections n
   where ${ofValidKey}
   returning q.used, ${shownOfKey}, ${secondsUntil('q.day + 1', 'c.timezone', ':counted_at::timestamptz')} as reset_seconds`,
)

/** The same without counting: before the first request with a key, and for a request that the key may not make. */
export const readKey = statement<Counted, KeyValues>(
  'gate.read_key',
  `select case when ${day} <> q.day then 0 else q.used end as used, ${shownOfKey},
     ${secondsUntil(`${day} + 1`, 'c.timezone', ':counted_at::timestamptz')} as reset_seconds
   from quotas q, companies c, api_keys k, api_connections n
   where ${ofValidKey}`,
)
