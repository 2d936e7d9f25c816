// The company's clock row: the lock that allows one writer at a time, the number of the last event, the last ids assigned.

import { type Counter, counters, Ids, type RequestContext, type TransactionContext } from '../../kernel/clock.ts'
import { declareInsert } from '../../kernel/insert-rows.ts'
import type { EventAction, Method, RecordEvent, Written } from '../../kernel/method.ts'
import { type Statement, statement } from '../../kernel/statement.ts'
import { now } from '../process/now.ts'

/** The columns of the row; `storage_limit_mib` may be null. */
export type ClockRow = Readonly<Record<string, number | string | boolean | null>>

const lock = statement<ClockRow, { readonly company_id: number; readonly at: string }>(
  'clock.lock',
  `select seq + 1 as seq, greatest(at + interval '1 microsecond', :at::timestamptz) as at, written_bytes, storage_limit_mib, has_webhooks, ${counters.map((name) => `last_${name}`).join(', ')}
   from company_clock where company_id = :company_id for no key update`,
)

/**
 * Takes the company's lock and returns the values of its next write. `at` is the time of the write; it is always later than that of the
 * company's previous write, also when the clock was set back: a client that reads what changed after the last time it knows misses nothing.
 */
export const lockClock = (companyId: number, at = now()): Statement<ClockRow> => lock({ company_id: companyId, at })

type ClockValues = {
  readonly company_id: number
  readonly seq: number
  readonly at: string
  readonly written_bytes: number
}

const advance = statement<never, ClockValues & Readonly<Record<Counter, number>>>(
  'clock.advance',
  `update company_clock set seq = :seq, at = :at, written_bytes = written_bytes + :written_bytes, ${counters.map((name) => `last_${name} = :${name}`).join(', ')} where company_id = :company_id`,
)

const addBytes = statement<never, Pick<ClockValues, 'company_id' | 'written_bytes'>>(
  'clock.add_written',
  'update company_clock set written_bytes = written_bytes + :written_bytes where company_id = :company_id',
)

/** Counts what a write stores that changes no record. */
export const addWritten = (companyId: number, bytes: number): Statement =>
  addBytes({ company_id: companyId, written_bytes: bytes })

type EventOrigin = {
  readonly at: string
  readonly method: string
  readonly source: string
  readonly connection_id: number | null
  readonly user_id: number | null
  readonly request_id: string | null
}
type EventRow = {
  readonly seq: number
  readonly record: string
  readonly record_id: number
  readonly action: EventAction | null
  readonly change: string
}

const insertEvents = declareInsert<EventOrigin, EventRow>({
  name: 'events.insert',
  table: 'events',
  shared: ['at', 'method', 'source', 'connection_id', 'user_id', 'request_id'],
  columns: { seq: 'bigint', record: 'text', record_id: 'bigint', action: 'text', change: 'jsonb' },
})

export function transactionOf(context: RequestContext, clock: ClockRow): TransactionContext {
  const last = Object.fromEntries(counters.map((name) => [name, Number(clock[`last_${name}`])])) as Record<
    Counter,
    number
  >
  return { context, seq: Number(clock['seq']), at: isoTime(String(clock['at'])), ids: new Ids(last) }
}

/** Converts PostgreSQL's format of a time in UTC: `2026-03-12 09:30:00.123456+00`. */
const isoTime = (text: string): string => text.replace(' ', 'T').replace(/\+00$/, 'Z')

const recordEvents = (written: Pick<Written, 'event' | 'related'> | undefined): readonly RecordEvent[] =>
  written === undefined ? [] : [...(written.related ?? []), written.event]

/** One event for each record that the write changed. */
export function eventsOf(
  { context, seq, at }: Pick<TransactionContext, 'context' | 'seq' | 'at'>,
  method: Pick<Method, 'path'>,
  written: Pick<Written, 'event' | 'related'>,
): Statement[] {
  const origin = {
    company_id: context.companyId,
    at,
    method: method.path,
    source: context.source,
    connection_id: context.connectionId,
    user_id: context.userId,
    request_id: context.requestId,
  }
  const rows = recordEvents(written).map((event, position) => ({
    seq: seq + position,
    record: event.record,
    record_id: event.recordId,
    action: event.action ?? null,
    change: JSON.stringify(event.change),
  }))
  return insertEvents(origin, rows)
}

/** The records that the write creates. */
export const createdBy = (method: Method, written: Written | undefined): RecordEvent[] =>
  recordEvents(written).filter(({ action }) =>
    action === undefined ? method.path.endsWith('/add') : action === 'created',
  )

/** The number of the write's last event, which is that of the record that the method is about. */
export const lastSeqOf = ({ seq }: TransactionContext, { related = [] }: Written): number => seq + related.length

/** Stores the number of the last event, the time and the size of the write, and the last ids that it assigned. */
export const advanceClock = (
  { context, at }: Pick<TransactionContext, 'context' | 'at'>,
  lastIds: Readonly<Record<Counter, number>>,
  lastSeq: number,
  writtenBytes: number,
): Statement => advance({ company_id: context.companyId, seq: lastSeq, at, written_bytes: writtenBytes, ...lastIds })
