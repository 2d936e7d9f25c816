// What the kinds of imports have in common for those who run them: the facts about rows, and what becomes of each.

import type { RequestContext, TransactionContext } from '../../kernel/clock.ts'
import type { RelatedEvent } from '../../kernel/method.ts'
import type { RefusalDetail } from '../../kernel/refusal.ts'
import type { Statement } from '../../kernel/statement.ts'
import type { MissingName, NamesFacts } from './names.ts'
import type { ImportRow } from './row.ts'

export type RowRefusal = { readonly error: string } & RefusalDetail & {
    /** All units, categories and suppliers of the row that do not exist. */
    readonly missing?: readonly MissingName[]
  }

export type Outcome =
  | {
      readonly state: 'create' | 'change'
      readonly record: string
      readonly recordId: number
      /** Of a change: each field as [before, after]. */
      readonly changes?: object
      /** The place of its event among those of the plan. */
      readonly event: number
    }
  | { readonly state: 'unchanged' }
  | { readonly state: 'refused'; readonly refusal: RowRefusal }

export type PlannedRows = {
  /** One for each row. */
  readonly outcomes: readonly Outcome[]
  readonly write: (transaction: TransactionContext) => {
    readonly statements: readonly Statement[]
    readonly events: readonly RelatedEvent[]
  }
}

/** Where and when stock is counted. */
export type CountOptions = { readonly storageId: number | null; readonly countedOn: string | null }

export type ImportSection = {
  readonly facts: (rows: readonly ImportRow[], options: CountOptions, context: RequestContext) => Statement<object>
  readonly plan: (
    rows: readonly ImportRow[],
    options: CountOptions,
    facts: object & NamesFacts,
    transaction: TransactionContext,
  ) => PlannedRows
}
