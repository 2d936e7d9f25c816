// Limits requests without a valid key or session per address: a token bucket for each network, kept in memory.

import { Busy } from '../process/faults.ts'
import { networkOf } from '../process/network.ts'
import { TokenBuckets } from './token-buckets.ts'

/** Size of a burst in seconds of the rate: a browser that loads the screens requests all their files at once. */
const burstSeconds = 20

export class AddressLimit {
  readonly #buckets: TokenBuckets<string>

  constructor(perSecond: number) {
    this.#buckets = new TokenBuckets(perSecond, perSecond * burstSeconds)
  }

  /** Counts one request; false when there have been too many. */
  take(address: string): boolean {
    return this.#buckets.take(networkOf(address))
  }

  isUsedUp(address: string): boolean {
    return this.#buckets.isUsedUp(networkOf(address))
  }
}

export const tooManyFromAddress = (): Busy => new Busy('too many requests without a key or session from one address')
