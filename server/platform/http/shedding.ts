// Load shedding: requests are refused before any other work is done, so that refusals are cheap even at ten times the load.

import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import { inBackgroundAfter } from '../process/background.ts'

/**
 * Responses that are sent after a delay, in groups. A client that retries immediately then sends one request per second and
 * connection instead of a thousand: at ten times the load, immediate refusals took so much time that throughput fell to a third.
 */
export class DelayedResponses {
  readonly #ms: number
  readonly #max: number
  #waiting: { readonly dueMs: number; readonly answer: () => void }[] = []

  /** Each is delayed by `ms`, and at most `max` at a time; further ones are sent at once. */
  constructor(ms: number, max: number) {
    this.#ms = ms
    this.#max = max
  }

  add(answer: () => void): void {
    if (this.#waiting.length >= this.#max) {
      answer()
      return
    }
    if (this.#waiting.length === 0) this.#wake()
    this.#waiting.push({ dueMs: performance.now() + this.#ms, answer })
  }

  /** One timer for all of them: a timer for each would be most of the cost of a refusal. */
  #wake(): void {
    inBackgroundAfter('refusals', this.#ms / 20, () => {
      const now = performance.now()
      const later = this.#waiting.findIndex(({ dueMs }) => dueMs > now)
      const due = later === -1 ? this.#waiting : this.#waiting.slice(0, later)
      this.#waiting = later === -1 ? [] : this.#waiting.slice(later)
      for (const { answer } of due) answer()
      if (this.#waiting.length > 0) this.#wake()
    })
  }
}

/** `refuse` answers the requests for which `isOverload` is true; all others are handled as usual. */
export function shedLoad(
  server: Server,
  isOverload: (request: IncomingMessage) => boolean,
  refuse: (request: IncomingMessage, response: ServerResponse) => void,
): void {
  const handlers = server.listeners('request') as ((request: IncomingMessage, response: ServerResponse) => void)[]
  server.removeAllListeners('request')
  server.on('request', (request: IncomingMessage, response: ServerResponse) => {
    if (isOverload(request)) refuse(request, response)
    else for (const handle of handlers) handle(request, response)
  })
}
