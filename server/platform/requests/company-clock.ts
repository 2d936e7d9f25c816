// The company's clock row: the lock that allows one writer at a time, the sequence number of the last write, the last ids assigned.

import { type Counter, counters, Ids, type RequestContext, type TransactionContext } from '../../kernel/clock.ts'
import type { Method } from '../../kernel/method.ts'
import { type Statement, statement } from '../../kernel/statement.ts'
import { now } from '../process/now.ts'

const lock = statement<Record<string, number | string>, { readonly company_id: number; readonly at: string }>(
  'clock.lock',
  `select seq + 1 as seq, greatest(at, :at::timestamptz) as at, ${counters.map((name) => `last_${name}`).join(', ')}
   from company_clock where company_id = :company_id for no key update`,
)

/**
 * Takes the company's lock and returns the values of its next write. `at` is the time of the write; it is never earlier than that of the
 * company's previous write.
 */
export const lockClock = (companyId: number, at = now()): Statement<Record<string, number | string>> =>
  lock({ company_id: companyId, at })

type ClockValues = { readonly company_id: number; readonly seq: number; readonly at: string }

const advance = statement<never, ClockValues & Readonly<Record<Counter, number>>>(
  'clock.advance',
  `update company_clock set seq = :seq, at = :at, ${counters.map((name) => `last_${name} = :${name}`).join(', ')} where company_id = :company_id`,
)

type EventValues = {
  readonly company_id: number
  readonly seq: number
  readonly at: string
  readonly method: string
  readonly source: string
  readonly connection_id: number | null
  readonly user_id: number | null
  readonly request_id: string | null
  readonly record: string
  readonly record_id: number
  readonly change: string
}

const insertEvent = statement<never, EventValues>(
  'events.insert',
  `insert into events (company_id, seq, at, method, source, connection_id, user_id, request_id, record, record_id, change)
   values (:company_id, :seq, :at, :method, :source, :connection_id, :user_id, :request_id, :record, :record_id, :change)`,
)

export function transactionOf(context: RequestContext, clock: Record<string, number | string>): TransactionContext {
  const last = Object.fromEntries(counters.map((name) => [name, Number(clock[`last_${name}`])])) as Record<
    Counter,
    number
  >
  return { context, seq: Number(clock['seq']), at: isoTime(String(clock['at'])), ids: new Ids(last) }
}

/** Converts PostgreSQL's format of a time in UTC: `2026-03-12 09:30:00.123456+00`. */
const isoTime = (text: string): string => text.replace(' ', 'T').replace(/\+00$/, 'Z')

export function eventOf(
  transaction: TransactionContext,
  method: Method,
  event: { record: string; recordId: number; change: object },
): Statement {
  const { context, seq, at } = transaction
  return insertEvent({
    company_id: context.companyId,
    seq,
    at,
    method: method.path,
    source: context.source,
    connection_id: context.connectionId,
    user_id: context.userId,
    request_id: context.requestId,
    record: event.record,
    record_id: event.recordId,
    change: JSON.stringify(event.change),
  })
}

/** Stores the sequence number and the time of the write, and the last ids that it assigned. */
export const advanceClock = ({ context, seq, at, ids }: TransactionContext): Statement =>
  advance({ company_id: context.companyId, seq, at, ...ids.all })
