// The request log: requests and responses, stored for support. Rows are queued in memory and written in batches, off the request path.

import type { Statement } from '../kernel/statement.ts'
import type { Pool } from '../platform/postgres/database.ts'
import type { Logger } from '../platform/process/logger.ts'
import { withoutSecrets } from './redaction.ts'

export type LogEntry = {
  readonly companyId: number
  readonly connectionId: number | null
  readonly at: Date
  readonly requestId: string
  readonly method: string
  readonly status: number
  readonly durationMs: number
  readonly error: string | null
  readonly request: string
  readonly answer: string
}

/** How many bytes of the log a company may fill in a day. */
export type LogBudget = {
  readonly hasLogRoom: (companyId: number) => boolean
  readonly countLogBytes: (companyId: number, bytes: number) => void
}

export const noLogBudget: LogBudget = { hasLogRoom: () => true, countLogBytes: () => {} }

type Row = LogEntry & { readonly bodiesLeftOut: boolean }

const columns = 11
/** Rows per statement. A separate statement for every number of rows would be parsed each time, with up to 2,000 parameters. */
const batchSizes = [200, 20, 1] as const
const batchSize = batchSizes[0]
const flushAfterMs = 250
/** Beyond this many queued rows the oldest are dropped: the log must not exhaust the memory of the service. */
const longestQueue = 5_000
const longestText = 16_384

export class RequestLog {
  readonly #pool: Pool
  readonly #logger: Logger
  readonly #budget: LogBudget
  #queue: Row[] = []
  #timer: NodeJS.Timeout | undefined
  #flushing: Promise<void> = Promise.resolve()

  constructor(pool: Pool, logger: Logger, budget: LogBudget) {
    this.#pool = pool
    this.#logger = logger
    this.#budget = budget
  }

  add(entry: LogEntry): void {
    const bodiesLeftOut = !this.#budget.hasLogRoom(entry.companyId)
    const request = bodiesLeftOut ? '' : storedText(entry.request)
    const answer = bodiesLeftOut ? '' : storedText(entry.answer)
    if (!bodiesLeftOut)
      this.#budget.countLogBytes(entry.companyId, Buffer.byteLength(request) + Buffer.byteLength(answer))
    const error = entry.error === null ? null : withoutSecrets(entry.error)
    this.#queue.push({ ...entry, method: withoutSecrets(entry.method), error, request, answer, bodiesLeftOut })
    if (this.#queue.length > longestQueue) this.#queue.shift()
    if (this.#queue.length >= batchSize) this.#start()
    else this.#timer ??= setTimeout(() => this.#start(), flushAfterMs)
  }

  /** Writes the queued rows. */
  async flush(): Promise<void> {
    this.#start()
    await this.#flushing
  }

  #start(): void {
    clearTimeout(this.#timer)
    this.#timer = undefined
    this.#flushing = this.#flushing.then(() => this.#write())
  }

  async #write(): Promise<void> {
    while (this.#queue.length > 0) {
      const batch = this.#queue.splice(0, batchSize)
      try {
        // Asynchronous commit: losing log rows in a crash is acceptable, the responses were already sent.
        const trip = await this.#pool.use((connection) =>
          connection.roundTrip(['begin; set local synchronous_commit = off', ...insertRows(batch), 'commit']),
        )
        if (trip.error !== undefined) throw trip.error
      } catch (error) {
        this.#logger.warn({ err: error, rows: batch.length }, 'rows of the request log were not written')
      }
    }
  }
}

// Several rows of values, not unnest: row level security on a cluster refuses the latter.
const insertText = (rows: number): string => {
  const row = (at: number): string =>
    `(${Array.from({ length: columns }, (_, column) => `$${at * columns + column + 1}`).join(', ')})`
  return `insert into request_log (company_id, at, request_id, connection_id, method, status, duration_ms, error, request, answer, bodies_left_out)
          values ${Array.from({ length: rows }, (_, at) => row(at)).join(', ')}`
}
const inserts = batchSizes.map((rows) => ({ rows, name: `request_log.insert_${rows}`, text: insertText(rows) }))

function insertRows(batch: readonly Row[]): Statement[] {
  const statements: Statement[] = []
  let at = 0
  for (const { rows, name, text } of inserts) {
    for (; batch.length - at >= rows; at += rows) {
      statements.push({ name, text, values: batch.slice(at, at + rows).flatMap(valuesOf) })
    }
  }
  return statements
}

const valuesOf = (entry: Row): unknown[] => [
  entry.companyId,
  entry.at.toISOString(),
  entry.requestId,
  entry.connectionId,
  entry.method,
  entry.status,
  entry.durationMs,
  entry.error,
  entry.request,
  entry.answer,
  entry.bodiesLeftOut,
]

/** The stored form of a text. PostgreSQL accepts neither NUL nor unpaired surrogates; the log shows the replacement character instead. */
function storedText(text: string): string {
  const isWhole = text.length <= longestText
  // Truncated before redaction: a long response costs no more than a short one.
  const redacted = withoutSecrets(isWhole ? text : text.slice(0, longestText))
  return (isWhole ? redacted : `${redacted}…`).toWellFormed().replaceAll('\0', '\ufffd')
}
