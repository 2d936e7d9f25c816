// Token buckets, one for each name: an average rate of requests per second, and a maximum burst. Kept in the memory of the process.

const maxBuckets = 20_000

type Bucket = { readonly tokens: number; readonly atMs: number }

export class TokenBuckets<Name> {
  readonly #perSecond: number
  readonly #burst: number
  /** Least recently used first. */
  readonly #buckets = new Map<Name, Bucket>()

  constructor(perSecond: number, burst: number) {
    this.#perSecond = perSecond
    this.#burst = burst
  }

  /** Counts one request; false when there have been too many. */
  take(name: Name): boolean {
    const tokens = this.#tokens(name)
    this.#buckets.delete(name)
    if (this.#buckets.size >= maxBuckets) {
      for (const oldest of this.#buckets.keys()) {
        this.#buckets.delete(oldest)
        break
      }
    }
    this.#buckets.set(name, { tokens: tokens >= 1 ? tokens - 1 : tokens, atMs: performance.now() })
    return tokens >= 1
  }

  isUsedUp(name: Name): boolean {
    return this.#tokens(name) < 1
  }

  #tokens(name: Name): number {
    const bucket = this.#buckets.get(name)
    if (bucket === undefined) return this.#burst
    return Math.min(this.#burst, bucket.tokens + ((performance.now() - bucket.atMs) / 1000) * this.#perSecond)
  }
}
