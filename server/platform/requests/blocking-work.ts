// Work that blocks the event loop, such as parsing a large body: one job at a time, with pauses in which other requests are served.

import { FairQueue } from '../postgres/queue.ts'
import { inBackgroundAfter } from '../process/background.ts'
import { Busy } from '../process/faults.ts'

/** The pause after a job, as a multiple of the time that the job took. */
const pauseFactor = 3
/** How long a job waits for its turn. */
const waitMs = 5_000

/** Payers take turns, however many jobs one of them has. */
export class Turns<Payer> {
  readonly #waiting = new FairQueue<() => void, Payer>()
  #isTaken = false

  async run<T>(payer: Payer, work: () => T): Promise<T> {
    if (this.#isTaken) await this.#turn(payer)
    this.#isTaken = true
    const started = performance.now()
    try {
      return work()
    } finally {
      inBackgroundAfter('bodies', (performance.now() - started) * pauseFactor, () => this.#next())
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
        reject(new Busy('too many large request bodies wait to be parsed'))
      }, waitMs)
      this.#waiting.push(payer, turn)
    })
  }

  #next(): void {
    const turn = this.#waiting.shift()
    if (turn === undefined) this.#isTaken = false
    else turn()
  }
}
