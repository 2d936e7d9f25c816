// The SQL of the sender. A process sends to an endpoint only while it holds its lease, and stores results only if it still holds it.

import { statement } from '../../kernel/statement.ts'
import { feedRecord, feedRow, feedType } from '../events/records.ts'
import type { Message } from './message.ts'

/** Events that are read of an endpoint at once, and of these the ones that are sent. */
const maxScanned = 1_000
const maxSent = 50
const maxParked = 10
/** Endpoints whose last response took longer, that fail, or have never accepted a message, are sent to in a share of the capacity of their own. */
export const slowMs = 2_000
const isSlow = (w: string): string =>
  `(${w}.failing_since is not null or ${w}.last_delivered_at is null or ${w}.last_duration_ms > ${slowMs})`

type Company = { readonly company_id: number }
type Leased = Company & { readonly lease: string }
type OfEndpoint = Leased & { readonly webhook_id: number }

/** Companies whose endpoints are looked at. It contains nothing but ids. */
export const webhookCompanies = statement<{ company_id: number }, { after: number; limit: number }>(
  'webhooks.companies',
  'select company_id from webhook_companies where company_id > :after order by company_id limit :limit',
)

const lastSeq = '(select k.seq from company_clock k where k.company_id = :company_id)'
/** A lease that ends far in the future is of a time before the clock was set back: it does not count. No CASE, in which a cluster accepts only immutable functions. */
const isOver = (w: string): string => `(${w}.leased_until <= now() or ${w}.leased_until > now() + interval '1 minute')`
/** The next event does not wait for another attempt. */
const isHeadDue = (w: string): string => `(${w}.next_at is null or ${w}.next_at <= now())`
const isFree = (w: string): string => `(${w}.leased_until is null or ${isOver(w)})`

/** Takes the lease of endpoints that have something to send. The condition is evaluated again for a row that another process has changed meanwhile. */
export const takeLease = statement<
  never,
  Leased & { readonly lease_ms: number; readonly limit: number; readonly may_be_slow: boolean }
>(
  'webhooks.lease',
  `update webhook_endpoints w set lease = :lease, leased_until = now() + :lease_ms::integer * interval '1 millisecond'
   where w.company_id = :company_id and ${isFree('w')} and w.enabled and w.id in (
     select p.id from webhook_endpoints p where p.company_id = :company_id and p.enabled and ${isFree('p')}
       and (:may_be_slow or not ${isSlow('p')})
       and ((${isHeadDue('p')} and p.position < ${lastSeq})
         or exists (select from webhook_parked x where x.company_id = :company_id and x.webhook_id = p.id and x.next_at <= now()))
     order by p.last_at nulls first, p.id limit :limit)`,
)

export type LeasedEndpoint = {
  readonly id: number
  readonly url: string
  readonly secrets: readonly string[]
  readonly position: number
  readonly attempts: number
  readonly is_slow: boolean
  /** False while the next event waits for another attempt. */
  readonly is_head_due: boolean
  /** How long it has been failing. */
  readonly failing_seconds: number | null
  /** The last event that was looked at; all events of its types up to this one are in `messages`. */
  readonly scanned_to: number
  readonly messages: readonly Message[]
}

const isoTime = (column: string): string => `to_char(${column} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"')`
const messageOf = `json_build_object('seq', e.seq, 'type', ${feedType}, 'at', ${isoTime('e.at')}, 'data', ${feedRow})`

/** The leased endpoints with their next events. None while the next event waits for another attempt. */
export const leasedEndpoints = statement<LeasedEndpoint, Leased>(
  'webhooks.leased',
  `select w.id, w.url, w.position, w.attempts, extract(epoch from now() - w.failing_since)::float8 as failing_seconds,
     case when w.former_secret_until > now() then json_build_array(w.secret, w.former_secret) else json_build_array(w.secret) end as secrets,
     ${isSlow('w')} as is_slow,
     ${isHeadDue('w')} as is_head_due,
     coalesce(case when s.sent = ${maxSent} then s.sent_to else s.scanned_to end, w.position) as scanned_to, s.messages
   from webhook_endpoints w cross join lateral (
     select max(a.seq) as scanned_to, max(m.seq) as sent_to, count(m.seq) as sent,
       coalesce(json_agg(m.message order by m.seq) filter (where m.seq is not null), '[]') as messages
     from (
       select e.seq from events e where e.company_id = :company_id and e.seq > w.position and ${isHeadDue('w')}
       order by e.seq limit ${maxScanned}
     ) a left join (
       select e.seq, ${messageOf} as message from (
         select e.* from events e where e.company_id = :company_id and e.seq > w.position and ${isHeadDue('w')}
         order by e.seq limit ${maxScanned}
       ) e where ${feedRecord} is not null and (w.types is null or ${feedType} = any(w.types)) order by e.seq limit ${maxSent}
     ) m on m.seq = a.seq
   ) s where w.company_id = :company_id and w.lease = :lease`,
)

export type ParkedMessage = {
  readonly webhook_id: number
  readonly seq: number
  readonly attempts: number
  readonly created_at: string
  /** Null for a test. */
  readonly message: Message | null
}

export const parkedMessages = statement<ParkedMessage, Leased>(
  'webhooks.parked',
  `select p.webhook_id, p.seq, p.attempts, ${isoTime('p.created_at')} as created_at, (
     select ${messageOf} from events e where e.company_id = :company_id and e.seq = p.seq) as message
   from webhook_endpoints w cross join lateral (
     select x.webhook_id, x.seq, x.attempts, x.created_at, x.next_at from webhook_parked x
     where x.company_id = :company_id and x.webhook_id = w.id and x.next_at <= now() order by x.next_at, x.seq limit ${maxParked}
   ) p where w.company_id = :company_id and w.lease = :lease order by p.next_at, p.seq`,
)

/** In how many milliseconds an endpoint of the company has something to send; null when none has. Slow ones are left out unless `may_be_slow`. */
export const dueIn = statement<{ due_ms: number | null }, Company & { readonly may_be_slow: boolean }>(
  'webhooks.due',
  `select extract(epoch from min(greatest(d.at, case when not ${isOver('w')} then w.leased_until end)) - now())::float8 * 1000 as due_ms
   from webhook_endpoints w cross join lateral (
     select coalesce(w.next_at, now()) as at where w.position < ${lastSeq}
     union all
     select min(x.next_at) from webhook_parked x where x.company_id = :company_id and x.webhook_id = w.id
   ) d where w.company_id = :company_id and w.enabled and d.at is not null and (:may_be_slow or not ${isSlow('w')})`,
)

/** Prolongs the lease during a long request. No row when it was lost, or the endpoint turned off. */
export const renewLease = statement<{ id: number }, OfEndpoint & { readonly lease_ms: number }>(
  'webhooks.renew',
  `update webhook_endpoints set leased_until = now() + :lease_ms::integer * interval '1 millisecond'
   where company_id = :company_id and id = :webhook_id and lease = :lease and enabled returning id`,
)

export type Delivery = {
  readonly seq: number
  readonly type: string
  readonly attempt: number
  readonly at: string
  readonly status: number | null
  readonly error: string | null
  readonly duration_ms: number
  readonly response: string
}
const deliveryColumns = {
  seq: 'bigint',
  type: 'text',
  attempt: 'smallint',
  at: 'timestamptz',
  status: 'smallint',
  error: 'text',
  duration_ms: 'integer',
  response: 'text',
} as const satisfies Readonly<Record<keyof Delivery, string>>
const names = Object.keys(deliveryColumns) as (keyof Delivery)[]

type DeliveryArrays = Readonly<Record<keyof Delivery, readonly unknown[]>>
const insertLog = statement<never, OfEndpoint & DeliveryArrays>(
  'webhooks.insert_deliveries',
  `insert into webhook_deliveries (company_id, webhook_id, number, ${names.join(', ')})
   select c.company_id, w.id, w.deliveries + x.place, ${names.map((name) => `x.${name}`).join(', ')}
   from company_clock c
   join webhook_endpoints w on w.company_id = :company_id and w.id = :webhook_id and w.lease = :lease
   cross join unnest(${names.map((name) => `:${name}::${deliveryColumns[name]}[]`).join(', ')}) with ordinality as x (${names.join(', ')}, place)
   where c.company_id = :company_id`,
)
export const insertDeliveries = (key: OfEndpoint, rows: readonly Delivery[]) =>
  insertLog({
    ...key,
    ...(Object.fromEntries(names.map((name) => [name, rows.map((row) => row[name])])) as unknown as DeliveryArrays),
  })

type ParkedLater = OfEndpoint & { readonly seq: number; readonly attempts: number; readonly pause_ms: number }
export const park = statement<never, ParkedLater>(
  'webhooks.park',
  `insert into webhook_parked (company_id, webhook_id, seq, attempts, next_at, created_at)
   select w.company_id, w.id, :seq::bigint, :attempts::smallint, now() + :pause_ms::bigint * interval '1 millisecond', now()
   from webhook_endpoints w where w.company_id = :company_id and w.id = :webhook_id and w.lease = :lease
   on conflict (company_id, webhook_id, seq) do update set attempts = excluded.attempts, next_at = excluded.next_at`,
)

export const unpark = statement<never, OfEndpoint & { readonly seqs: readonly number[] }>(
  'webhooks.unpark',
  `delete from webhook_parked p where p.company_id = :company_id and p.webhook_id = :webhook_id and p.seq = any(:seqs::bigint[])
     and exists (select from webhook_endpoints w where w.company_id = :company_id and w.id = :webhook_id and w.lease = :lease)`,
)

export type Progress = OfEndpoint & {
  readonly from_position: number
  readonly position: number
  readonly attempts: number
  /** When the next event is tried again. Null: at once. Not computed in SQL: a cluster accepts only immutable functions in CASE. */
  readonly next_at: string | null
  /** The time of the next attempt stays as it is. */
  readonly keeps_pause: boolean
  readonly deliveries: number
  /** Null without an attempt: what is known of the endpoint stays. */
  readonly last_at: string | null
  readonly last_status: number | null
  readonly last_error: string | null
  readonly last_duration_ms: number | null
  readonly has_delivered: boolean
  readonly is_failing: boolean
}

/** Stores the results and gives up the lease. A position that a user has set meanwhile stays. */
export const recordProgress = statement<{ id: number }, Progress>(
  'webhooks.record',
  `update webhook_endpoints set
     attempts = case when position = :from_position then :attempts else attempts end,
     next_at = case when position <> :from_position or :keeps_pause then next_at else :next_at::timestamptz end,
     position = case when position = :from_position then :position else position end,
     deliveries = deliveries + :deliveries,
     failing_since = case when :last_at::timestamptz is null then failing_since when :is_failing then
       case when :has_delivered then :last_at::timestamptz else coalesce(failing_since, :last_at::timestamptz) end end,
     last_status = case when :last_at::timestamptz is null then last_status else :last_status end,
     last_error = case when :last_at::timestamptz is null then last_error else :last_error end,
     last_duration_ms = case when :last_at::timestamptz is null then last_duration_ms else :last_duration_ms end,
     last_delivered_at = case when :has_delivered then :last_at::timestamptz else last_delivered_at end,
     last_at = coalesce(:last_at::timestamptz, last_at),
     lease = null, leased_until = null
   where company_id = :company_id and id = :webhook_id and lease = :lease returning id`,
)
