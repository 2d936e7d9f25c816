// Starts the workers and replaces those that end. The service does not start if one of them cannot; later a worker that keeps ending is started again
// after longer and longer pauses.

import cluster, { type Worker } from 'node:cluster'
import { setTimeout as sleep } from 'node:timers/promises'
import { inBackground, inBackgroundAfter } from './background.ts'
import type { Logger } from './logger.ts'
import type { Metrics } from './metrics.ts'
import type { Port } from './port.ts'
import type { WorkerConnections } from './worker-connections.ts'
import type { WorkerMetrics } from './worker-metrics.ts'

/** Passes the address to the workers, for their logs. */
export const addressVariable = 'LISTENING_ADDRESS'

const firstPauseMs = 1_000
const longestPauseMs = 60_000
/** A worker that ends earlier is likely to end again. */
const shortLifeMs = 60_000

export type SupervisorParts = {
  readonly workers: number
  readonly port: Port
  readonly connections: WorkerConnections
  readonly workerMetrics: WorkerMetrics
  readonly metrics: Metrics
  readonly logger: Logger
}

export class Supervisor {
  readonly #parts: SupervisorParts
  readonly #running = new Set<Worker>()
  #isStarted = false
  #isStopping = false

  constructor(parts: SupervisorParts) {
    this.#parts = parts
  }

  /** Resolves when all workers are ready; throws if one of them ends before. */
  async start(): Promise<void> {
    await Promise.all(Array.from({ length: this.#parts.workers }, () => this.#fork(0)))
    this.#isStarted = true
  }

  /** Ends the workers after the requests under way. Until `delayMs` have passed, the port stays open. */
  async stop(delayMs: number): Promise<void> {
    const { port, connections } = this.#parts
    this.#isStopping = true
    connections.beginEnd()
    const ended = [...this.#running].map((worker) => {
      const exit = new Promise((resolve) => worker.once('exit', resolve))
      worker.process.kill('SIGTERM')
      return exit
    })
    await sleep(delayMs)
    await port.close()
    await connections.end()
    await Promise.all(ended)
  }

  /** `shortLives` is how many workers before this one ended soon after their start, one after another. */
  async #fork(shortLives: number): Promise<void> {
    const { port, connections, workerMetrics } = this.#parts
    const worker = cluster.fork({ [addressVariable]: port.address })
    const startedMs = performance.now()
    this.#running.add(worker)
    workerMetrics.add(worker)
    const ready = connections.add(worker)
    const ended = new Promise<never>((_resolve, reject) => {
      worker.once('exit', (code, signal) => {
        this.#running.delete(worker)
        const how = signal === null ? `with ${code}` : `by ${signal}`
        reject(new Error(`a server process ended ${how} while it was starting`))
        const isShort = performance.now() - startedMs < shortLifeMs
        if (this.#isStarted && !this.#isStopping) this.#replace(worker, { code, signal }, isShort ? shortLives + 1 : 0)
      })
    })
    await Promise.race([ready, ended])
  }

  #replace(worker: Worker, exit: object, shortLives: number): void {
    const { metrics, logger } = this.#parts
    const pauseMs = Math.min(firstPauseMs * 2 ** Math.max(0, shortLives - 1), longestPauseMs)
    metrics.workerExits.inc()
    logger.error({ worker: worker.process.pid, ...exit, pauseMs }, 'a worker ended; starting another')
    inBackgroundAfter('workers', pauseMs, () => {
      if (!this.#isStopping) inBackground('workers', () => this.#fork(shortLives))
    })
  }
}
