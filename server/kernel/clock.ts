// The moment a write happens in: its place in the company's order, its time, and the ids it may hand out.
// Numbers count per company. They come with the lock, so a plan knows every id it writes before anything is written.

export const counters = [
  'connection_id',
  'user_id',
  'invitation_id',
  'unit_id',
  'category_id',
  'storage_id',
  'item_id',
  'customer_id',
  'supplier_id',
  'sale_id',
  'production_id',
  'production_number',
  'purchase_id',
  'purchase_number',
  'writeoff_id',
  'writeoff_number',
  'transfer_id',
  'transfer_number',
  'audit_id',
  'audit_number',
  'movement_id',
] as const

export type Counter = (typeof counters)[number]

export class Ids {
  readonly #last: Record<Counter, number>
  #used = false

  constructor(last: Record<Counter, number>) {
    this.#last = { ...last }
  }

  next(counter: Counter): number {
    this.#used = true
    this.#last[counter] += 1
    return this.#last[counter]
  }

  get used(): boolean {
    return this.#used
  }

  last(counter: Counter): number {
    return this.#last[counter]
  }
}

/** Who asks, and through which door. */
export type Call = {
  readonly companyId: number
  readonly connectionId: number | null
  readonly userId: number | null
  readonly requestId: string
  readonly source: 'api' | 'manual' | 'system'
}

export type Moment = {
  readonly call: Call
  readonly seq: number
  /** ISO 8601, never earlier than that of the company's write before. */
  readonly at: string
  readonly ids: Ids
}
