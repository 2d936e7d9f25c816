// The specification of a kind of document, from which its write methods are declared.

import type { z } from 'zod'
import type { ContactKind } from '../contacts/contact.ts'
import type { PlannedParty } from '../contacts/party.ts'
import type { TransactionContext } from '../kernel/clock.ts'
import type { Raw } from '../kernel/json.ts'
import type { RelatedEvent, Role } from '../kernel/method.ts'
import type { Statement } from '../kernel/statement.ts'
import type { Items } from '../stock/items.ts'
import type { Change, DocumentRules, Present, StockDocument } from './document.ts'
import type { NamedFacts, Names } from './facts.ts'
import type { Skipped } from './lines.ts'
import type { DocumentStore } from './store.ts'

/** The result of a decision: the document to be written, the contact that is created with it, and the lines that are left out. */
export type SettledDocument<D> = {
  readonly document: D
  readonly party?: PlannedParty | undefined
  readonly skipped?: readonly Skipped[]
}

export type DocumentSpec<Input, D extends StockDocument, Facts extends NamedFacts, Extra extends object> = {
  readonly rules: DocumentRules<D>
  readonly store: DocumentStore<Extra>
  /** The minimum role that may write one in the screens; default `manager`. */
  readonly role?: Role
  /** The minimum role for this input, where some need a higher one. */
  readonly roleFor?: (input: Input) => Role
  readonly party?: ContactKind
  /** Lines whose item is not found are left out and reported, instead of refusing the document. */
  readonly skipsLines?: boolean
  readonly addSchema: z.ZodRawShape
  readonly editSchema: z.ZodRawShape
  readonly read: (raw: Raw, isNew: boolean) => Input
  readonly names: (given: Input) => Names<Extra>
  /** The document in the facts; `undefined` when it does not exist. */
  readonly load: (facts: Facts) => Present<D> | undefined
  readonly settle: (
    given: Input,
    before: D | undefined,
    facts: Facts,
    items: Items,
    transaction: TransactionContext,
    id: number,
  ) => SettledDocument<D>
  readonly status?: {
    readonly settable: readonly number[]
    /** An optional date that is passed together with the status that has an effect. */
    readonly date?: { readonly field: string; readonly with: number }
    readonly apply: (document: D, status: number, date: string | undefined, facts: Facts, items: Items) => D
    readonly notes: readonly string[]
  }
  /** Other statements of a change: run before the document is deleted, or after it is written. */
  readonly relatedStatements?: (
    change: Change<D>,
    facts: Facts,
    transaction: TransactionContext,
  ) => readonly Statement[]
  /** The events of records that these statements change. */
  readonly relatedEvents?: (change: Change<D>) => readonly RelatedEvent[]
  readonly refusals: { readonly add: readonly string[]; readonly edit: readonly string[] }
  readonly notes?: readonly string[]
  readonly example: { readonly add: object; readonly edit: object }
}
