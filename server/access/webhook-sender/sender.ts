// Sends webhooks. Every process sends what is written through it: it is called after each write of a company with webhooks. What a process leaves behind
// (because it was killed, or for a later attempt) is found by a slow search through the companies that have webhooks, which all processes do.
// Long because the capacity, the timers and the runs of a process belong together.

import { randomBytes } from 'node:crypto'
import type { OutgoingPosts } from '../../platform/http/outgoing-post.ts'
import type { Pool } from '../../platform/postgres/database.ts'
import { inBackground, inBackgroundAfter, inBackgroundEvery, sleep } from '../../platform/process/background.ts'
import type { Logger } from '../../platform/process/logger.ts'
import type { WebhookDisableReason } from '../../platform/process/metric-table.ts'
import type { Metrics } from '../../platform/process/metrics.ts'
import { nowMs } from '../../platform/process/now.ts'
import { runWrite } from '../../platform/requests/run.ts'
import { disableWebhook } from '../webhooks/disable.ts'
import { DeliveryRun, type RunResult } from './delivery-run.ts'
import { EndpointStore, leaseMs } from './endpoint-store.ts'
import { type LeasedEndpoint, type ParkedMessage, slowMs } from './statements.ts'

/**
 * Endpoints that a process sends to at a time. Those that are slow, fail or have never answered have a share of their own, and a run that takes long
 * moves to it: endpoints that stop answering do not delay those that do.
 */
const maxFastRuns = 100
const maxSlowRuns = 100
const maxRuns = 500
const maxFastRunsOfCompany = 5
/** Round trips at a time that look for messages, so that requests keep most of the database connections. */
const maxSearches = 3
/** A company is not looked at more often: what is written meanwhile is sent together. */
const minimumMs = 150
/** The same while requests wait for the database: fewer round trips for the same messages. */
const minimumWhenShortMs = 800
/** After so long a run starts no further request, so that its results are stored and other endpoints get their turn. */
const runMs = 1_000
const renewMs = 3_000
/** A request is started only if the lease is valid for at least this long. */
const leaseMarginMs = 3_000
const busyMs = 500
const searchMs = 5_000
/** While no company has webhooks. */
const idleSearchMs = 30_000
/** Time of a search for each company, so that the load does not grow with their number. */
const perCompanyMs = 10
const companiesAtOnce = 25
const rememberedMs = 60_000
const stopMs = 5_000

type CompanyState = {
  dueMs: number
  timer: NodeJS.Timeout | undefined
  lastMs: number
  runs: number
  fastRuns: number
  /** Since when it waits for a look at its endpoints that succeeds. */
  waitingSinceMs: number | undefined
}

const newState = (): CompanyState => ({
  dueMs: Infinity,
  timer: undefined,
  lastMs: -Infinity,
  runs: 0,
  fastRuns: 0,
  waitingSinceMs: undefined,
})

export type SenderParts = {
  readonly pool: Pool
  readonly posts: OutgoingPosts
  readonly logger: Logger
  readonly metrics: Metrics
}

export class WebhookSender {
  readonly #parts: SenderParts
  readonly #store: EndpointStore
  readonly #companies = new Map<number, CompanyState>()
  /** Companies that are due, in the order in which they became due. */
  readonly #ready = new Set<number>()
  readonly #aborted = new AbortController()
  readonly #running = new Set<Promise<void>>()
  /** Companies that may have something to send to slow endpoints, while no more of these may be sent to. */
  readonly #waitingForSlow = new Set<number>()
  #fastRuns = 0
  #slowRuns = 0
  #searches = 0
  #isStopping = false
  #searchTimer: NodeJS.Timeout | undefined

  constructor(parts: SenderParts) {
    this.#parts = parts
    this.#store = new EndpointStore(parts.pool)
    parts.metrics.gauge('webhookRuns', () => this.#fastRuns + this.#slowRuns)
    parts.metrics.gauge('webhookWait', () => this.#longestWaitMs() / 1000)
  }

  start(): void {
    this.#searchAfter(Math.random() * busyMs)
  }

  /** Starts nothing more, waits for the requests under way, then ends them. What is not delivered is sent by another process. */
  async stop(): Promise<void> {
    this.#isStopping = true
    clearTimeout(this.#searchTimer)
    for (const { timer } of this.#companies.values()) clearTimeout(timer)
    const timer = inBackgroundAfter('webhooks', stopMs, () => this.#aborted.abort())
    while (this.#running.size > 0) await Promise.allSettled(this.#running)
    clearTimeout(timer)
    this.#parts.posts.close()
  }

  /** The company has something to send in so many milliseconds. */
  wake(companyId: number, inMs = 0): void {
    if (this.#isStopping) return
    const state = this.#companies.get(companyId) ?? newState()
    this.#companies.set(companyId, state)
    const now = performance.now()
    const pauseMs = this.#parts.pool.servable > 0 ? minimumWhenShortMs : minimumMs
    const dueMs = Math.max(now + inMs, state.lastMs + pauseMs)
    if (state.dueMs <= dueMs) return
    clearTimeout(state.timer)
    state.dueMs = dueMs
    state.timer = inBackgroundAfter('webhooks', dueMs - now, () => {
      state.timer = undefined
      state.waitingSinceMs ??= performance.now()
      this.#ready.add(companyId)
      this.#sendReady()
    })
    state.timer.unref()
  }

  #sendReady(): void {
    for (const companyId of this.#ready) {
      if (this.#isStopping || this.#freeRuns <= 0 || this.#searches >= maxSearches) return
      const state = this.#companies.get(companyId)
      if (state === undefined) this.#ready.delete(companyId)
      else if (state.fastRuns < maxFastRunsOfCompany) {
        this.#ready.delete(companyId)
        this.#start(() => this.#sendOf(companyId, state))
      }
    }
  }

  get #freeRuns(): number {
    return Math.min(maxFastRuns - this.#fastRuns, maxRuns - this.#fastRuns - this.#slowRuns)
  }

  get #maySendToSlow(): boolean {
    return this.#slowRuns < maxSlowRuns
  }

  /** How long a company has waited for this process, not for its own endpoints. */
  #longestWaitMs(): number {
    const now = performance.now()
    let longestMs = 0
    for (const { fastRuns, waitingSinceMs = now } of this.#companies.values())
      if (fastRuns < maxFastRunsOfCompany) longestMs = Math.max(longestMs, now - waitingSinceMs)
    return longestMs
  }

  /** Work that `stop` waits for. */
  #start(work: () => Promise<void>): void {
    inBackground('webhooks', async () => {
      const running = work()
      this.#running.add(running)
      try {
        await running
      } finally {
        this.#running.delete(running)
      }
    })
  }

  /** Takes the leases of the company's endpoints and starts a run for each. */
  async #sendOf(companyId: number, state: CompanyState): Promise<void> {
    state.dueMs = Infinity
    state.lastMs = performance.now()
    this.#searches++
    const lease = randomBytes(12).toString('base64url')
    const leasedMs = performance.now()
    const limit = Math.min(maxFastRunsOfCompany - state.fastRuns, this.#freeRuns)
    const mayBeSlow = this.#maySendToSlow
    try {
      const { endpoints, parked, dueMs } = await this.#store.take(companyId, lease, limit, mayBeSlow)
      state.waitingSinceMs = undefined
      for (const endpoint of endpoints) {
        const own = parked.filter(({ webhook_id: webhookId }) => webhookId === endpoint.id)
        this.#start(() => this.#runOf(companyId, state, { endpoint, parked: own, lease, leasedMs }))
      }
      this.#wakeLater(companyId, dueMs, mayBeSlow)
    } catch (error) {
      this.#failed(companyId, error)
    } finally {
      this.#searches--
      this.#forget(companyId, state)
      this.#sendReady()
    }
  }

  /** What is due later is found by a search. `dueMs` leaves out slow endpoints unless `mayBeSlow`. */
  #wakeLater(companyId: number, dueMs: number | undefined, mayBeSlow: boolean): void {
    if (!mayBeSlow) this.#waitingForSlow.add(companyId)
    if (dueMs !== undefined && dueMs < rememberedMs) this.wake(companyId, dueMs)
  }

  #slowRunEnded(): void {
    this.#slowRuns--
    if (!this.#maySendToSlow) return
    for (const companyId of this.#waitingForSlow) {
      this.#waitingForSlow.delete(companyId)
      this.wake(companyId)
      return
    }
  }

  #failed(companyId: number, error: unknown): void {
    this.#parts.logger.warn({ err: error, company: companyId }, 'webhooks could not be sent; they are tried again')
    this.wake(companyId, busyMs)
  }

  #forget(companyId: number, state: CompanyState): void {
    if (state.runs === 0 && state.timer === undefined && !this.#ready.has(companyId)) this.#companies.delete(companyId)
  }

  async #runOf(
    companyId: number,
    state: CompanyState,
    taken: { endpoint: LeasedEndpoint; parked: readonly ParkedMessage[]; lease: string; leasedMs: number },
  ): Promise<void> {
    const { endpoint, lease } = taken
    state.runs++
    const leave = this.#enter(state, endpoint.is_slow)
    try {
      const result = await this.#deliver(companyId, taken)
      // Before the lease is given up: nobody may take it and send once more.
      if (result.disable !== undefined) await this.#disable(companyId, endpoint, result.disable)
      const mayBeSlow = this.#maySendToSlow
      this.#wakeLater(companyId, await this.#record(companyId, endpoint, lease, result, mayBeSlow), mayBeSlow)
    } catch (error) {
      // The lease expires, and the messages are sent again.
      this.#failed(companyId, error)
    } finally {
      leave()
      state.runs--
      this.#forget(companyId, state)
      this.#sendReady()
    }
  }

  /** Counts a run as fast or slow; returns what ends it. */
  #enter(state: CompanyState, isSlow: boolean): () => void {
    const leaveFast = () => {
      this.#fastRuns--
      state.fastRuns--
    }
    if (isSlow) {
      this.#slowRuns++
      return () => this.#slowRunEnded()
    }
    this.#fastRuns++
    state.fastRuns++
    let leave = leaveFast
    const timer = inBackgroundAfter('webhooks', slowMs, () => {
      leaveFast()
      this.#slowRuns++
      leave = () => this.#slowRunEnded()
      this.#sendReady()
    })
    return () => {
      clearTimeout(timer)
      leave()
    }
  }

  async #deliver(
    companyId: number,
    {
      endpoint,
      parked,
      lease,
      leasedMs,
    }: { endpoint: LeasedEndpoint; parked: readonly ParkedMessage[]; lease: string; leasedMs: number },
  ): Promise<RunResult> {
    const { posts, metrics } = this.#parts
    let leasedUntilMs = leasedMs + leaseMs
    const startedMs = performance.now()
    const renewal = inBackgroundEvery('webhooks', renewMs, async () => {
      const askedMs = performance.now()
      // If the database does not answer, the lease expires, and no further request is started.
      const isOurs = await this.#store.renew(companyId, endpoint.id, lease).catch(() => undefined)
      if (isOurs !== undefined) leasedUntilMs = isOurs ? askedMs + leaseMs : 0
    })
    const run = new DeliveryRun({
      companyId,
      endpoint,
      parked,
      post: (url, headers, body) => posts.post(url, headers, body, this.#aborted.signal),
      mayGoOn: () => {
        const now = performance.now()
        return !this.#isStopping && now - startedMs < runMs && now < leasedUntilMs - leaseMarginMs
      },
      isAborted: () => this.#aborted.signal.aborted,
      onAttempt: (isDelivered, { seq, at }) => {
        metrics.webhookAttempts.inc({ result: isDelivered ? 'delivered' : 'failed' })
        if (isDelivered && seq > 0) metrics.webhookDelay.observe(Math.max(0, nowMs() - Date.parse(at)) / 1000)
      },
    })
    try {
      return await run.run()
    } finally {
      clearInterval(renewal)
    }
  }

  /** Tried until the lease has expired: then another process has sent the same messages. */
  async #record(
    companyId: number,
    endpoint: LeasedEndpoint,
    lease: string,
    result: RunResult,
    mayBeSlow: boolean,
  ): Promise<number | undefined> {
    const untilMs = performance.now() + leaseMs
    for (;;) {
      try {
        return await this.#store.record(companyId, endpoint, lease, result, mayBeSlow)
      } catch (error) {
        if (performance.now() + busyMs > untilMs) throw error
        await sleep(busyMs)
      }
    }
  }

  async #disable(companyId: number, { id, url }: LeasedEndpoint, reason: WebhookDisableReason): Promise<void> {
    const { pool, logger, metrics } = this.#parts
    const requestId = `webhook_${randomBytes(12).toString('base64url')}`
    const context = { companyId, connectionId: null, userId: null, requestId, source: 'system' } as const
    const { seq } = await runWrite(pool, disableWebhook, { id, url, reason }, context, undefined, undefined)
    if (seq === undefined) return
    metrics.webhooksDisabled.inc({ reason })
    logger.warn({ company: companyId, webhook: id, reason }, 'a webhook was turned off')
  }

  #searchAfter(ms: number): void {
    if (this.#isStopping) return
    this.#searchTimer = inBackgroundAfter('webhooks', ms, () => this.#start(() => this.#search()))
    this.#searchTimer.unref()
  }

  async #search(): Promise<void> {
    let found = 0
    try {
      for (let after = 0; !this.#isStopping; ) {
        const companyIds = await this.#store.companiesAfter(after, companiesAtOnce)
        const mayBeSlow = this.#maySendToSlow
        const due = companyIds.length === 0 ? [] : await this.#store.due(companyIds, mayBeSlow)
        for (const [at, companyId] of companyIds.entries()) {
          const dueMs = due[at]
          if (dueMs !== undefined && dueMs < rememberedMs) this.wake(companyId, dueMs)
        }
        found += companyIds.length
        after = companyIds.at(-1) ?? after
        if (companyIds.length < companiesAtOnce) break
        await sleep(companiesAtOnce * perCompanyMs)
      }
    } catch (error) {
      this.#parts.logger.warn({ err: error }, 'the search for webhooks failed; it is repeated')
      found = 1
    }
    this.#searchAfter((found === 0 ? idleSearchMs : searchMs) * (0.75 + Math.random() / 2))
  }
}
