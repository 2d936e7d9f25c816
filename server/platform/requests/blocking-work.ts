// Work that blocks the event loop, such as parsing a large body: one job at a time, with pauses in which other requests are served.

import { FairQueue } from '../postgres/queue.ts'
import { inBackgroundAfter } from '../process/background.ts'
import { Busy } from '../process/faults.ts'

export type TurnOptions = {
  /** The pause after a job, as a multiple of the time that the job took. */
  readonly pauseFactor: number
  /** How long a job waits for its turn. */
  readonly waitMs: number
}

/** Payers take turns, however many jobs one of them has. */
export class Turns<Payer> {
  readonly #waiting = new FairQueue<() => void, Payer>()
  readonly #options: TurnOptions
  #isTaken = false

  constructor(options: TurnOptions) {
    this.#options = options
  }

  async run<T>(payer: Payer, work: () => T | Promise<T>): Promise<T> {
    if (this.#isTaken) await this.#turn(payer)
    this.#isTaken = true
    const started = performance.now()
    try {
      return await work()
    } finally {
      inBackgroundAfter('turns', (performance.now() - started) * this.#options.pauseFactor, () => this.#next())
    }
  }

  async #turn(payer: Payer): Promise<void> {
    await new Promise<void>((resolve, reject) => {
      const turn = (): void => {
        clearTimeout(timer)
        resolve()
      }
      const timer = setTimeout(() => {
        this.#waiting.remove(payer, turn)
        reject(new Busy('too many large requests wait to be computed'))
      }, this.#options.waitMs)
      this.#waiting.push(payer, turn)
    })
  }

  #next(): void {
    const turn = this.#waiting.shift()
    if (turn === undefined) this.#isTaken = false
    else turn()
  }
}
