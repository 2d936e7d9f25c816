// The request log: requests and responses, stored for support. Rows are queued in memory and written in batches, off the request path. A batch
// that could not be written is tried again until it succeeds; a row that is dropped nevertheless is counted and recorded as a gap.

import type { Pool } from '../platform/postgres/database.ts'
import type { RoundTripPart } from '../platform/postgres/round-trip.ts'
import { inBackground, inBackgroundAfter } from '../platform/process/background.ts'
import { bounds } from '../platform/process/config.ts'
import { sqlState } from '../platform/process/faults.ts'
import type { Logger } from '../platform/process/logger.ts'
import type { LogDropReason } from '../platform/process/metric-table.ts'
import { type GapReason, gapParts, RequestLogGaps } from './request-log-gaps.ts'
import { type QueueLimits, RequestLogQueue } from './request-log-queue.ts'
import { batchSize, insertRows, type LogEntry, type Row, rowOf } from './request-log-rows.ts'

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

const flushAfterMs = 250
/** The pause after a failed attempt doubles up to this. */
const longestPauseMs = 2_000

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
    const row = rowOf(entry, bodiesLeftOut)
    if (!bodiesLeftOut)
      this.#budget.countLogBytes(entry.companyId, Buffer.byteLength(row.request) + Buffer.byteLength(row.answer))
    this.#drop(this.#queue.push(row), 'full')
    // After a failed attempt the next one has its time already.
    if (this.#queue.waiting >= this.#fullBatch && this.#pauseMs === 0) inBackground('request_log', () => this.#start())
    else this.#startAfter(flushAfterMs)
  }

  /** Writes everything that is queued. What the database does not accept in time is lost, because the process is about to end. */
  async flush(withinMs: number = bounds.logFlushMs): Promise<void> {
    const untilMs = performance.now() + withinMs
    this.#isFlushing = true
    while (this.#hasWork && performance.now() < untilMs) {
      await new Promise((resolve) => setTimeout(resolve, this.#pauseMs))
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
    if (this.#writing === undefined) this.#timer ??= inBackgroundAfter('request_log', ms, () => this.#start())
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
