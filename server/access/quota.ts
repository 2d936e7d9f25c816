// The owner of a key, and the count of requests against the daily limits of its company and its connection. One statement authenticates and counts.

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
  /** Of the connection of the key. Null: it may use the whole limit of the company. */
  readonly counted: number
  readonly connection_limit: number | null
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

/** Null unless the connection may use less than its company. */
const connectionLimit = 'nullif(least(c.daily_limit, n.daily_limit), c.daily_limit)'
const shownOfKey = `c.daily_limit, ${connectionLimit} as connection_limit, n.read_only, n.sections, n.networks, n.hides_costs, ${expiresAtMs} as expires_at_ms`

// The day does not move backwards when a clock is set back a little, or when the company moves to a time zone further west, which is up to two days. A
// day further ahead was written while a clock was wrong.
const today = '(:counted_at::timestamptz at time zone c.timezone)::date'
export const dayOf = (stored: string, today: string): string =>
  `case when ${stored} > ${today} + 2 then ${today} else greatest(${stored}, ${today}) end`
const day = dayOf('q.day', today)

// The requests of the day of each connection are in the row of the company, so that a request changes one row. Those of a connection without a limit are counted
// too: a limit set during the day applies to the whole day. A company with thousands of connections does not
// make the row large: beyond this size, those that are not in it yet have no limit of their own.
const maxBytes = 16 * 1024
const connection = 'k.connection_id::text'
const usedBy = `case when q.counted_on = ${day} then q.used_by else '{}' end`
const countedBefore = `coalesce((${usedBy} ->> ${connection})::int, 0)`
const isCounted = `(octet_length((${usedBy})::text) < ${maxBytes} or q.used_by ? ${connection})`
const isWithin = `coalesce(${countedBefore} < ${connectionLimit}, true)`

/**
 * No row: the key is expired, revoked or unknown. On a new day the counts restart at 1. A request beyond the limit of its connection is not counted for the
 * company. Also returns the key's scope, so that a change of it takes effect with the next request.
 */
export const countRequest = statement<Counted, KeyValues>(
  'gate.count',
  `update quotas q set day = ${day}, used = case when ${day} <> q.day then 0 else q.used end + ${isWithin}::int, counted_on = ${day},
     used_by = case when ${isCounted} then jsonb_set(${usedBy}, array[${connection}], (${countedBefore} + 1)::text::jsonb) else ${usedBy} end
   from companies c, api_keys k, api_connections n
   where ${ofValidKey}
   returning q.used, coalesce((q.used_by ->> ${connection})::int, 0) as counted, ${shownOfKey},
     ${secondsUntil('q.day + 1', 'c.timezone', ':counted_at::timestamptz')} as reset_seconds`,
)

/** The same without counting: before the first request with a key, and for a request that the key may not make. */
export const readKey = statement<Counted, KeyValues>(
  'gate.read_key',
  `select case when ${day} <> q.day then 0 else q.used end as used,
     ${countedBefore} as counted, ${shownOfKey},
     ${secondsUntil(`${day} + 1`, 'c.timezone', ':counted_at::timestamptz')} as reset_seconds
   from quotas q, companies c, api_keys k, api_connections n
   where ${ofValidKey}`,
)
