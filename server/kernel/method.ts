// How a method of the interface is declared: once, as data, beside its code. Routing, checks, the reference, the OpenAPI document,
// the typed client and the laws over all methods are made from these declarations.

import type { z } from 'zod'
import type { Call, Moment } from './clock.ts'
import type { Raw } from './json.ts'
import type { Settings } from './settings.ts'
import type { Statement } from './statement.ts'

export type Input<I> = {
  /** What may be sent, for readers and for generated documents. `read` decides what is accepted. */
  readonly wire: z.ZodObject
  /** Checks in the order of the method's error table. Settings are absent in the first look at a request, which then assumes
   * that everything is allowed; a request that is refused is looked at again with the company's settings. */
  readonly read: (raw: Raw, settings?: Settings) => I
}

/** What a user of a company may do, from the least to the most. A worker sees no money. */
export const roles = ['worker', 'manager', 'owner'] as const
export type Role = (typeof roles)[number]

export type Declared<I = unknown> = {
  /** `<section>/<method>`, below `/v1/`. */
  readonly path: string
  readonly summary: string
  /** Rules worth telling an integrator, in plain sentences. */
  readonly notes?: readonly string[]
  readonly input: Input<I>
  /** The answer beside `success`. */
  readonly output: z.ZodObject
  /** Every error text of the method's own, with `<…>` for what varies. */
  readonly refusals: readonly string[]
  /** An example that works, for the reference. */
  readonly example: { readonly request: object; readonly response: object }
  /** Screens call every method; the public door shows only what is public. */
  readonly door: 'public' | 'screens'
  /** The least role that may call it through the screens. A key calls whatever is public. */
  readonly role: Role
  /** Its answer shows a secret once: it is kept under no Idempotency-Key. */
  readonly showsSecret?: boolean
}

/** JSON text that the database built, to be passed on as it is. */
export class JsonText {
  readonly text: string

  constructor(text: string) {
    this.text = text
  }
}

/** The fields of a successful answer. */
export type Answer = Readonly<Record<string, unknown | JsonText>>

/** A list of any length: a query of JSON texts that is passed on row by row. */
export type Streamed = { readonly field: string; readonly query: string }

export type ReadMethod<I = unknown, Row = unknown> = Declared<I> & {
  readonly kind: 'read'
  readonly query: (input: I, call: Call) => Statement<Row>
  readonly answer: (rows: readonly Row[], input: I) => Answer
  /** Given for an input that asks for everything: the rows are streamed and `total` is their count. */
  readonly stream?: (input: I, call: Call) => Streamed | undefined
}

export type Written = {
  readonly statements: readonly Statement[]
  readonly event: { readonly record: string; readonly recordId: number; readonly change: object }
}

export type WriteMethod<I = unknown, Facts = unknown, Plan = unknown> = Declared<I> & {
  readonly kind: 'write'
  /** One statement, one row: all that the plan needs to know. */
  readonly facts: (input: I, call: Call) => Statement<Facts>
  /** Pure: decides everything, or refuses. */
  readonly plan: (input: I, facts: Facts, moment: Moment) => Plan
  /** `undefined` when the plan changes nothing: then nothing at all is written. */
  readonly write: (plan: Plan, moment: Moment) => Written | undefined
  readonly answer: (plan: Plan) => Answer
}

// A list of methods holds methods of many inputs; whoever runs one passes it only what its own `read` returned.
// biome-ignore lint/suspicious/noExplicitAny: the one place where a method's input type is forgotten
export type Method = ReadMethod<any, any> | WriteMethod<any, any, any>

type Shown<T> = Omit<T, 'kind' | 'door' | 'role'> & { readonly door?: 'public' | 'screens'; readonly role?: Role }

export function read<I, Row>(method: Shown<ReadMethod<I, Row>>): ReadMethod<I, Row> {
  return { door: 'public', role: 'manager', ...method, kind: 'read' }
}

export function write<I, Facts, Plan>(method: Shown<WriteMethod<I, Facts, Plan>>): WriteMethod<I, Facts, Plan> {
  return { door: 'public', role: 'manager', ...method, kind: 'write' }
}
