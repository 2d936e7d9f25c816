// Daily usage of a company in addition to its counted API requests: requests of its screens, and bytes of the request log. Counted in memory, so
// that no request waits, and added to the database every few seconds, which returns the sum of all processes. Limits are therefore
// exceeded by up to a few seconds of requests.

import { Refusal } from '../kernel/refusal.ts'
import { type Statement, statement } from '../kernel/statement.ts'
import { beginAsyncAs } from '../platform/postgres/company-transaction.ts'
import type { Pool } from '../platform/postgres/database.ts'
import { inBackgroundAfter } from '../platform/process/background.ts'
import type { Logger } from '../platform/process/logger.ts'
import { countingMs, countingTime } from '../platform/process/now.ts'
import { TokenBuckets } from '../platform/requests/token-buckets.ts'
import { secondsUntil } from './day-start.ts'
import { dayOf } from './quota.ts'

export type UsageLimits = {
  readonly sessionRequestsPerSecond: number
  readonly sessionRequestsPerDay: number
  readonly logBytesPerDay: number
}

/** Seconds' worth of requests allowed in a burst: a change makes every open screen of the company reload. */
const burstSeconds = 10
const flushAfterMs = 2_000
/** Companies written in one round trip, each in its own transaction. */
const batchSize = 50

type Row = { readonly session_requests: number; readonly log_bytes: number; readonly reset_seconds: number }
type Used = {
  /** The last total read from the database, of all processes; 0 until the first flush. */
  sessionRequests: number
  logBytes: number
  resetsAtMs: number
  /** Not yet written to the database. */
  newRequests: number
  newBytes: number
}

// As with API requests.
const day = dayOf('u.day', '(:counted_at::timestamptz at time zone c.timezone)::date')
const since = (column: string): string => `case when ${day} <> u.day then 0 else u.${column} end`
const addUsage = statement<
  Row,
  { company_id: number; session_requests: number; log_bytes: number; counted_at: string }
>(
  'daily_usage.add',
  `update daily_usage u set day = ${day}, session_requests = ${since('session_requests')} + :session_requests, log_bytes = ${since('log_bytes')} + :log_bytes
   from companies c where u.company_id = :company_id and c.company_id = :company_id
   returning u.session_requests, u.log_bytes, ${secondsUntil('u.day + 1', 'c.timezone', ':counted_at::timestamptz')} as reset_seconds`,
)

export const insertUsage = statement<never, { company_id: number; timezone: string }>(
  'daily_usage.insert',
  `insert into daily_usage (company_id, day) values (:company_id, (now() at time zone :timezone)::date)`,
)

export class Usage {
  readonly #pool: Pool
  readonly #logger: Logger
  readonly #limits: UsageLimits
  readonly #buckets: TokenBuckets<number>
  readonly #used = new Map<number, Used>()
  #timer: NodeJS.Timeout | undefined
  #flushing: Promise<void> = Promise.resolve()

  constructor(pool: Pool, logger: Logger, limits: UsageLimits) {
    this.#pool = pool
    this.#logger = logger
    this.#limits = limits
    const { sessionRequestsPerSecond: perSecond } = limits
    this.#buckets = new TokenBuckets(perSecond, perSecond * burstSeconds)
  }

  /** Counts a request of the screens, or refuses it. */
  countSessionRequest(companyId: number): void {
    if (!this.#buckets.take(companyId))
      throw new Refusal('Too many requests. Try again in a moment', { code: 'too_many_requests' }, 1)
    const used = this.#of(companyId)
    if (used.sessionRequests + used.newRequests >= this.#limits.sessionRequestsPerDay) {
      const seconds = Math.max(1, Math.ceil((used.resetsAtMs - countingMs()) / 1000))
      throw new Refusal(
        'Your company has used up its requests of the day. Try again after midnight',
        { code: 'daily_limit_reached' },
        seconds,
      )
    }
    used.newRequests++
  }

  hasLogRoom(companyId: number): boolean {
    const used = this.#of(companyId)
    return used.logBytes + used.newBytes < this.#limits.logBytesPerDay
  }

  countLogBytes(companyId: number, bytes: number): void {
    this.#of(companyId).newBytes += bytes
  }

  /** Writes the counts. */
  async flush(): Promise<void> {
    clearTimeout(this.#timer)
    this.#timer = undefined
    this.#flushing = this.#flushing.then(() => this.#write())
    await this.#flushing
  }

  #of(companyId: number): Used {
    this.#timer ??= inBackgroundAfter('usage', flushAfterMs, () => this.flush())
    const known = this.#used.get(companyId)
    if (known !== undefined && known.resetsAtMs > countingMs()) return known
    const { newRequests, newBytes } = known ?? { newRequests: 0, newBytes: 0 }
    // Until the first flush, assume a new day of maximum length.
    const fresh = { sessionRequests: 0, logBytes: 0, resetsAtMs: countingMs() + 86_400_000, newRequests, newBytes }
    this.#used.set(companyId, fresh)
    return fresh
  }

  async #write(): Promise<void> {
    const changed = [...this.#used].filter(([companyId, used]) => {
      if (used.newRequests > 0 || used.newBytes > 0) return true
      // Nothing new: drop the entry, the database has it. Beyond a limit nothing is counted, and the entry must be kept.
      const { sessionRequestsPerDay, logBytesPerDay } = this.#limits
      const isOver = used.sessionRequests >= sessionRequestsPerDay || used.logBytes >= logBytesPerDay
      if (!isOver || used.resetsAtMs <= countingMs()) this.#used.delete(companyId)
      return false
    })
    for (let at = 0; at < changed.length; at += batchSize) await this.#add(changed.slice(at, at + batchSize))
  }

  async #add(batch: readonly [companyId: number, used: Used][]): Promise<void> {
    const added = batch.map(([companyId, { newRequests, newBytes }]) => ({ companyId, newRequests, newBytes }))
    for (const [, used] of batch) Object.assign(used, { newRequests: 0, newBytes: 0 })
    try {
      const countedAt = countingTime()
      const parts = added.flatMap(({ companyId, newRequests, newBytes }): (string | Statement)[] => [
        beginAsyncAs(companyId),
        addUsage({ company_id: companyId, session_requests: newRequests, log_bytes: newBytes, counted_at: countedAt }),
        'commit',
      ])
      const trip = await this.#pool.use((connection) => connection.roundTrip(parts))
      if (trip.error !== undefined) throw trip.error
      for (const [at, [, used]] of batch.entries()) {
        const row = trip.rows<Row>(at * 3 + 1)[0]
        if (row === undefined) continue
        used.sessionRequests = row.session_requests
        used.logBytes = row.log_bytes
        used.resetsAtMs = countingMs() + row.reset_seconds * 1000
      }
    } catch (error) {
      // Retried with the next flush. Some may have been added already: then a limit is reached slightly early.
      for (const [at, [, used]] of batch.entries()) {
        used.newRequests += added[at]?.newRequests ?? 0
        used.newBytes += added[at]?.newBytes ?? 0
      }
      this.#logger.warn({ err: error, companies: batch.length }, 'the usage of companies was not written')
    }
  }
}
