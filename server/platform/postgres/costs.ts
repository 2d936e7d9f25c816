// How long the requests of a company hold a connection, by method. Those that hold it long share a part of the connections, so that they wait for one
// another and not the short ones for them, however many companies send them.

import type { Method } from '../../kernel/method.ts'

/** A request is long when even its fastest repetitions take this long: others that run at the same time delay some of them, but not all. */
const fastestLongMs = 25
/** A method is long as well when its requests take this long on average, and `timesAverage` times the average of all requests. */
const averageLongMs = 100
/** On a slow machine every request takes long: only those that take longer than the others are long. */
const timesAverage = 3
/** The weight of the last request in the average of a company's method, and in that of all. */
const weight = 0.2
const weightOfAll = 0.01
/** By how much the fastest time is forgotten with each request. */
const forgotten = 1.05
/** Methods of companies that are remembered; beyond it those that were used longest ago are forgotten. */
const maxKnown = 20_000

export const allCosts = ['long', 'short', 'unknown'] as const
/** What a request will probably cost. A method that the company has not called lately is unknown. */
export type Cost = (typeof allCosts)[number]

type Known = { readonly averageMs: number; readonly fastestMs: number }

export class Costs {
  /** Least recently used first. */
  readonly #known = new Map<string, Known>()
  #averageOfAllMs = 0

  of(companyId: number, method: string): Cost {
    const known = this.#known.get(keyOf(companyId, method))
    if (known === undefined) return 'unknown'
    const isLong = known.averageMs >= averageLongMs && known.averageMs >= timesAverage * this.#averageOfAllMs
    return isLong || known.fastestMs >= fastestLongMs ? 'long' : 'short'
  }

  note(companyId: number, method: string, tookMs: number): void {
    const key = keyOf(companyId, method)
    const { averageMs, fastestMs } = this.#known.get(key) ?? { averageMs: tookMs, fastestMs: tookMs }
    this.#known.delete(key)
    this.#known.set(key, {
      averageMs: averageMs + weight * (tookMs - averageMs),
      fastestMs: Math.min(tookMs, forgotten * fastestMs),
    })
    this.#averageOfAllMs += weightOfAll * (tookMs - this.#averageOfAllMs)
    if (this.#known.size <= maxKnown) return
    for (const oldest of this.#known.keys()) {
      this.#known.delete(oldest)
      break
    }
  }
}

/** The name of a method here. Both APIs have methods of the same path, and a search costs more than a page. */
export const costName = ({ api, path }: Pick<Method, 'api' | 'path'>, isSearch = false): string =>
  `${api} ${path}${isSearch ? ' search' : ''}`

const keyOf = (companyId: number, method: string): string => `${companyId} ${method}`
