// Refusing what there is no room for before anything else is done with it: at ten times the load the refusals must cost next to nothing.

import type { IncomingMessage, Server, ServerResponse } from 'node:http'

/**
 * Answers that are given a moment later, all that are due at once. Who asks again as soon as he is refused asks once a second on each of his
 * connections instead of a thousand times: at ten times the load refusing at once took so much of the process that it served a third of what it can.
 */
export class HeldBack {
  readonly #ms: number
  readonly #most: number
  #waiting: { readonly dueMs: number; readonly answer: () => void }[] = []

  /** Each for so long, and so many at a time; what comes on top is answered at once. */
  constructor(ms: number, most: number) {
    this.#ms = ms
    this.#most = most
  }

  hold(answer: () => void): void {
    if (this.#waiting.length >= this.#most) {
      answer()
      return
    }
    if (this.#waiting.length === 0) this.#wake()
    this.#waiting.push({ dueMs: performance.now() + this.#ms, answer })
  }

  /** One timer for all of them: one for each would be most of what a refusal costs. */
  #wake(): void {
    setTimeout(() => {
      const now = performance.now()
      const later = this.#waiting.findIndex(({ dueMs }) => dueMs > now)
      const due = later === -1 ? this.#waiting : this.#waiting.slice(0, later)
      this.#waiting = later === -1 ? [] : this.#waiting.slice(later)
      for (const { answer } of due) answer()
      if (this.#waiting.length > 0) this.#wake()
    }, this.#ms / 20)
  }
}

/** `refuse` answers those that `isTooMuch` tells; all others go the ordinary way. */
export function shedLoad(
  server: Server,
  isTooMuch: (request: IncomingMessage) => boolean,
  refuse: (request: IncomingMessage, response: ServerResponse) => void,
): void {
  const handlers = server.listeners('request') as ((request: IncomingMessage, response: ServerResponse) => void)[]
  server.removeAllListeners('request')
  server.on('request', (request: IncomingMessage, response: ServerResponse) => {
    if (isTooMuch(request)) refuse(request, response)
    else for (const handle of handlers) handle(request, response)
  })
}
