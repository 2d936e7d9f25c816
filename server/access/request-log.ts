// The request log: requests and responses, stored for support. Rows are queued in memory and written in batches, off the request path. A batch
// that could not be written is tried again until it succeeds; a row that is dropped nevertheless is counted and recorded as a gap.

import { setTimeout as sleep } from 'node:timers/promises'
import type { Statement } from '../kernel/statement.ts'
import type { Pool } from '../platform/postgres/database.ts'
import type { RoundTripPart } from '../platform/postgres/round-trip.ts'
import { bounds } from '../platform/process/config.ts'
import { sqlState } from '../platform/process/faults.ts'
import type { Logger } from '../platform/process/logger.ts'
import type { LogDropReason } from '../platform/process/metrics.ts'
import { withoutSecrets } from './redaction.ts'
import { type GapReason, gapParts, RequestLogGaps } from './request-log-gaps.ts'
import { type QueueLimits, RequestLogQueue } from './request-log-queue.ts'

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

export type RequestLogOptions = {
  readonly budget: LogBudget
  readonly limits: QueueLimits
  readonly countDropped?: (reason: LogDropReason, rows: number) => void
}

type Row = LogEntry & { readonly bodiesLeftOut: boolean; readonly bytes: number }

const columns = 11
/** Rows per statement. A separate statement for every number of rows would be parsed each time, with up to 2,000 parameters. */
const batchSizes = [200, 20, 1] as const
const batchSize = batchSizes[0]
const flushAfterMs = 250
/** The pause after a failed attempt doubles up to this. */
const longestPauseMs = 2_000
const longestText = 16_384
/** What a row takes in memory in addition to its texts. */
const rowBytes = 512

export class RequestLog {
  readonly #pool: Pool
  readonly #logger: Logger
  readonly #budget: LogBudget
  readonly #countDropped: (reason: LogDropReason, rows: number) => void
  readonly #queue: RequestLogQueue<Row>
  readonly #gaps = new RequestLogGaps()
  /** So many waiting rows are written at once. */
  readonly #fullBatch: number
  #timer: NodeJS.Timeout | undefined
  #writing: Promise<void> | undefined
  /** 0 unless the last attempt failed. */
  #pauseMs = 0
  #isFlushing = false

  constructor(pool: Pool, logger: Logger, { budget, limits, countDropped = () => {} }: RequestLogOptions) {
    this.#pool = pool
    this.#logger = logger
    this.#budget = budget
    this.#queue = new RequestLogQueue(limits)
    this.#fullBatch = Math.min(batchSize, Math.ceil(limits.rows / 4))
    this.#countDropped = countDropped
  }

  /** Rows in memory, and the memory they take. */
  get queued(): QueueLimits {
    return { rows: this.#queue.rows, bytes: this.#queue.bytes }
  }

  add(entry: LogEntry): void {
    const bodiesLeftOut = !this.#budget.hasLogRoom(entry.companyId)
    const request = bodiesLeftOut ? '' : storedText(entry.request)
    const answer = bodiesLeftOut ? '' : storedText(entry.answer)
    if (!bodiesLeftOut)
      this.#budget.countLogBytes(entry.companyId, Buffer.byteLength(request) + Buffer.byteLength(answer))
    const method = storedText(entry.method)
    const error = entry.error === null ? null : storedText(entry.error)
    // A character takes one or two bytes in memory.
    const bytes = rowBytes + 2 * (method.length + (error?.length ?? 0) + request.length + answer.length)
    this.#drop(this.#queue.push({ ...entry, method, error, request, answer, bodiesLeftOut, bytes }), 'full')
    // After a failed attempt the next one has its time already.
    if (this.#queue.waiting >= this.#fullBatch && this.#pauseMs === 0) void this.#start()
    else this.#startAfter(flushAfterMs)
  }

  /** Writes everything that is queued. What the database does not accept in time is lost, because the process is about to end. */
  async flush(withinMs: number = bounds.logFlushMs): Promise<void> {
    const untilMs = performance.now() + withinMs
    this.#isFlushing = true
    while (this.#hasWork && performance.now() < untilMs) {
      await sleep(this.#pauseMs)
      await this.#start()
    }
    this.#isFlushing = false
    if (!this.#hasWork) return
    clearTimeout(this.#timer)
    const rows = this.#queue.clear().length
    this.#countDropped('stop', rows)
    this.#logger.error(
      { rows, unrecorded: this.#gaps.requests },
      'requests are missing from the request log: the database did not accept them before the end',
    )
  }

  get #hasWork(): boolean {
    return this.#queue.rows > 0 || !this.#gaps.isEmpty
  }

  #startAfter(ms: number): void {
    if (this.#writing === undefined) this.#timer ??= setTimeout(() => void this.#start(), ms)
  }

  async #start(): Promise<void> {
    clearTimeout(this.#timer)
    this.#timer = undefined
    this.#writing ??= this.#write()
    await this.#writing
  }

  /** One batch, and more as long as full batches wait. */
  async #write(): Promise<void> {
    let isWritten = true
    let isRecorded = true
    do {
      isWritten = await this.#writeBatch()
      if (isWritten) isRecorded = await this.#recordGaps()
    } while (isWritten && this.#queue.waiting >= this.#fullBatch)
    this.#pauseMs = isWritten && isRecorded ? 0 : Math.min(longestPauseMs, Math.max(flushAfterMs, 2 * this.#pauseMs))
    this.#writing = undefined
    if (this.#hasWork) this.#startAfter(Math.max(flushAfterMs, this.#pauseMs))
  }

  /** Whether the database accepted the batch. */
  async #writeBatch(): Promise<boolean> {
    const rows = this.#queue.take(batchSize)
    if (rows.length === 0) return true
    const error = await this.#insert(rows)
    if (error !== undefined && isRefused(error)) return await this.#writeSingly(rows)
    if (error === undefined) this.#queue.settle(rows)
    else this.#putBack(rows, error)
    return error === undefined
  }

  /** After PostgreSQL has refused a row of a batch: the others are written. */
  async #writeSingly(rows: readonly Row[]): Promise<boolean> {
    for (const [at, row] of rows.entries()) {
      const error = await this.#insert([row])
      if (error !== undefined && !isRefused(error)) {
        this.#putBack(rows.slice(at), error)
        return false
      }
      this.#queue.settle([row])
      if (error === undefined) continue
      this.#drop([row], 'refused')
      this.#logger.error({ err: error }, 'PostgreSQL refused a row of the request log')
    }
    return true
  }

  #putBack(rows: readonly Row[], error: unknown): void {
    this.#queue.putBack(rows)
    this.#logger.warn({ err: error, ...this.queued }, 'the request log is written late')
  }

  #drop(rows: readonly Row[], reason: GapReason): void {
    if (rows.length > 0) this.#countDropped(reason, rows.length)
    for (const row of rows) this.#gaps.add(row, reason)
  }

  /** Whether the database accepted those that are due. */
  async #recordGaps(): Promise<boolean> {
    const gaps = this.#gaps.due(this.#isFlushing || this.#queue.waiting < this.#fullBatch)
    if (gaps.length === 0) return true
    const requests = gaps.reduce((sum, gap) => sum + gap.requests, 0)
    const error = await this.#send(gapParts(gaps))
    if (error === undefined) this.#gaps.recorded(gaps)
    const outcome =
      error === undefined ? 'requests are missing from the request log' : 'a gap of the request log was not recorded'
    this.#logger.warn(
      { err: error, requests, companies: new Set(gaps.map(({ companyId }) => companyId)).size },
      outcome,
    )
    return error === undefined
  }

  // Asynchronous commit: losing log rows in a crash is acceptable, the responses were already sent.
  #insert(rows: readonly Row[]): Promise<unknown> {
    return this.#send(['begin; set local synchronous_commit = off', ...insertRows(rows), 'commit'])
  }

  /** The error of a round trip. */
  async #send(parts: readonly RoundTripPart[]): Promise<unknown> {
    try {
      return (await this.#pool.use((connection) => connection.roundTrip(parts))).error
    } catch (error) {
      return error
    }
  }
}

/** The values of a row are the reason (classes 22 and 23): another attempt would fail as well. */
const isRefused = (error: unknown): boolean => /^2[23]/.test(sqlState(error) ?? '')

// Several rows of values, not unnest: row level security on a cluster refuses the latter. After an attempt that failed some rows may exist.
const insertText = (rows: number): string => {
  const row = (at: number): string =>
    `(${Array.from({ length: columns }, (_, column) => `$${at * columns + column + 1}`).join(', ')})`
  return `insert into request_log (company_id, at, request_id, connection_id, method, status, duration_ms, error, request, answer, bodies_left_out)
          values ${Array.from({ length: rows }, (_, at) => row(at)).join(', ')} on conflict do nothing`
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
  if (text.length <= longestText) return acceptable(withoutSecrets(text))
  // Truncated before redaction: a long response costs no more than a short one. Copied, because a part of a string keeps all of it in memory.
  const start = Buffer.from(text.slice(0, longestText)).toString()
  return `${acceptable(withoutSecrets(start))}…`
}

const acceptable = (text: string): string => text.toWellFormed().replaceAll('\0', '\ufffd')
