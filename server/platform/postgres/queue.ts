// Queues and admission. In each process one write at a time runs per company; the others wait here instead of holding a database connection,
// so that a company with many writes cannot take all connections. (Between processes the company's clock row has the same effect.)

import { bounds } from '../process/config.ts'
import { Busy } from '../process/faults.ts'

type Turn = () => void
/** Called for everything that had to wait, at the end of its wait. */
export type OnWaited = (waitedMs: number) => void

export class CompanyQueue {
  readonly #waiting = new Map<number, Turn[]>()
  readonly #onWaited: OnWaited
  #length = 0

  constructor(onWaited: OnWaited = () => {}) {
    this.#onWaited = onWaited
  }

  /** Writes that wait for their turn. */
  get length(): number {
    return this.#length
  }

  async run<T>(companyId: number, work: () => Promise<T>): Promise<T> {
    await this.#myTurn(companyId)
    try {
      return await work()
    } finally {
      this.#next(companyId)
    }
  }

  async #myTurn(companyId: number): Promise<void> {
    const queue = this.#waiting.get(companyId)
    if (queue === undefined) {
      this.#waiting.set(companyId, [])
      return
    }
    const sinceMs = performance.now()
    this.#length++
    await new Promise<void>((resolve, reject) => {
      const turn = () => {
        clearTimeout(timer)
        resolve()
      }
      const timer = setTimeout(() => {
        queue.splice(queue.indexOf(turn), 1)
        reject(new Busy('the company has too many writes waiting'))
      }, bounds.companyQueueMs)
      queue.push(turn)
    }).finally(() => {
      this.#length--
      this.#onWaited(performance.now() - sinceMs)
    })
  }

  #next(companyId: number): void {
    const turn = this.#waiting.get(companyId)?.shift()
    if (turn === undefined) this.#waiting.delete(companyId)
    else turn()
  }
}

/** How many requests wait for the database, and from which number on it is overloaded. */
export type Waiting = { readonly waiting: number; readonly overloadedAt: number }

/** Limits the requests under way: in the process, per company, and per company in relation to the others while the database is overloaded. */
export class Admission {
  readonly #max: number
  readonly #maxOfCompany: number
  readonly #database: Waiting
  readonly #ofCompany = new Map<number, number>()
  #all = 0
  /** Companies at their limit. */
  #full = 0

  constructor(max: number, maxOfCompany: number, database: Waiting) {
    this.#max = max
    this.#maxOfCompany = maxOfCompany
    this.#database = database
  }

  get underWay(): number {
    return this.#all
  }

  /** At least one company would be refused. */
  get isTight(): boolean {
    return this.#full > 0 || this.#all >= this.#max || this.#isOverloaded
  }

  hasRoom(companyId: number): boolean {
    const mine = this.#ofCompany.get(companyId) ?? 0
    if (this.#all >= this.#max || mine >= this.#maxOfCompany) return false
    // Under overload all companies have equal shares, so that those with few requests are not refused because of those with many.
    return !this.#isOverloaded || mine < Math.max(1, Math.floor(this.#database.overloadedAt / this.#ofCompany.size))
  }

  get #isOverloaded(): boolean {
    return this.#database.waiting >= this.#database.overloadedAt
  }

  async run<T>(companyId: number, work: () => Promise<T>): Promise<T> {
    if (!this.hasRoom(companyId)) throw new Busy('too many requests under way')
    const mine = (this.#ofCompany.get(companyId) ?? 0) + 1
    this.#all++
    this.#ofCompany.set(companyId, mine)
    if (mine === this.#maxOfCompany) this.#full++
    try {
      return await work()
    } finally {
      this.#all--
      const left = (this.#ofCompany.get(companyId) ?? 1) - 1
      if (left === this.#maxOfCompany - 1) this.#full--
      if (left === 0) this.#ofCompany.delete(companyId)
      else this.#ofCompany.set(companyId, left)
    }
  }
}

type Next<T, Key> = { readonly companyId: Key; readonly own: T[]; readonly rank: number }

/** A queue that serves companies in turn or by rank, so that a company with many requests delays only itself. */
export class FairQueue<T, Key = number> {
  readonly #waiting = new Map<Key, T[]>()
  #length = 0

  get length(): number {
    return this.#length
  }

  lengthOf(companyId: Key): number {
    return this.#waiting.get(companyId)?.length ?? 0
  }

  /** The entries of the companies that meet the condition. */
  lengthWhere(condition: (companyId: Key) => boolean): number {
    let length = 0
    for (const [companyId, own] of this.#waiting) if (condition(companyId)) length += own.length
    return length
  }

  push(companyId: Key, one: T): void {
    const own = this.#waiting.get(companyId)
    if (own === undefined) this.#waiting.set(companyId, [one])
    else own.push(one)
    this.#length++
  }

  /** The next entry of a company that may be served: that of the lowest rank, or the one whose turn it is. The others keep their positions. */
  shift(
    mayBeServed: (companyId: Key) => boolean = () => true,
    rankOf: (companyId: Key) => number = () => 0,
  ): T | undefined {
    const next = this.#next(mayBeServed, rankOf)
    if (next === undefined) return undefined
    const { companyId, own } = next
    const one = own.shift()
    // To the end of the queue, or out of it.
    this.#waiting.delete(companyId)
    if (own.length > 0) this.#waiting.set(companyId, own)
    this.#length--
    return one
  }

  /** The rank of the entry that `shift` would return. */
  lowestRank(mayBeServed: (companyId: Key) => boolean, rankOf: (companyId: Key) => number): number | undefined {
    return this.#next(mayBeServed, rankOf)?.rank
  }

  #next(mayBeServed: (companyId: Key) => boolean, rankOf: (companyId: Key) => number): Next<T, Key> | undefined {
    let next: Next<T, Key> | undefined
    for (const [companyId, own] of this.#waiting) {
      if (!mayBeServed(companyId)) continue
      const rank = rankOf(companyId)
      if (next === undefined || rank < next.rank) next = { companyId, own, rank }
    }
    return next
  }

  remove(companyId: Key, one: T): void {
    const own = this.#waiting.get(companyId)
    const at = own?.indexOf(one) ?? -1
    if (own === undefined || at === -1) return
    own.splice(at, 1)
    if (own.length === 0) this.#waiting.delete(companyId)
    this.#length--
  }
}
