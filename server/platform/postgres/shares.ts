// Which request may have a connection of a pool. A company has at most half of them, and all requests that take long (costs.ts) three eighths. Those whose
// cost is unknown may take one more, together with the long ones: they may turn out to be as long. The last quarter is for short requests of companies that have used little lately, and one half of it for companies that have none at the moment. So companies
// whose requests take long leave connections to the others, however many such companies there are. What follows from requests that were answered,
// such as the sending of webhooks, has a quarter of its own.

import type { Cost } from './costs.ts'

/** Work without a company, such as finding the owner of a key: short statements of the server's own. */
export const noCompany = 0
/** Work that follows from requests that were answered. No company has this id. */
export const followUp = -1

/** What was used counts less and less, to a third after this time. */
const memoryMs = 10_000
/** Less than this is little: half a connection all the time, or a whole one for a few seconds. */
const littleMs = 5_000
/** Companies that are remembered; beyond it those that were used longest ago are forgotten. */
const maxKnown = 10_000

type Use = { held: number; usedMs: number; atMs: number }

export class Shares {
  readonly #size: number
  readonly #maxOfCompany: number
  readonly #maxLong: number
  readonly #reserve: number
  readonly #clock: () => number
  /** Least recently used first. */
  readonly #uses = new Map<number, Use>()
  #held = 0
  readonly #heldOf = { short: 0, unknown: 0, long: 0 }
  readonly #holders = new Set<number>()
  /** The company that has used most lately, as of the last change. */
  #heaviest: number | undefined

  constructor(size: number, maxOfCompany: number, clock: () => number = () => performance.now()) {
    this.#size = size
    this.#maxOfCompany = maxOfCompany
    this.#maxLong = Math.max(1, Math.floor((size * 3) / 8))
    // A single connection is for every request: nobody could have it if it were reserved.
    this.#reserve = size === 1 ? 0 : Math.max(1, Math.floor(size / 4))
    this.#clock = clock
  }

  mayHave(companyId: number, cost: Cost = 'short'): boolean {
    const held = this.#uses.get(companyId)?.held ?? 0
    if (companyId === followUp) return held < Math.max(1, this.#reserve)
    if (held >= this.#maxOfCompany || (cost !== 'short' && !this.#hasRoomForLong(cost))) return false
    const free = this.#size - this.#held
    if (free > this.#reserve || companyId === noCompany) return true
    // While short requests use all connections, one of the others still runs: otherwise none of them ever would.
    if (cost !== 'short') return this.#heldOf.unknown + this.#heldOf.long === 0
    return (held === 0 || free > this.#reserve / 2) && !this.isHeavy(companyId)
  }

  #hasRoomForLong(cost: Cost): boolean {
    const { unknown, long } = this.#heldOf
    return unknown + long < this.#maxLong + 1 && (cost === 'unknown' || long < this.#maxLong)
  }

  /** Compared with the heaviest, because a company that another one slows down uses more time for the same work. */
  isHeavy(companyId: number): boolean {
    const usedMs = this.usedMs(companyId)
    return usedMs >= littleMs && 2 * usedMs >= this.#heaviestMs
  }

  take(companyId: number, cost: Cost = 'short'): void {
    this.#heldOf[cost]++
    this.#change(companyId, 1)
  }

  giveBack(companyId: number, cost: Cost = 'short'): void {
    this.#heldOf[cost]--
    this.#change(companyId, -1)
  }

  #change(companyId: number, change: 1 | -1): void {
    const use = {
      held: (this.#uses.get(companyId)?.held ?? 0) + change,
      usedMs: this.usedMs(companyId),
      atMs: this.#clock(),
    }
    this.#held += change
    this.#uses.delete(companyId)
    this.#uses.set(companyId, use)
    if (companyId !== noCompany && companyId !== followUp) {
      if (use.usedMs > this.#heaviestMs) this.#heaviest = companyId
      if (use.held > 0) this.#holders.add(companyId)
      else this.#holders.delete(companyId)
    }
    if (this.#uses.size <= maxKnown) return
    for (const [other, { held }] of this.#uses) {
      if (held > 0) continue
      this.#uses.delete(other)
      break
    }
  }

  get #heaviestMs(): number {
    let most = this.#heaviest === undefined ? 0 : this.usedMs(this.#heaviest)
    for (const companyId of this.#holders) most = Math.max(most, this.usedMs(companyId))
    return most
  }

  /** The time of connections that the company has used, those it has at the moment included. */
  usedMs(companyId: number): number {
    const use = this.#uses.get(companyId)
    if (use === undefined) return 0
    const passedMs = this.#clock() - use.atMs
    return use.usedMs * Math.exp(-passedMs / memoryMs) + use.held * passedMs
  }
}
