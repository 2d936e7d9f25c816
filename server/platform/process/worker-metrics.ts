// The metrics of all workers as sums, collected by the process that supervises them. The totals of a worker that ended remain in the sums: a sum
// that falls would look to Prometheus like a restart of the whole service, and everything counted so far like new.

import type { Worker } from 'node:cluster'
import { AggregatorRegistry, type Registry } from 'prom-client'
import { inBackground } from './background.ts'
import type { Metrics } from './metrics.ts'

/** A worker that takes longer is counted with its last known values. */
const answerMs = 1_000

type Values = Awaited<ReturnType<Registry['getMetricsAsJSON']>>
type Request = { readonly collectMetrics: number }
type Answer = { readonly collectedMetrics: number; readonly values: Values }

const isRequest = (message: unknown): message is Request =>
  typeof message === 'object' && message !== null && 'collectMetrics' in message
const isAnswer = (message: unknown): message is Answer =>
  typeof message === 'object' && message !== null && 'collectedMetrics' in message

/** In a worker: responds to the supervising process. */
export function answerCollections({ registry }: Metrics): void {
  process.on('message', (message) => {
    if (!isRequest(message)) return
    // The supervising process has its own time limit.
    inBackground('workers', async () => {
      const values = await registry.getMetricsAsJSON()
      const answer: Answer = { collectedMetrics: message.collectMetrics, values }
      if (process.connected) process.send?.(answer)
    })
  })
}

export class WorkerMetrics {
  readonly #own: Metrics
  readonly #workers = new Map<Worker, Values | undefined>()
  /** The totals of workers that ended. */
  #ended: Promise<Values> = Promise.resolve([])
  #collections = 0
  #answering = 0

  /** `own` are the metrics of the supervising process: its gauges, and every series with 0, so that none is missing while workers start. */
  constructor(own: Metrics) {
    this.#own = own
    own.gauge('workers', () => this.#answering)
  }

  add(worker: Worker): void {
    this.#workers.set(worker, undefined)
    worker.once('exit', () => this.#retire(worker))
  }

  async collect(): Promise<string> {
    const answers = await Promise.all(this.#workers.keys().map((worker) => this.#ask(worker)))
    this.#answering = answers.filter(Boolean).length
    const known = this.#workers.values().filter((values) => values !== undefined)
    return await AggregatorRegistry.aggregate([
      await this.#own.registry.getMetricsAsJSON(),
      await this.#ended,
      ...known,
    ]).metrics()
  }

  #retire(worker: Worker): void {
    const last = this.#workers.get(worker)
    this.#workers.delete(worker)
    const totals = last?.filter(({ type }) => ['counter', 'histogram'].includes(String(type)))
    if (totals === undefined) return
    this.#ended = this.#ended.then((ended) => AggregatorRegistry.aggregate([ended, totals]).getMetricsAsJSON())
  }

  /** Whether the worker responded in time. */
  async #ask(worker: Worker): Promise<boolean> {
    if (!worker.isConnected()) return false
    const id = this.#collections++
    return await new Promise((resolve) => {
      const end = (isAnswered: boolean) => {
        clearTimeout(timer)
        worker.off('message', read).off('exit', fail)
        resolve(isAnswered)
      }
      const fail = () => end(false)
      const read = (message: unknown) => {
        if (!isAnswer(message) || message.collectedMetrics !== id) return
        this.#workers.set(worker, message.values)
        end(true)
      }
      const timer = setTimeout(fail, answerMs)
      worker.on('message', read).once('exit', fail)
      worker.send({ collectMetrics: id } satisfies Request)
    })
  }
}
