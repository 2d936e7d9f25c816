// Limits the open connections of a process. At the limit an unused connection is closed for a new one: first those without
// a valid key or session so far, longest unused first. Connections with a request under way are not closed.

import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'

type State = { requests: number; isKnown: boolean }
type Unused = { readonly sinceMs: number; readonly bytesRead: number }

const drainPollMs = 10

export class Connections {
  readonly #max: number
  readonly #states = new Map<Socket, State>()
  /** Connections without a request under way, longest unused first. */
  readonly #unusedUnknown = new Map<Socket, Unused>()
  readonly #unusedKnown = new Map<Socket, Unused>()

  constructor(server: Server, max: number) {
    this.#max = max
    server.on('connection', (socket: Socket) => this.#opened(socket))
    server.on('request', ({ socket }: IncomingMessage, response: ServerResponse) => this.#begun(socket, response))
  }

  get open(): number {
    return this.#states.size
  }

  /** This connection has sent a valid key or session. */
  know(socket: Socket): void {
    const state = this.#states.get(socket)
    if (state !== undefined) state.isKnown = true
  }

  /** Closes each connection after it was unused for `idleMs`; resolves when all are closed. A request that arrives before that is answered. */
  async drain(idleMs: number): Promise<void> {
    while (this.#states.size > 0) {
      const dueMs = performance.now() - idleMs
      for (const [socket, { sinceMs, bytesRead }] of [...this.#unusedUnknown, ...this.#unusedKnown]) {
        // More bytes than then: the head of a request is arriving.
        if (sinceMs > dueMs || socket.bytesRead > bytesRead) continue
        this.#closed(socket)
        socket.destroy()
      }
      await sleep(drainPollMs)
    }
  }

  #opened(socket: Socket): void {
    if (this.#states.size >= this.#max) {
      const [unused] = (this.#unusedUnknown.size > 0 ? this.#unusedUnknown : this.#unusedKnown).keys()
      // Removed at once: the next connection may arrive before the close event.
      if (unused !== undefined) this.#closed(unused)
      ;(unused ?? socket).destroy()
      if (unused === undefined) return
    }
    this.#states.set(socket, { requests: 0, isKnown: false })
    this.#unusedUnknown.set(socket, unusedFromNow(socket))
    socket.once('close', () => this.#closed(socket))
  }

  #closed(socket: Socket): void {
    this.#states.delete(socket)
    this.#unusedUnknown.delete(socket)
    this.#unusedKnown.delete(socket)
  }

  #begun(socket: Socket, response: ServerResponse): void {
    const state = this.#states.get(socket)
    if (state === undefined) return
    state.requests++
    this.#unusedUnknown.delete(socket)
    this.#unusedKnown.delete(socket)
    response.once('close', () => {
      state.requests--
      if (state.requests > 0 || !this.#states.has(socket)) return
      const unused = state.isKnown ? this.#unusedKnown : this.#unusedUnknown
      unused.set(socket, unusedFromNow(socket))
    })
  }
}

const unusedFromNow = ({ bytesRead }: Socket): Unused => ({ sinceMs: performance.now(), bytesRead })
