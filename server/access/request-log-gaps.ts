// Requests that are missing from the request log: counted by company as they are dropped, and recorded in the database as soon as it accepts
// writes again.

import { type Statement, statement } from '../kernel/statement.ts'
import { beginAsyncAs } from '../platform/postgres/company-transaction.ts'

/** Why a request is missing: the queue was full, or PostgreSQL refused the row. */
export type GapReason = 'full' | 'refused'

type Missing = { readonly companyId: number; readonly at: Date; readonly requestId: string }

export type Gap = {
  readonly companyId: number
  readonly reason: GapReason
  firstAt: Date
  firstRequestId: string
  lastAt: Date
  requests: number
  /** When its first request was dropped. */
  readonly openedMs: number
}

/** A gap that is still growing is recorded after this time, so that a long overload is visible while it lasts. */
const longestOpenMs = 5_000
/** Gaps that are recorded in one round trip, each in its own transaction. */
const batchSize = 50

export class RequestLogGaps {
  readonly #open = new Map<string, Gap>()
  /** Being recorded: unchanged until that has succeeded, because an attempt that failed may have been committed. */
  readonly #closed = new Map<string, Gap>()

  get isEmpty(): boolean {
    return this.#open.size + this.#closed.size === 0
  }

  /** Requests that are not recorded yet. */
  get requests(): number {
    return [...this.#open.values(), ...this.#closed.values()].reduce((sum, { requests }) => sum + requests, 0)
  }

  add({ companyId, at, requestId }: Missing, reason: GapReason): void {
    const key = `${companyId} ${reason}`
    const gap = this.#open.get(key)
    if (gap === undefined) {
      const one = { companyId, reason, firstAt: at, firstRequestId: requestId, lastAt: at, requests: 1 }
      this.#open.set(key, { ...one, openedMs: performance.now() })
      return
    }
    gap.requests++
    if (at > gap.lastAt) gap.lastAt = at
    if (at < gap.firstAt) Object.assign(gap, { firstAt: at, firstRequestId: requestId })
  }

  /** The gaps to record now: all of them once the rows that wait are written, otherwise those that have been open for long. */
  due(isCaughtUp: boolean): Gap[] {
    for (const [key, gap] of this.#open) {
      if (this.#closed.size >= batchSize) break
      if (this.#closed.has(key) || !(isCaughtUp || performance.now() - gap.openedMs >= longestOpenMs)) continue
      this.#open.delete(key)
      this.#closed.set(key, gap)
    }
    return [...this.#closed.values()]
  }

  recorded(gaps: readonly Gap[]): void {
    for (const { companyId, reason } of gaps) this.#closed.delete(`${companyId} ${reason}`)
  }
}

type GapValues = {
  readonly company_id: number
  readonly first_at: string
  readonly first_request_id: string
  readonly last_at: string
  readonly requests: number
  readonly reason: GapReason
}
// Nothing is inserted for a company that was deleted meanwhile.
const insertGap = statement<never, GapValues>(
  'request_log_gaps.insert',
  `insert into request_log_gaps (company_id, first_at, first_request_id, last_at, requests, reason)
   select c.company_id, :first_at::timestamptz, :first_request_id::text, :last_at::timestamptz, :requests::integer, :reason::text
   from companies c where c.company_id = :company_id on conflict do nothing`,
)

/** The parts of the round trip that records the gaps. */
export const gapParts = (gaps: readonly Gap[]): (string | Statement)[] =>
  gaps.flatMap((gap) => [
    beginAsyncAs(gap.companyId),
    insertGap({
      company_id: gap.companyId,
      first_at: gap.firstAt.toISOString(),
      first_request_id: gap.firstRequestId,
      last_at: gap.lastAt.toISOString(),
      requests: gap.requests,
      reason: gap.reason,
    }),
    'commit',
  ])
