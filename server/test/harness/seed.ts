// Reproducible random numbers: every random test prints its seed and accepts one from SEED.

import { randomInt } from 'node:crypto'

export type Chance = {
  readonly seed: number
  /** An integer from 0 to `end` - 1. */
  below(end: number): number
  pick<T>(choices: readonly T[]): T
}

export function chance(seed = Number(process.env['SEED'] ?? randomInt(2 ** 31))): Chance {
  let state = seed | 0
  const below = (end: number): number => {
    // mulberry32
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return Math.floor((((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296) * end)
  }
  return {
    seed,
    below,
    pick: (choices) => {
      const one = choices[below(choices.length)]
      if (one === undefined) throw new Error('nothing to choose from')
      return one
    },
  }
}
