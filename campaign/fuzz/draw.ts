// Reproducible random numbers for the fuzzer: everything about a request derives from one number, so that it can be repeated.

import { randomOf } from '../campaign.ts'

export class Draw {
  readonly #random: () => number

  constructor(seed: number) {
    this.#random = randomOf(seed)
  }

  /** An integer from 0 to `end` - 1. */
  below(end: number): number {
    return Math.floor(this.#random() * end)
  }

  /** True in the given percentage of cases. */
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

  /** Usually short, occasionally long. */
  length(): number {
    if (this.often(90)) return this.below(24)
    return this.often(95) ? this.below(300) : this.below(70_000)
  }
}
