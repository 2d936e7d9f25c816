// Logs requests that took long, with their round trips. With LOG_LEVEL=debug every request is logged.

import type { Logger } from './logger.ts'
import { type FinishedRequest, statementNames } from './request-trace.ts'

/** Under overload everything is slow, and more lines would add to the load. */
const linesPerSecond = 10

export class SlowRequests {
  readonly #logger: Logger
  readonly #slowMs: number
  #second = 0
  #lines = 0
  #notLogged = 0

  constructor(logger: Logger, slowMs: number) {
    this.#logger = logger
    this.#slowMs = slowMs
  }

  log(request: FinishedRequest): void {
    const durationMs = request.endedMs - request.trace.startedMs
    if (durationMs >= this.#slowMs) this.#logSlow(request, durationMs)
    else if (this.#logger.isLevelEnabled('debug')) this.#logger.debug(fieldsOf(request, durationMs), 'a request')
  }

  #logSlow(request: FinishedRequest, durationMs: number): void {
    const second = Math.floor(request.endedMs / 1000)
    if (second !== this.#second) this.#lines = 0
    this.#second = second
    if (++this.#lines > linesPerSecond) {
      this.#notLogged++
      return
    }
    const roundTrips = request.trace.roundTrips.map((roundTrip) => ({
      afterMs: rounded(roundTrip.startedMs - request.trace.startedMs),
      tookMs: rounded(roundTrip.endedMs - roundTrip.startedMs),
      statements: statementNames(roundTrip),
    }))
    const more = this.#notLogged === 0 ? {} : { more: this.#notLogged }
    this.#notLogged = 0
    this.#logger.warn({ ...fieldsOf(request, durationMs), roundTrips, ...more }, 'a slow request')
  }
}

const rounded = (ms: number): number => Math.round(ms * 10) / 10

const fieldsOf = ({ trace, api, method, status }: FinishedRequest, durationMs: number) => ({
  requestId: trace.requestId,
  api,
  method,
  company: trace.companyId,
  status,
  durationMs: rounded(durationMs),
})
