// Sends the messages of one leased endpoint, one after the other, and collects what is to be stored: the order of the feed holds until a message has failed three
// times. Decides nothing about other endpoints, and does not touch the database.

import type { PostResult } from '../../platform/http/outgoing-post.ts'
import type { WebhookDisableReason } from '../../platform/process/metric-table.ts'
import { isClockInDoubt, microsecondsText, nowMs } from '../../platform/process/now.ts'
import { bodyOf, headersOf, type Message, testType } from './message.ts'
import { failuresInOrder, givenUpAfterSeconds, pauseAfter, requestedPauseMs } from './schedule.ts'
import type { Delivery, LeasedEndpoint, ParkedMessage } from './statements.ts'

export type Post = (url: string, headers: Readonly<Record<string, string>>, body: string) => Promise<PostResult>

export type RunOptions = {
  readonly companyId: number
  readonly endpoint: LeasedEndpoint
  readonly parked: readonly ParkedMessage[]
  readonly post: Post
  /** Whether another request may be started. */
  readonly mayGoOn: () => boolean
  /** Whether the requests of the process were aborted: then the last one has no result. */
  readonly isAborted: () => boolean
  readonly onAttempt: (isDelivered: boolean, message: Message) => void
}

export type Parking = { readonly seq: number; readonly attempts: number; readonly pauseMs: number }

export type RunResult = {
  readonly deliveries: readonly Delivery[]
  readonly position: number
  readonly attempts: number
  readonly pauseMs: number | null
  readonly keepsPause: boolean
  readonly park: readonly Parking[]
  readonly unpark: readonly number[]
  readonly hasDelivered: boolean
  readonly isFailing: boolean
  readonly disable: WebhookDisableReason | undefined
}

type Verdict = 'delivered' | 'failed' | 'aborted'

export class DeliveryRun {
  readonly #options: RunOptions
  readonly #deliveries: Delivery[] = []
  readonly #park: Parking[] = []
  readonly #unpark: number[] = []
  #position: number
  #attempts: number
  #pauseMs: number | null = null
  #keepsPause: boolean
  #hasDelivered = false
  #isFailing = false
  #disable: WebhookDisableReason | undefined
  #requestedMs: number | undefined

  constructor(options: RunOptions) {
    this.#options = options
    this.#position = options.endpoint.position
    this.#attempts = options.endpoint.attempts
    this.#keepsPause = !options.endpoint.is_head_due
  }

  async run(): Promise<RunResult> {
    if (await this.#sendInOrder()) await this.#sendParked()
    return {
      deliveries: this.#deliveries,
      position: this.#position,
      attempts: this.#attempts,
      pauseMs: this.#pauseMs,
      keepsPause: this.#keepsPause,
      park: this.#park,
      unpark: this.#unpark,
      hasDelivered: this.#hasDelivered,
      isFailing: this.#isFailing,
      disable: this.#disable,
    }
  }

  /** Whether all of them were delivered. */
  async #sendInOrder(): Promise<boolean> {
    const { endpoint, mayGoOn } = this.#options
    for (const message of endpoint.messages) {
      if (!mayGoOn()) return false
      const verdict = await this.#send(message, this.#attempts + 1)
      if (verdict === 'aborted') return false
      if (verdict === 'failed') {
        if (this.#disable === undefined || this.#disable === 'failing') this.#failedInOrder(message.seq)
        return false
      }
      this.#position = message.seq
      this.#attempts = 0
    }
    this.#position = endpoint.scanned_to
    return true
  }

  #failedInOrder(seq: number): void {
    this.#attempts++
    const pauseMs = this.#pauseAfter(this.#attempts)
    if (this.#attempts < failuresInOrder || pauseMs === undefined) {
      this.#pauseMs = pauseMs ?? null
      return
    }
    this.#park.push({ seq, attempts: this.#attempts, pauseMs })
    this.#position = seq
    this.#attempts = 0
  }

  async #sendParked(): Promise<void> {
    for (const { seq, attempts, created_at: at, message } of this.#options.parked) {
      if (!this.#options.mayGoOn()) return
      const verdict = await this.#send(message ?? testMessage(at), attempts + 1)
      if (verdict === 'aborted') return
      if (verdict === 'delivered') {
        this.#unpark.push(seq)
        // It works again: the next event need not wait.
        this.#keepsPause = false
        continue
      }
      if (this.#disable === 'gone') return
      const pauseMs = message === null ? undefined : this.#pauseAfter(attempts + 1)
      if (pauseMs === undefined) this.#unpark.push(seq)
      else this.#park.push({ seq, attempts: attempts + 1, pauseMs })
      return
    }
  }

  #pauseAfter(failures: number): number | undefined {
    return pauseAfter(failures, this.#requestedMs, Math.random())
  }

  async #send(message: Message, attempt: number): Promise<Verdict> {
    const { companyId, endpoint, post, isAborted, onAttempt } = this.#options
    const startedMs = nowMs()
    const body = bodyOf(message)
    const result = await post(endpoint.url, headersOf(companyId, message, endpoint.secrets, body, startedMs), body)
    if (isAborted() && result.status === undefined) return 'aborted'
    const { status, error, response, durationMs } = result
    this.#deliveries.push({
      seq: message.seq,
      type: message.type,
      attempt,
      at: microsecondsText(startedMs),
      status: status ?? null,
      error: error ?? null,
      duration_ms: durationMs,
      response,
    })
    const isDelivered = error === undefined && status !== undefined && status >= 200 && status <= 299
    onAttempt(isDelivered, message)
    this.#isFailing = !isDelivered
    if (isDelivered) {
      this.#hasDelivered = true
      return 'delivered'
    }
    this.#requestedMs = requestedPauseMs(status, result.retryAfter, nowMs())
    if (status === 410) this.#disable = 'gone'
    else if (!this.#hasDelivered && this.#isFailingForDays()) this.#disable = 'failing'
    return 'failed'
  }

  /** While the clock is in doubt nobody knows how many days have passed. */
  #isFailingForDays(): boolean {
    return !isClockInDoubt() && (this.#options.endpoint.failing_seconds ?? 0) >= givenUpAfterSeconds
  }
}

const testMessage = (at: string): Message => ({
  seq: 0,
  type: testType,
  at,
  data: '{"message":"A test. Nothing has changed."}',
})
