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

/** Bounds what is under way: in the process, and of one company in it. */
export class Admission {
  readonly #most: number
  readonly #mostOfCompany: number
  readonly #ofCompany = new Map<number, number>()
  #all = 0

  constructor(most: number, mostOfCompany: number) {
    this.#most = most
    this.#mostOfCompany = mostOfCompany
  }

  get underWay(): number {
    return this.#all
  }

  async run<T>(companyId: number, work: () => Promise<T>): Promise<T> {
    const mine = this.#ofCompany.get(companyId) ?? 0
    if (this.#all >= this.#most || mine >= this.#mostOfCompany) throw new Busy('too many requests under way')
    this.#all++
    this.#ofCompany.set(companyId, mine + 1)
    try {
      return await work()
    } finally {
      this.#all--
      const left = (this.#ofCompany.get(companyId) ?? 1) - 1
      if (left === 0) this.#ofCompany.delete(companyId)
      else this.#ofCompany.set(companyId, left)
    }
  }
}
