// What was asked and answered, kept for support. Rows wait in memory and are written in batches, beside the way of the requests.

import type { Statement } from '../kernel/statement.ts'
import type { Pool } from '../platform/database.ts'
import type { Logger } from '../platform/logger.ts'

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

const columns = 10
/** Rows of one statement. A text of its own for every number of rows would be parsed each time, with up to 2,000 parameters. */
const batchSizes = [200, 20, 1] as const
const batchSize = batchSizes[0]
const flushAfterMs = 250
/** Past this many waiting rows the oldest are given up: the log must never take the memory of the service. */
const longestQueue = 5_000
const longestText = 16_384

export class RequestLog {
  readonly #pool: Pool
  readonly #logger: Logger
  #queue: LogEntry[] = []
  #timer: NodeJS.Timeout | undefined
  #flushing: Promise<void> = Promise.resolve()

  constructor(pool: Pool, logger: Logger) {
    this.#pool = pool
    this.#logger = logger
  }

  add(entry: LogEntry): void {
    this.#queue.push({ ...entry, request: shortened(entry.request), answer: shortened(entry.answer) })
    if (this.#queue.length > longestQueue) this.#queue.shift()
    if (this.#queue.length >= batchSize) this.#start()
    else this.#timer ??= setTimeout(() => this.#start(), flushAfterMs)
  }

  /** Writes what waits. */
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
        // Not on disk before anything else happens: what the log tells, an answer has told already.
        const flown = await this.#pool.use((connection) =>
          connection.flight(['begin; set local synchronous_commit = off', ...insertRows(batch), 'commit']),
        )
        if (flown.error !== undefined) throw flown.error
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
  return `insert into request_log (company_id, at, request_id, connection_id, method, status, duration_ms, error, request, answer)
          values ${Array.from({ length: rows }, (_, at) => row(at)).join(', ')}`
}
const inserts = batchSizes.map((rows) => ({ rows, name: `request_log.insert_${rows}`, text: insertText(rows) }))

function insertRows(batch: readonly LogEntry[]): Statement[] {
  const statements: Statement[] = []
  let at = 0
  for (const { rows, name, text } of inserts) {
    for (; batch.length - at >= rows; at += rows) {
      statements.push({ name, text, values: batch.slice(at, at + rows).flatMap(valuesOf) })
    }
  }
  return statements
}

const valuesOf = (entry: LogEntry): unknown[] => [
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
]

/** PostgreSQL takes neither NUL nor half a surrogate pair; the log shows them as the replacement character. */
function shortened(text: string): string {
  const whole = text.length <= longestText
  return (whole ? text : `${text.slice(0, longestText)}…`).toWellFormed().replaceAll('\0', '\ufffd')
}
