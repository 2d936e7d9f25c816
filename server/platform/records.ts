// Records that are added, changed and deleted one at a time (units, items, contacts …): the steps that are the same for all of them.
// A section says what its record holds and what refuses it; that an id comes first, that only what is passed changes, that nothing is
// written when nothing changed and that every change is an event stands here.

import { z } from 'zod'
import type { Counter, Moment } from '../kernel/clock.ts'
import { requiredId } from '../kernel/field.ts'
import { filterRefusals, filtersOnWire, pageOnWire, readFilters } from '../kernel/filters.ts'
import type { Raw } from '../kernel/json.ts'
import { JsonText, type ReadMethod, read, type WriteMethod, write } from '../kernel/method.ts'
import { difference, type Shown } from '../kernel/patch.ts'
import { refuse } from '../kernel/refusal.ts'
import type { Statement } from '../kernel/statement.ts'
import type { Listing } from './listing.ts'

export type Entity = {
  /** Section of the interface and field of its list: `customers`. */
  readonly section: string
  /** Field of one record and start of its id field: `customer`. */
  readonly noun: string
  /** How texts call it: `Customer`. */
  readonly entity: string
  readonly counter: Counter
}

/** `Given` is what was passed, `State` the whole record, `Facts` what the decision needs beside it. */
export type RecordRules<Given, State extends Shown, Facts extends { readonly record: State | null }> = Entity & {
  readonly addOnWire: z.ZodRawShape
  readonly editOnWire: z.ZodRawShape
  readonly readAdd: (raw: Raw) => Given
  readonly readEdit: (raw: Raw) => Given
  readonly facts: (companyId: number, id: number | null, given: Given | undefined) => Statement<Facts>
  /** The record as it shall be, or a refusal. `before` is absent when it is new. */
  readonly settle: (given: Given, before: State | undefined, facts: Facts, id: number) => State
  readonly refuseDelete?: (facts: Facts) => void
  readonly insert: (id: number, state: State, moment: Moment) => readonly Statement[]
  readonly update: (id: number, state: State, before: State, moment: Moment) => readonly Statement[]
  readonly remove: (id: number, before: State, moment: Moment) => readonly Statement[]
  /** Error texts: of the fields when adding and editing, of the data, and of deleting. */
  readonly refusals: {
    readonly add: readonly string[]
    readonly edit: readonly string[]
    readonly delete: readonly string[]
  }
  readonly notes?: {
    readonly add?: readonly string[]
    readonly edit?: readonly string[]
    readonly delete?: readonly string[]
  }
  readonly example: { readonly add: object; readonly edit: object }
}

export const idField = ({ noun }: Entity): string => `${noun}_id`
export const missing = ({ entity }: Entity): string => `${entity} not found or access denied`

const idOnWire = ({ noun }: Entity) => z.union([z.int(), z.string()]).describe(`Id of the ${noun}.`)

export function recordWrites<Given, State extends Shown, Facts extends { readonly record: State | null }>(
  rules: RecordRules<Given, State, Facts>,
): readonly [
  WriteMethod<Given, Facts, { id: number; state: State }>,
  WriteMethod<{ id: number; given: Given }, Facts, { id: number; before: State; state: State }>,
  WriteMethod<{ id: number }, Facts, { id: number; before: State }>,
] {
  const { section, noun, counter } = rules
  const field = idField(rules)
  const noSuch = missing(rules)
  const add = write({
    path: `${section}/add`,
    summary: `Create a ${noun}.`,
    ...(rules.notes?.add === undefined ? {} : { notes: rules.notes.add }),
    input: { wire: z.object(rules.addOnWire), read: rules.readAdd },
    output: z.object({ [field]: z.int().describe(`Id of the new ${noun}.`) }),
    refusals: rules.refusals.add,
    example: { request: rules.example.add, response: { success: true, [field]: 1 } },
    facts: (given, call) => rules.facts(call.companyId, null, given),
    plan: (given, facts: Facts, moment) => {
      const id = moment.ids.last(counter) + 1
      const state = rules.settle(given, undefined, facts, id)
      return { id: moment.ids.next(counter), state }
    },
    write: ({ id, state }, moment) => ({
      statements: rules.insert(id, state, moment),
      event: { record: noun, recordId: id, change: state },
    }),
    answer: ({ id }) => ({ [field]: id }),
  })
  const edit = write({
    path: `${section}/edit`,
    summary: `Change a ${noun}.`,
    notes: ['Only the fields that are passed change.', ...(rules.notes?.edit ?? [])],
    input: {
      wire: z.object({ [field]: idOnWire(rules), ...rules.editOnWire }),
      read: (raw: Raw) => ({ id: requiredId(raw, field), given: rules.readEdit(raw) }),
    },
    output: z.object({}),
    refusals: [`No ${field} in input`, noSuch, ...rules.refusals.edit],
    example: { request: { [field]: 1, ...rules.example.edit }, response: { success: true } },
    facts: ({ id, given }, call) => rules.facts(call.companyId, id, given),
    plan: ({ id, given }, facts: Facts) => {
      const before = facts.record ?? refuse(noSuch)
      return { id, before, state: rules.settle(given, before, facts, id) }
    },
    write: ({ id, before, state }, moment) => {
      const change = difference(before, state)
      if (Object.keys(change).length === 0) return undefined
      return { statements: rules.update(id, state, before, moment), event: { record: noun, recordId: id, change } }
    },
    answer: () => ({}),
  })
  const remove = write({
    path: `${section}/delete`,
    summary: `Delete a ${noun}.`,
    ...(rules.notes?.delete === undefined ? {} : { notes: rules.notes.delete }),
    input: { wire: z.object({ [field]: idOnWire(rules) }), read: (raw: Raw) => ({ id: requiredId(raw, field) }) },
    output: z.object({}),
    refusals: [`No ${field} in input`, noSuch, ...rules.refusals.delete],
    example: { request: { [field]: 1 }, response: { success: true } },
    facts: ({ id }, call) => rules.facts(call.companyId, id, undefined),
    plan: ({ id }, facts: Facts) => {
      const before = facts.record ?? refuse(noSuch)
      rules.refuseDelete?.(facts)
      return { id, before }
    },
    write: ({ id, before }, moment) => ({
      statements: rules.remove(id, before, moment),
      event: { record: noun, recordId: id, change: before },
    }),
    answer: () => ({}),
  })
  return [add, edit, remove]
}

const described = (schema: z.ZodType, meaning: string): z.ZodType =>
  schema.description === undefined ? schema.describe(meaning) : schema

/** Reading one record whose JSON text the database builds. */
export function recordEntry(
  of: Entity,
  find: (companyId: number, id: number) => Statement<{ record: string }>,
  recordOnWire: z.ZodType,
  example: object,
  notes: readonly string[] = [],
): ReadMethod<{ id: number }, { record: string }> {
  const field = idField(of)
  return read({
    path: `${of.section}/get_entry`,
    role: 'worker',
    summary: `Read one ${of.noun}.`,
    notes,
    input: { wire: z.object({ [field]: idOnWire(of) }), read: (raw: Raw) => ({ id: requiredId(raw, field) }) },
    output: z.object({ [of.noun]: described(recordOnWire, `The ${of.noun}.`) }),
    refusals: [`No ${field} in input`, missing(of)],
    example: { request: { [field]: 1 }, response: { success: true, [of.noun]: example } },
    query: ({ id }, call) => find(call.companyId, id),
    answer: ([row]) => ({ [of.noun]: new JsonText(row?.record ?? refuse(missing(of))) }),
  })
}

/** A paged list with the filters of every list, and filters of its own. */
export function recordList<Own>(
  of: Entity,
  listing: Listing,
  own: {
    readonly onWire: z.ZodRawShape
    readonly read: (raw: Raw) => Own
    readonly values: (given: Own) => readonly unknown[]
  },
  recordOnWire: z.ZodType,
  example: object,
  notes: readonly string[],
) {
  const input = {
    wire: z.object({ ...own.onWire, ...filtersOnWire, ...pageOnWire }),
    read: (raw: Raw) => ({ own: own.read(raw), ...readFilters(raw) }),
  }
  type Wanted = ReturnType<typeof input.read>
  const values = ({ own: given, filters }: Wanted, companyId: number) => [
    companyId,
    filters.search,
    filters.updatedAfter,
    filters.ids,
    ...own.values(given),
  ]
  return read({
    path: `${of.section}/get_list`,
    role: 'worker',
    summary: `List ${of.section}.`,
    notes,
    input,
    output: z.object({
      [of.section]: z.array(recordOnWire).describe('Records.'),
      total: z.int().describe('Number of records that match.'),
    }),
    refusals: filterRefusals,
    example: { request: { limit: 50 }, response: { success: true, [of.section]: [example], total: 1 } },
    query: (wanted, call) => listing.query(values(wanted, call.companyId), wanted.page),
    answer: listing.answer,
    stream: (wanted, call) => listing.stream(values(wanted, call.companyId), wanted.page),
  })
}

/** No filters beside those of every list. */
export const noFilters = { onWire: {}, read: () => undefined, values: () => [] }

/** A small list that is always returned whole, without a total. */
export function wholeList(
  of: Entity,
  find: (companyId: number) => Statement<{ rows: string }>,
  recordOnWire: z.ZodType,
  example: object,
): ReadMethod<object, { rows: string }> {
  return read({
    path: `${of.section}/get_list`,
    role: 'worker',
    summary: `List ${of.section}.`,
    notes: ['Always the whole list.'],
    input: { wire: z.object({}), read: () => ({}) },
    output: z.object({ [of.section]: z.array(recordOnWire).describe('Records.') }),
    refusals: [],
    example: { request: {}, response: { success: true, [of.section]: [example] } },
    query: (_input, call) => find(call.companyId),
    answer: ([row]) => ({ [of.section]: new JsonText(row?.rows ?? '[]') }),
  })
}

export const timesOnWire = {
  created_at: z.string().describe('When it was made, ISO 8601 in UTC.'),
  updated_at: z.string().describe('When it was last changed, ISO 8601 in UTC.'),
}

export const exampleTimes = { created_at: '2026-03-12T09:30:00.000000Z', updated_at: '2026-03-12T09:30:00.000000Z' }
