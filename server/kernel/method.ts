// How a method of the API is declared: once, as data, next to its code. Routing, checks, the reference, the OpenAPI document,
// the typed client and the contract tests of all methods are generated from these declarations.

import type { z } from 'zod'
import type { RequestContext, TransactionContext } from './clock.ts'
import type { Raw } from './json.ts'
import type { Settings } from './settings.ts'
import type { Statement } from './statement.ts'

export type Input<I> = {
  /** The documented fields, for readers and generated documents. `read` decides what is accepted. */
  readonly schema: z.ZodObject
  /** Checks in the order of the method's error table. Settings are absent in the first pass, which then assumes
   * that everything is allowed; a request that is refused is checked again with the company's settings. */
  readonly read: (raw: Raw, settings?: Settings) => I
}

/** What a user of a company may do, from the least to the most. A worker sees no money. */
export const roles = ['worker', 'manager', 'owner'] as const
export type Role = (typeof roles)[number]

export type Declared<I = unknown> = {
  /** `<section>/<method>`, below `/v1/`. */
  readonly path: string
  readonly summary: string
  /** Rules that an integrator should know, in plain sentences. */
  readonly notes?: readonly string[]
  readonly input: Input<I>
  /** The fields of the response in addition to `success`. */
  readonly output: z.ZodObject
  /** Every error text specific to the method with status 400, with `<…>` for the variable parts. */
  readonly refusals: readonly string[]
  /** Those with status 409. */
  readonly conflicts?: readonly string[]
  /** An example that works, for the reference. */
  readonly example: { readonly request: object; readonly response: object }
  /** The screens can call every method; the public API contains only the public ones. */
  readonly api: 'public' | 'app'
  /** The lowest role that may call it through the screens. An API key may call every public method that the scope of its connection allows. */
  readonly role: Role
  /** Every API key may call it, whatever sections its connection is limited to. */
  readonly isForEveryKey?: boolean
  /** The response contains a secret that is shown once, so it is not stored under an Idempotency-Key. */
  readonly showsSecret?: boolean
  /** Users who must set up a second factor before anything else may call it. */
  readonly isForSettingUp?: boolean
  /** Refused in a test company: always, or for some inputs. */
  readonly isForRealCompanies?: true | ((input: I) => boolean)
  /**
   * Through the screens, the user must have proved a short time ago who they are: always, for some inputs, or, where the method asks for the password itself,
   * only if the user has a second factor.
   */
  readonly needsFreshSignIn?: true | 'with second factor' | ((input: I) => boolean)
}

/** In the schema of a field that shows other records: their types, as in events. */
export const shownOfKey = 'x-shown-of'

/** In the schema of a record: its name in the OpenAPI document. Not the `id` of zod, so that the screens keep the names that follow from their methods. */
export const recordNameKey = 'x-record-name'

/** Names the schema of a record. */
export const named = <T extends z.ZodType>(name: string, schema: T): T =>
  schema.meta({ ...schema.meta(), [recordNameKey]: name }) as T

/** JSON text built by the database, passed on unchanged. */
export class JsonText {
  readonly text: string

  constructor(text: string) {
    this.text = text
  }
}

/** The fields of a successful response. */
export type ResponseFields = Readonly<Record<string, unknown | JsonText>>

/** A list of any length: a query that returns JSON texts, sent row by row. */
export type Streamed = {
  readonly field: string
  readonly query: string
  /** The fields after the rows. Without them `total` is the number of rows. */
  readonly rest?: ResponseFields
}

/** Thrown by `response` for a page that is too large for one text. Its rows are streamed instead, and `rest` follows them. */
export class LargePage extends Error {
  readonly rest: ResponseFields

  constructor(rest: ResponseFields) {
    super('the page is too large for one text')
    this.rest = rest
  }
}

export type ReadMethod<I = unknown, Row = unknown> = Declared<I> & {
  readonly kind: 'read'
  /** The lowest role for this input, where some inputs require more than `role`. */
  readonly roleFor?: (input: I) => Role
  readonly query: (input: I, context: RequestContext) => Statement<Row>
  readonly response: (rows: readonly Row[], input: I) => ResponseFields
  /** Returned for an input that requests the whole list: the rows are streamed and `total` is their count. */
  readonly stream?: (input: I, context: RequestContext) => Streamed | undefined
  /** The rows of a page, for one whose `response` throws `LargePage`. */
  readonly pageRows?: (input: I, context: RequestContext) => Omit<Streamed, 'rest'>
}

export type EventAction = 'created' | 'updated' | 'deleted'

/** A record that a write created, changed or deleted. */
export type RecordEvent = {
  readonly record: string
  readonly recordId: number
  /** The fields of a record that was created or deleted; each changed field of another as [before, after]. */
  readonly change: object
  /** Absent when the method's name says it: `add` creates its record, `delete` deletes it, every other method changes it. */
  readonly action?: EventAction
}

/** The event of a record other than the one that the method is about. */
export type RelatedEvent = RecordEvent & { readonly action: EventAction }

export type Written = {
  readonly statements: readonly Statement[]
  /** The event of the record that the method is about. */
  readonly event: RecordEvent
  /** Numbered before `event`. */
  readonly related?: readonly RelatedEvent[]
}

export type WriteMethod<I = unknown, Facts = unknown, Plan = unknown> = Declared<I> & {
  readonly kind: 'write'
  /** The lowest role for this input, where some inputs require more than `role`. */
  readonly roleFor?: (input: I) => Role
  /** When the company has reached its storage limit: deleting always runs, settings and access run until a reserve is used up as well. */
  readonly whenFull?: 'always' | 'in reserve'
  /** It leaves work that is done in the background. */
  readonly startsWork?: boolean
  /** For an input that names its record by an external id: finds the record, whose id then becomes `id` of the input. No row: there is none. */
  readonly find?: (input: I, context: RequestContext) => Statement<{ readonly id: number }> | undefined
  /** One statement that returns one row with everything the plan needs. */
  readonly facts: (input: I, context: RequestContext) => Statement<Facts>
  /** A second statement, for inputs that need more facts than others. Its columns are added to those of the first. */
  readonly moreFacts?: (input: I, context: RequestContext) => Statement<object> | undefined
  /** Pure: decides everything, or refuses. */
  readonly plan: (input: I, facts: Facts, transaction: TransactionContext) => Plan
  /** `undefined` when the plan changes nothing; then nothing is written. */
  readonly write: (plan: Plan, transaction: TransactionContext) => Written | undefined
  readonly response: (plan: Plan) => ResponseFields
}

// A list contains methods with different inputs; the caller of a method passes it only what its own `read` returned.
// biome-ignore lint/suspicious/noExplicitAny: the one place where a method's input type is erased
export type Method = ReadMethod<any, any> | WriteMethod<any, any, any>

type WithDefaults<T> = Omit<T, 'kind' | 'api' | 'role'> & { readonly api?: 'public' | 'app'; readonly role?: Role }

export function read<I, Row>(method: WithDefaults<ReadMethod<I, Row>>): ReadMethod<I, Row> {
  return { api: 'public', role: 'manager', ...method, kind: 'read' }
}

export function write<I, Facts, Plan>(method: WithDefaults<WriteMethod<I, Facts, Plan>>): WriteMethod<I, Facts, Plan> {
  return { api: 'public', role: 'manager', ...method, kind: 'write' }
}
