// The writing methods of a kind of document, from what is its own: which fields it has, what becomes of it, what it does to stock.
// (Sales declare theirs one by one: their texts and their order are given to the letter.)

import { z } from 'zod'
import type { ContactKind } from '../contacts/contact.ts'
import { insertParty, type PlannedParty } from '../contacts/party.ts'
import type { Moment } from '../kernel/clock.ts'
import { code, date, required, requiredId } from '../kernel/field.ts'
import type { Raw } from '../kernel/json.ts'
import { type Method, type Role, type WriteMethod, type Written, write } from '../kernel/method.ts'
import { refuse } from '../kernel/refusal.ts'
import type { Statement } from '../kernel/statement.ts'
import { idField, missing } from '../platform/records.ts'
import { Items } from '../stock/items.ts'
import { type Change, type Document, type DocumentRules, type Present, planChange } from './document.ts'
import { dateRefusal, idOnWire } from './fields.ts'
import type { DocumentFacts, declareStore, NamedFacts, Names } from './store.ts'

/** What a decision gives: the document as it shall be, and the party that is made with it. */
export type Settled<D> = { readonly document: D; readonly party?: PlannedParty | undefined }

export type DocumentSpec<Given, D extends Document, Facts extends NamedFacts> = {
  readonly rules: DocumentRules<D>
  readonly store: ReturnType<typeof declareStore>
  /** The least role that may write one in the screens: `manager` unless said. */
  readonly role?: Role
  readonly party?: ContactKind
  readonly addOnWire: z.ZodRawShape
  readonly editOnWire: z.ZodRawShape
  readonly read: (raw: Raw, isNew: boolean) => Given
  readonly names: (given: Given) => Names
  /** The document that the facts hold; `undefined` when it is not there. */
  readonly load: (facts: Facts) => Present<D> | undefined
  readonly settle: (
    given: Given,
    before: D | undefined,
    facts: Facts,
    items: Items,
    moment: Moment,
    id: number,
  ) => Settled<D>
  readonly status?: {
    readonly settable: readonly number[]
    /** A day that may come with the status that has an effect. */
    readonly date?: { readonly field: string; readonly with: number }
    readonly apply: (document: D, status: number, date: string | undefined, facts: Facts, items: Items) => D
    readonly notes: readonly string[]
  }
  /** What else a change writes: before the document goes, or after it came. */
  readonly beside?: (change: Change<D>, facts: Facts, moment: Moment) => readonly Statement[]
  readonly refusals: { readonly add: readonly string[]; readonly edit: readonly string[] }
  readonly notes?: readonly string[]
  readonly example: { readonly add: object; readonly edit: object }
}

type Planned<D, Facts> = { readonly change: Change<D>; readonly party: PlannedParty | undefined; readonly facts: Facts }

export function documentWrites<
  Given,
  D extends Document,
  Facts extends NamedFacts & Partial<DocumentFacts<object, object>>,
>(spec: DocumentSpec<Given, D, Facts>): readonly Method[] {
  const { rules, store, role = 'manager' } = spec
  const { kind } = rules
  const field = idField(kind)
  const onWire = { [field]: idOnWire.describe(`Id of the ${kind.noun}.`) }
  const present = (facts: Facts): Present<D> => spec.load(facts) ?? refuse(missing(kind))
  const factsOf = (call: Parameters<typeof store.facts>[0], id: number, names: Names) =>
    store.facts(call, id, names) as Statement as Statement<Facts>

  const written = ({ change, party, facts }: Planned<D, Facts>, moment: Moment): Written | undefined => {
    if (Object.keys(change.told).length === 0) return undefined
    const beside = spec.beside?.(change, facts, moment) ?? []
    const own = store.write(rules, change, moment, facts.longest_run ?? null)
    const made = spec.party === undefined ? [] : insertParty(spec.party, party, moment)
    const statements = change.after === undefined ? [...beside, ...own] : [...made, ...own, ...beside]
    return { statements, event: { record: kind.noun, recordId: change.id, change: change.told } }
  }

  const add: WriteMethod<Given, Facts, Planned<D, Facts>> = write({
    path: `${kind.section}/add`,
    role,
    summary: `Create a ${kind.noun}.`,
    ...(spec.notes === undefined ? {} : { notes: spec.notes }),
    input: { wire: z.object(spec.addOnWire), read: (raw) => spec.read(raw, true) },
    output: z.object({ [field]: z.int().describe(`Id of the new ${kind.noun}.`) }),
    refusals: spec.refusals.add,
    example: { request: spec.example.add, response: { success: true, [field]: 1 } },
    facts: (given, call) => store.factsOfNew(call, spec.names(given)) as Statement as Statement<Facts>,
    plan: (given, facts, moment) => {
      const items = new Items(facts)
      const id = moment.ids.last(kind.counter) + 1
      const { document, party } = spec.settle(given, undefined, facts, items, moment, id)
      moment.ids.next(kind.counter)
      return { change: planChange(rules, undefined, document, items.costs, moment), party, facts }
    },
    write: written,
    answer: ({ change }) => ({ [field]: change.id }),
  })

  const edit: WriteMethod<{ id: number; given: Given }, Facts, Planned<D, Facts>> = write({
    path: `${kind.section}/edit`,
    role,
    summary: `Change a ${kind.noun}.`,
    notes: ['Only the fields that are passed change; lines are replaced as a whole. The effect on stock moves along.'],
    input: {
      wire: z.object({ ...onWire, ...spec.editOnWire }),
      read: (raw) => ({ id: requiredId(raw, field), given: spec.read(raw, false) }),
    },
    output: z.object({}),
    refusals: [`No ${field} in input`, missing(kind), ...spec.refusals.edit],
    example: { request: { [field]: 1, ...spec.example.edit }, response: { success: true } },
    facts: ({ id, given }, call) => factsOf(call, id, { ...spec.names(given), moves: true }),
    plan: ({ id, given }, facts, moment) => {
      const before = present(facts)
      const items = new Items(facts)
      const { document, party } = spec.settle(given, before.document, facts, items, moment, id)
      return { change: planChange(rules, before, document, items.costs, moment), party, facts }
    },
    write: written,
    answer: () => ({}),
  })

  const remove: WriteMethod<{ id: number }, Facts, Planned<D, Facts>> = write({
    path: `${kind.section}/delete`,
    role,
    summary: `Delete a ${kind.noun}.`,
    notes: ['This cannot be undone. Its effect on stock is undone exactly.'],
    input: { wire: z.object(onWire), read: (raw) => ({ id: requiredId(raw, field) }) },
    output: z.object({}),
    refusals: [`No ${field} in input`, missing(kind)],
    example: { request: { [field]: 1 }, response: { success: true } },
    facts: ({ id }, call) => factsOf(call, id, {}),
    plan: (_input, facts, moment): Planned<D, Facts> => {
      const change = planChange(rules, present(facts), undefined, new Items(facts).costs, moment)
      return { change, party: undefined, facts }
    },
    write: written,
    answer: () => ({}),
  })
  return [
    add,
    edit,
    remove,
    ...(spec.status === undefined ? [] : [statusMethod(spec, spec.status, factsOf, present, written)]),
  ]
}

function statusMethod<Given, D extends Document, Facts extends NamedFacts>(
  { rules }: DocumentSpec<Given, D, Facts>,
  status: NonNullable<DocumentSpec<Given, D, Facts>['status']>,
  factsOf: (call: Moment['call'], id: number, names: Names) => Statement<Facts>,
  present: (facts: Facts) => Present<D>,
  written: (plan: Planned<D, Facts>, moment: Moment) => Written | undefined,
): Method {
  const { kind } = rules
  const field = idField(kind)
  const invalid = `Invalid status value. Must be one of: ${status.settable.join(', ')}`
  const dated = status.date
  return write({
    path: `${kind.section}/update_status`,
    role: 'worker',
    summary: `Change the status of a ${kind.noun}.`,
    notes: ['Going back from a status with an effect undoes the effect exactly.', ...status.notes],
    input: {
      wire: z.object({
        [field]: idOnWire.describe(`Id of the ${kind.noun}.`),
        status: z.int().describe(`One of ${status.settable.join(', ')}.`),
        ...(dated === undefined
          ? {}
          : {
              [dated.field]: z
                .string()
                .optional()
                .describe(`Day of the effect, \`YYYY-MM-DD\`; used with status ${dated.with} only.`),
            }),
      }),
      read: (raw) => {
        const id = requiredId(raw, field)
        const wanted = code(required(raw, 'status'), status.settable, invalid)
        const day = dated !== undefined && dated.with === wanted ? date(raw, dated.field) : undefined
        return { id, wanted, day }
      },
    },
    output: z.object({}),
    refusals: [
      `No ${field} in input`,
      'No status in input',
      invalid,
      ...(dated === undefined ? [] : [dateRefusal]),
      missing(kind),
    ],
    example: { request: { [field]: 1, status: 3 }, response: { success: true } },
    facts: ({ id }, call) => factsOf(call, id, {}),
    plan: ({ wanted, day }, facts: Facts, moment): Planned<D, Facts> => {
      const before = present(facts)
      const items = new Items(facts)
      const after = status.apply(before.document, wanted, day, facts, items)
      return { change: planChange(rules, before, after, items.costs, moment), party: undefined, facts }
    },
    write: written,
    answer: () => ({}),
  })
}

/** A status given on add: one of the settable ones, else the default. */
export function statusOf(raw: Raw, settable: readonly number[]): number | undefined {
  const value = Object.hasOwn(raw, 'status') ? raw['status'] : undefined
  if (value === undefined || value === null) return undefined
  return code(value, settable, `Invalid status value. Must be one of: ${settable.join(', ')}`)
}

/** The day an effect is dated to: given with the call, else the document's own, else the day it already has, else today. */
export const effectiveDay = (
  given: string | undefined,
  own: string | null,
  present: string | null,
  today: string,
): string => given ?? own ?? present ?? today
