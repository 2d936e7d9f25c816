// The company's clock row: the lock that lets one writer in, the place of a write in the company's order, the last ids handed out.

import { type Call, type Counter, counters, Ids, type Moment } from '../kernel/clock.ts'
import type { Method } from '../kernel/method.ts'
import { type Statement, statement } from '../kernel/statement.ts'
import { now } from './now.ts'

const advance = statement<Record<string, number | string>>(
  'clock.advance',
  `update company_clock set seq = seq + 1, at = greatest(at, $2::timestamptz) where company_id = $1
   returning seq, at, ${counters.map((name) => `last_${name}`).join(', ')}`,
)

/** `at` is when a write is taken to happen; the order of the company's writes decides all the same. */
export const advanceClock = (companyId: number, at = now()): Statement<Record<string, number | string>> =>
  advance(companyId, at)

const keepLast = statement(
  'clock.keep',
  `update company_clock set ${counters.map((name, at) => `last_${name} = $${at + 2}`).join(', ')} where company_id = $1`,
)

const insertEvent = statement(
  'events.insert',
  `insert into events (company_id, seq, at, method, source, connection_id, user_id, request_id, record, record_id, change)
   values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11)`,
)

export function momentOf(call: Call, clock: Record<string, number | string>): Moment {
  const last = Object.fromEntries(counters.map((name) => [name, Number(clock[`last_${name}`])])) as Record<
    Counter,
    number
  >
  return { call, seq: Number(clock['seq']), at: isoTime(String(clock['at'])), ids: new Ids(last) }
}

/** As PostgreSQL writes a time in UTC: `2026-03-12 09:30:00.123456+00`. */
const isoTime = (text: string): string => text.replace(' ', 'T').replace(/\+00$/, 'Z')

export function eventOf(
  moment: Moment,
  method: Method,
  event: { record: string; recordId: number; change: object },
): Statement {
  const { call, seq, at } = moment
  return insertEvent(
    call.companyId,
    seq,
    at,
    method.path,
    call.source,
    call.connectionId,
    call.userId,
    call.requestId,
    event.record,
    event.recordId,
    JSON.stringify(event.change),
  )
}

/** Nothing when the write handed out no id. */
export const keepCounters = ({ call, ids }: Moment): Statement[] =>
  ids.used ? [keepLast(call.companyId, ...counters.map((name) => ids.last(name)))] : []
