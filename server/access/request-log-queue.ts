// The rows of the request log that are not written yet. Bounded in number and in memory. When it is full, only companies that use at least an
// equal share of it lose rows, so no company fills it for the others.

export type QueueLimits = { readonly rows: number; readonly bytes: number }

type Queued = { readonly companyId: number; readonly bytes: number }
type OfCompany<Row> = { rows: Row[]; bytes: number }

export class RequestLogQueue<Row extends Queued> {
  readonly #limits: QueueLimits
  /** In the order in which companies have their turn. */
  readonly #waiting = new Map<number, OfCompany<Row>>()
  #waitingRows = 0
  #waitingBytes = 0
  /** Taken and not yet written: they use memory, but can no longer be dropped. */
  #takenRows = 0
  #takenBytes = 0

  constructor(limits: QueueLimits) {
    this.#limits = limits
  }

  get rows(): number {
    return this.#waitingRows + this.#takenRows
  }

  get bytes(): number {
    return this.#waitingBytes + this.#takenBytes
  }

  /** Rows that nobody has taken. */
  get waiting(): number {
    return this.#waitingRows
  }

  /** Returns the rows that were dropped to make room. */
  push(row: Row): Row[] {
    const own = this.#ofCompany(row.companyId)
    own.rows.push(row)
    this.#count(own, row, 1)
    const dropped: Row[] = []
    while (this.#isOver && this.#waitingRows > 0) dropped.push(this.#dropFor(row.companyId))
    return dropped
  }

  /**
   * The oldest rows of the companies in turn. They count as queued until they are settled. At most a quarter of the queue: what one company
   * has in it could not be dropped for another.
   */
  take(max: number): Row[] {
    const maxRows = Math.min(max, Math.ceil(this.#limits.rows / 4))
    const bytesBefore = this.#waitingBytes
    const taken: Row[] = []
    for (const [companyId, own] of this.#waiting) {
      if (taken.length === maxRows || bytesBefore - this.#waitingBytes >= this.#limits.bytes / 4) break
      // To the end, which this loop reaches as well.
      this.#waiting.delete(companyId)
      this.#waiting.set(companyId, own)
      taken.push(this.#removeOldest(companyId, own))
    }
    this.#takenBytes += bytesBefore - this.#waitingBytes
    this.#takenRows += taken.length
    return taken
  }

  /** Removes everything that waits. */
  clear(): Row[] {
    const all = [...this.#waiting.values()].flatMap(({ rows }) => rows)
    this.#waiting.clear()
    this.#waitingRows = 0
    this.#waitingBytes = 0
    return all
  }

  /** Forgets rows that were taken: they are written, or lost. */
  settle(rows: readonly Row[]): void {
    for (const { bytes } of rows) this.#takenBytes -= bytes
    this.#takenRows -= rows.length
  }

  /** Returns rows that were taken to the front. */
  putBack(rows: readonly Row[]): void {
    this.settle(rows)
    for (const [companyId, returned] of Map.groupBy(rows, (row) => row.companyId)) {
      const own = this.#ofCompany(companyId)
      own.rows = [...returned, ...own.rows]
      for (const row of returned) this.#count(own, row, 1)
    }
  }

  get #isOver(): boolean {
    return this.rows > this.#limits.rows || this.bytes > this.#limits.bytes
  }

  #ofCompany(companyId: number): OfCompany<Row> {
    const known = this.#waiting.get(companyId)
    if (known !== undefined) return known
    const fresh: OfCompany<Row> = { rows: [], bytes: 0 }
    this.#waiting.set(companyId, fresh)
    return fresh
  }

  #count(own: OfCompany<Row>, { bytes }: Row, change: 1 | -1): void {
    own.bytes += change * bytes
    this.#waitingBytes += change * bytes
    this.#waitingRows += change
  }

  #removeOldest(companyId: number, own: OfCompany<Row>): Row {
    const row = own.rows.shift() as Row
    this.#count(own, row, -1)
    if (own.rows.length === 0) this.#waiting.delete(companyId)
    return row
  }

  /**
   * Drops the oldest row of a company with at least an equal share, of `companyId` itself if it has that much. One always has: not all
   * can be below the average. Searching for the largest share instead would read every company for every row.
   */
  #dropFor(companyId: number): Row {
    const isTooMany = this.rows > this.#limits.rows
    const hasShare = ({ rows, bytes }: OfCompany<Row>): boolean =>
      isTooMany
        ? rows.length * this.#waiting.size >= this.#waitingRows
        : bytes * this.#waiting.size >= this.#waitingBytes
    const own = this.#waiting.get(companyId)
    if (own !== undefined && hasShare(own)) return this.#removeOldest(companyId, own)
    for (const [other, ofOther] of this.#waiting) if (hasShare(ofOther)) return this.#removeOldest(other, ofOther)
    throw new Error('no company has an equal share of the queue')
  }
}
