// Chance for the fuzzer: everything about a request follows from one number, so that a request can be made again.

import { randomOf } from '../campaign.ts'

export class Draw {
  readonly #random: () => number

  constructor(seed: number) {
    this.#random = randomOf(seed)
  }

  /** A whole number from 0 to below `end`. */
  below(end: number): number {
    return Math.floor(this.#random() * end)
  }

  /** True so many times in a hundred. */
  often(percent: number): boolean {
    return this.#random() * 100 < percent
  }

  pick<T>(choices: readonly T[]): T {
    const one = choices[this.below(choices.length)]
    if (one === undefined) throw new Error('nothing to choose from')
    return one
  }

  bytes(length: number): Buffer {
    return Buffer.from(Array.from({ length }, () => this.below(256)))
  }

  /** Short mostly, long now and then. */
  length(): number {
    if (this.often(90)) return this.below(24)
    return this.often(95) ? this.below(300) : this.below(70_000)
  }
}
