// Connections of one port for several workers. The supervising process accepts them and sends each to a worker. This is what node:cluster does as well,
// but there a connection on its way to a worker that stops is reset; here a worker stops only after the last connection has reached it.

import type { Worker } from 'node:cluster'
import type { Socket } from 'node:net'

type ToWorker = 'connection' | 'last connection'
type FromWorker = 'ready' | 'taken' | 'leaving'

type Recipient = {
  /** The connection that was sent to the worker and that it has not confirmed yet. */
  unconfirmed: Socket | undefined
  /** It gets no more connections. */
  hasLeft: boolean
}

/** In the supervising process. */
export class WorkerConnections {
  readonly #max: number
  readonly #waiting: Socket[] = []
  /** Longest unused first. */
  readonly #workers = new Map<Worker, Recipient>()
  /** Workers that want to leave, and may not yet. */
  readonly #leaving = new Set<Worker>()
  #isEnding = false
  #onHandedOver = () => {}

  /** `max` connections may wait for a worker. */
  constructor(max: number) {
    this.#max = max
  }

  take(socket: Socket): void {
    if (this.#waiting.length >= this.#max) {
      socket.destroy()
      return
    }
    this.#waiting.push(socket)
    this.#handOver()
  }

  /** The worker gets connections from when it is ready, which is when the promise is resolved. */
  add(worker: Worker): Promise<void> {
    worker.once('exit', () => {
      // Whether the worker has received it is unknown. Its caller would wait for ever.
      this.#workers.get(worker)?.unconfirmed?.destroy()
      this.#workers.delete(worker)
      this.#leaving.delete(worker)
      this.#handOver()
    })
    return new Promise((resolve) => {
      worker.on('message', (message: FromWorker | object) => {
        if (message === 'leaving') this.#release(worker)
        if (message !== 'ready' && message !== 'taken') return
        const recipient = this.#workers.get(worker) ?? { unconfirmed: undefined, hasLeft: false }
        recipient.unconfirmed?.destroy()
        recipient.unconfirmed = undefined
        // Removed and added, so that it is the last in the order.
        this.#workers.delete(worker)
        this.#workers.set(worker, recipient)
        this.#handOver()
        resolve()
      })
    })
  }

  /** All workers are about to leave. They take connections until `end`. */
  beginEnd(): void {
    this.#isEnding = true
  }

  /** When the port is closed: lets the workers leave after they have taken everything that was accepted. */
  async end(): Promise<void> {
    await new Promise<void>((resolve) => {
      this.#onHandedOver = resolve
      this.#handOver()
    })
    this.#isEnding = false
    for (const worker of this.#leaving) this.#release(worker)
  }

  #release(worker: Worker): void {
    if (this.#isEnding) {
      this.#leaving.add(worker)
      return
    }
    const recipient = this.#workers.get(worker)
    if (recipient !== undefined) recipient.hasLeft = true
    this.#send(worker, 'last connection')
  }

  #handOver(): void {
    for (const [worker, recipient] of this.#workers) {
      const isFree = recipient.unconfirmed === undefined && !recipient.hasLeft
      const socket = isFree ? this.#waiting.shift() : undefined
      if (socket === undefined) continue
      recipient.unconfirmed = socket
      this.#send(worker, 'connection', socket)
    }
    const isTaken = this.#workers.values().every(({ unconfirmed }) => unconfirmed === undefined)
    if (this.#workers.size === 0 || (this.#waiting.length === 0 && isTaken)) this.#onHandedOver()
  }

  /** A connection stays open here until the worker confirms it. A worker that cannot be reached is about to exit. */
  #send(worker: Worker, message: ToWorker, socket?: Socket): void {
    worker.process.send(message, socket, { keepOpen: true }, () => {})
  }
}

/** In a worker. */
export class SentConnections {
  readonly #lastArrived: Promise<void>

  constructor(take: (socket: Socket) => void) {
    this.#lastArrived = new Promise((resolve) => {
      process.on('message', (message: unknown, handle: unknown) => {
        if (message === ('last connection' satisfies ToWorker)) resolve()
        if (message !== ('connection' satisfies ToWorker)) return
        // Missing if its caller has closed it meanwhile.
        if (handle !== undefined) take(asAccepted(handle as Socket))
        this.#send('taken')
      })
    })
  }

  ready(): void {
    this.#send('ready')
  }

  /** Resolves when no more connections will arrive. */
  async close(): Promise<void> {
    this.#send('leaving')
    await this.#lastArrived
  }

  #send(message: FromWorker): void {
    process.send?.(message, undefined, undefined, () => {})
  }
}

/** With the properties of a connection that an HTTP server has accepted itself. */
function asAccepted(socket: Socket): Socket {
  socket.allowHalfOpen = true
  return socket.setNoDelay(true)
}
