// What sections whose documents skip lines offer to the methods that assign, dismiss and restore skipped lines, which change many documents at once.

import type { RequestContext, TransactionContext } from '../kernel/clock.ts'
import type { RelatedEvent } from '../kernel/method.ts'
import type { CompanyFacts } from '../kernel/settings.ts'
import type { Statement } from '../kernel/statement.ts'
import type { Items } from '../stock/items.ts'
import type { Cost } from '../stock/posting.ts'
import type { DocumentLine } from './lines.ts'
import type { SkippedLine } from './skipped-lines.ts'

/** The part of a document that changes with its skipped lines. */
export type SkippingParts = {
  readonly lines: readonly DocumentLine[]
  readonly skipped: readonly SkippedLine[]
  readonly notes: string
}

/** What a step does to a document. */
export type SkippingChange = (document: SkippingParts, items: Items, company: CompanyFacts) => SkippingParts

/** The planned change of one document. */
export type SkippingPlan = {
  /** Of the document, which is the last one, and of records that change with it; none when nothing changes. */
  readonly events: readonly RelatedEvent[]
  /** The costs of items after the change. */
  readonly costs: ReadonlyMap<number, Cost>
  readonly write: (transaction: TransactionContext) => readonly Statement[]
}

/** One write changes several documents: what those before have changed is not in the facts. */
export type EarlierChanges = {
  readonly costs: ReadonlyMap<number, Cost>
  readonly transaction: TransactionContext
}

export type SkippingSection<Facts> = {
  /** The type of the record in events. */
  readonly record: 'sale' | 'purchase'
  /** The table of its documents, the table of their skipped lines, and its column with the id of the document. */
  readonly table: string
  readonly skippedTable: string
  readonly key: string
  /** A list of codes for SQL: the statuses of documents that do not change any more. */
  readonly closed: string
  /** The table of its customers or suppliers, and the column with the id of one. */
  readonly parties: { readonly table: string; readonly key: string }
  /** SQL: the number of rows besides its lines that change with the document `f`. */
  readonly otherRows?: string
  /** Refuses lines of materials where the settings of the company do not allow them. */
  readonly refuseMaterials?: (count: number, company: CompanyFacts) => void
  /** A subselect: the facts of each document whose id `chosen` selects. */
  readonly facts: (chosen: string) => string
  readonly values: (context: RequestContext, itemIds: readonly number[]) => object
  readonly idOf: (facts: Facts) => number | undefined
  readonly plan: (facts: Facts, change: SkippingChange, earlier: EarlierChanges) => SkippingPlan
}
