// Reproducible random numbers: the same seed gives the same sequence, so a demo created twice on one day is the same.

export class Dice {
  #state: number

  constructor(seed: number) {
    this.#state = seed >>> 0
  }

  /** From 0 up to, but not including, 1 (mulberry32). */
  next(): number {
    this.#state = (this.#state + 0x6d2b79f5) >>> 0
    let mixed = this.#state
    mixed = Math.imul(mixed ^ (mixed >>> 15), mixed | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
  }

  chance(probability: number): boolean {
    return this.next() < probability
  }

  between(least: number, most: number): number {
    return least + this.next() * (most - least)
  }

  /** An integer, both bounds included. */
  whole(least: number, most: number): number {
    return least + Math.floor(this.next() * (most - least + 1))
  }

  pick<T>(from: readonly T[]): T {
    const picked = from[Math.floor(this.next() * from.length)]
    if (picked === undefined) throw new Error('there is nothing to pick from')
    return picked
  }

  /** An element of `from`, with probabilities proportional to the weights. */
  weighted<T>(from: readonly T[], weight: (one: T) => number): T {
    let left = this.next() * from.reduce((sum, one) => sum + weight(one), 0)
    for (const one of from) {
      left -= weight(one)
      if (left < 0) return one
    }
    return this.pick(from)
  }

  /** A random count with the given mean. */
  poisson(mean: number): number {
    const limit = Math.exp(-mean)
    let count = 0
    for (let product = this.next(); product > limit; product *= this.next()) count++
    return count
  }
}
