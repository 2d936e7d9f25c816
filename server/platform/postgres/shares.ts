// Which company may have a connection of a pool: at most half of them each, and the last quarter only a company that has none at the moment and has used
// little lately. So companies whose requests take long leave connections to the others, however many such companies there are.

/** Work without a company, such as finding the owner of a key: short statements of the server's own. */
export const noCompany = 0

/** What was used counts less and less, to a third after this time. */
const memoryMs = 10_000
/** A company that has used this much lately is a heavy user: half a connection all the time, or a whole one for a few seconds. */
const heavyMs = 5_000
/** Companies that are remembered; beyond it those that were used longest ago are forgotten. */
const maxKnown = 10_000

type Use = { held: number; usedMs: number; atMs: number }

export class Shares {
  readonly #size: number
  readonly #maxOfCompany: number
  readonly #reserve: number
  readonly #clock: () => number
  /** Least recently used first. */
  readonly #uses = new Map<number, Use>()
  #held = 0

  constructor(size: number, maxOfCompany: number, clock: () => number = () => performance.now()) {
    this.#size = size
    this.#maxOfCompany = maxOfCompany
    this.#reserve = Math.max(1, Math.floor(size / 4))
    this.#clock = clock
  }

  mayHave(companyId: number): boolean {
    const held = this.#uses.get(companyId)?.held ?? 0
    if (held >= this.#maxOfCompany) return false
    return (
      this.#size - this.#held > this.#reserve || companyId === noCompany || (held === 0 && !this.isHeavy(companyId))
    )
  }

  isHeavy(companyId: number): boolean {
    return this.#usedMs(companyId) >= heavyMs
  }

  take(companyId: number): void {
    this.#change(companyId, 1)
  }

  giveBack(companyId: number): void {
    this.#change(companyId, -1)
  }

  #change(companyId: number, change: 1 | -1): void {
    const use = {
      held: (this.#uses.get(companyId)?.held ?? 0) + change,
      usedMs: this.#usedMs(companyId),
      atMs: this.#clock(),
    }
    this.#held += change
    this.#uses.delete(companyId)
    this.#uses.set(companyId, use)
    if (this.#uses.size <= maxKnown) return
    for (const [other, { held }] of this.#uses) {
      if (held > 0) continue
      this.#uses.delete(other)
      break
    }
  }

  /** The time of connections that the company has used, those it has at the moment included. */
  #usedMs(companyId: number): number {
    const use = this.#uses.get(companyId)
    if (use === undefined) return 0
    const passedMs = this.#clock() - use.atMs
    return use.usedMs * Math.exp(-passedMs / memoryMs) + use.held * passedMs
  }
}
