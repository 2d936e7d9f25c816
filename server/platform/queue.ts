// One writer at a time per company in this process, the others waiting here rather than on a database connection: a company that
// writes much cannot take the connections of the rest. (Between processes the company's clock row does the same.)

import { bounds } from './config.ts'
import { Busy } from './faults.ts'

type Turn = () => void

export class CompanyQueue {
  readonly #waiting = new Map<number, Turn[]>()

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
    })
  }

  #next(companyId: number): void {
    const turn = this.#waiting.get(companyId)?.shift()
    if (turn === undefined) this.#waiting.delete(companyId)
    else turn()
  }
}

/** What waits for the database, and how much of that is a crowd. */
export type Waiting = { readonly waiting: number; readonly crowd: number }

/** Bounds what is under way: in the process, of one company in it, and while a crowd waits of one company beside the others. */
export class Admission {
  readonly #most: number
  readonly #mostOfCompany: number
  readonly #database: Waiting
  readonly #ofCompany = new Map<number, number>()
  #all = 0
  /** Companies that have all they may have. */
  #full = 0

  constructor(most: number, mostOfCompany: number, database: Waiting) {
    this.#most = most
    this.#mostOfCompany = mostOfCompany
    this.#database = database
  }

  get underWay(): number {
    return this.#all
  }

  /** Somebody would be refused. */
  get isTight(): boolean {
    return this.#full > 0 || this.#all >= this.#most || this.#isCrowded
  }

  hasRoom(companyId: number): boolean {
    const mine = this.#ofCompany.get(companyId) ?? 0
    if (this.#all >= this.#most || mine >= this.#mostOfCompany) return false
    // In a crowd everybody has an equal share of it, so that one who asks for little is not refused for one who asks for much.
    return !this.#isCrowded || mine < Math.max(1, Math.floor(this.#database.crowd / this.#ofCompany.size))
  }

  get #isCrowded(): boolean {
    return this.#database.waiting >= this.#database.crowd
  }

  async run<T>(companyId: number, work: () => Promise<T>): Promise<T> {
    if (!this.hasRoom(companyId)) throw new Busy('too many requests under way')
    const mine = (this.#ofCompany.get(companyId) ?? 0) + 1
    this.#all++
    this.#ofCompany.set(companyId, mine)
    if (mine === this.#mostOfCompany) this.#full++
    try {
      return await work()
    } finally {
      this.#all--
      const left = (this.#ofCompany.get(companyId) ?? 1) - 1
      if (left === this.#mostOfCompany - 1) this.#full--
      if (left === 0) this.#ofCompany.delete(companyId)
      else this.#ofCompany.set(companyId, left)
    }
  }
}

/** Who waits, company by company in turn: one that asks for much waits for itself, not the others for it. */
export class FairQueue<T> {
  readonly #waiting = new Map<number, T[]>()
  #length = 0

  get length(): number {
    return this.#length
  }

  push(companyId: number, one: T): void {
    const own = this.#waiting.get(companyId)
    if (own === undefined) this.#waiting.set(companyId, [one])
    else own.push(one)
    this.#length++
  }

  shift(): T | undefined {
    const first = this.#waiting.entries().next().value
    if (first === undefined) return undefined
    const [companyId, own] = first
    const one = own.shift()
    // To the end of the line, or out of it.
    this.#waiting.delete(companyId)
    if (own.length > 0) this.#waiting.set(companyId, own)
    this.#length--
    return one
  }

  remove(companyId: number, one: T): void {
    const own = this.#waiting.get(companyId)
    const at = own?.indexOf(one) ?? -1
    if (own === undefined || at === -1) return
    own.splice(at, 1)
    if (own.length === 0) this.#waiting.delete(companyId)
    this.#length--
  }
}
