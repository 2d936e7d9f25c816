// The context of a write: the number of its first event in the company, its time, and the ids it may assign.
// Ids count per company. They are read together with the lock, so a plan has every id before anything is written.

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
  'webhook_id',
  'file_id',
  'import_id',
  'quote_id',
  'quote_number',
  'tax_rate_id',
] as const

/** The method of the event that says which numbers of events were skipped after a restore: `change.seq` is [last one before, its own]. */
export const newEpochMethod = 'feed/new_epoch'

export type Counter = (typeof counters)[number]

export class Ids {
  readonly #last: Record<Counter, number>
  readonly #free = new Map<Counter, number>()

  constructor(last: Record<Counter, number>) {
    this.#last = { ...last }
  }

  /** Leaves out what is known to be taken: the next number of the counter is `free` or later. */
  skipTo(counter: Counter, free: number): void {
    this.#free.set(counter, free)
  }

  next(counter: Counter): number {
    this.#last[counter] = Math.max(this.#last[counter] + 1, this.#free.get(counter) ?? 0)
    return this.#last[counter]
  }

  last(counter: Counter): number {
    return this.#last[counter]
  }

  /** The last id of every counter. */
  get all(): Readonly<Record<Counter, number>> {
    return this.#last
  }
}

/** Where a request of a user comes from, as the request names it. */
export type RequestOrigin = { readonly address: string; readonly agent: string | undefined }

/** Who sent the request, and through which API. */
export type RequestContext = {
  readonly companyId: number
  readonly connectionId: number | null
  readonly userId: number | null
  readonly requestId: string
  readonly source: 'api' | 'manual' | 'system'
  /** Where a request of a user comes from. */
  readonly from?: RequestOrigin | undefined
}

export type TransactionContext = {
  readonly context: RequestContext
  /** The number of the first event of the write. */
  readonly seq: number
  /** The number of its last event, if others come before that of the record that the method is about. */
  readonly lastSeq?: number
  /** ISO 8601, never earlier than the company's previous write. */
  readonly at: string
  readonly ids: Ids
}

/** The transaction of a write with these events before its last one, unless it is part of a longer write, whose last number is known. */
export const withRelated = (transaction: TransactionContext, related: readonly unknown[]): TransactionContext => ({
  ...transaction,
  lastSeq: transaction.lastSeq ?? transaction.seq + related.length,
})
