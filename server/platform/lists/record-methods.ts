// Methods of records that are added, changed and deleted one at a time (units, items, contacts …): the steps common to all of them.
// A section defines the fields of its record and what is refused. Here: the id is read first, only fields that are passed change, nothing
// is written when nothing changed, and every change is an event.
// Long because the writes and the reads of a record are declared side by side.

import { z } from 'zod'
import type { Counter, TransactionContext } from '../../kernel/clock.ts'
import { requiredId } from '../../kernel/field.ts'
import { filterRefusals, filtersSchema, pageSchema, readFilters } from '../../kernel/filters.ts'
import type { Raw } from '../../kernel/json.ts'
import { JsonText, type ReadMethod, type RelatedEvent, read, type WriteMethod, write } from '../../kernel/method.ts'
import { difference, type RecordState } from '../../kernel/patch.ts'
import { refuse } from '../../kernel/refusal.ts'
import type { Statement } from '../../kernel/statement.ts'
import { type CommonFilters, commonFilters, type Listing } from './record-list.ts'

export type Entity = {
  /** Section of the API and field of its list: `customers`. */
  readonly section: string
  /** Field of one record and prefix of its id field: `customer`. */
  readonly noun: string
  /** Its name in error texts: `Customer`. */
  readonly entity: string
  readonly counter: Counter
  /** Its name in descriptions, if different from the noun: `sale` for an order. */
  readonly word?: string
}

export const wordFor = ({ word, noun }: Pick<Entity, 'word' | 'noun'>): string => word ?? noun
export const wordWithArticle = (of: Pick<Entity, 'word' | 'noun'>): string =>
  `${/^[aeio]/.test(wordFor(of)) ? 'an' : 'a'} ${wordFor(of)}`

/** `Changes` are the fields that were passed, `State` is the whole record, `Facts` is what the decision needs in addition. */
export type RecordRules<
  Changes,
  State extends RecordState,
  Facts extends { readonly record: State | null },
> = Entity & {
  readonly addSchema: z.ZodRawShape
  readonly editSchema: z.ZodRawShape
  readonly readAdd: (raw: Raw) => Changes
  readonly readEdit: (raw: Raw) => Changes
  readonly facts: (companyId: number, id: number | null, given: Changes | undefined) => Statement<Facts>
  /** Returns the new state of the record, or refuses. `before` is absent when the record is new. */
  readonly settle: (given: Changes, before: State | undefined, facts: Facts, id: number) => State
  readonly refuseDelete?: (facts: Facts) => void
  /** The events of other records that the change of this one changes. */
  readonly related?: (id: number, state: State, facts: Facts) => readonly RelatedEvent[]
  readonly insert: (id: number, state: State, transaction: TransactionContext) => readonly Statement[]
  readonly update: (id: number, state: State, before: State, transaction: TransactionContext) => readonly Statement[]
  readonly remove: (id: number, before: State, transaction: TransactionContext) => readonly Statement[]
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

const idSchema = (of: Entity) => z.union([z.int(), z.string()]).describe(`Id of the ${wordFor(of)}.`)

type Planned<State> = { readonly id: number; readonly state: State; readonly related: readonly RelatedEvent[] }
type Add<Changes, State, Facts> = WriteMethod<Changes, Facts, Planned<State>>
type Edit<Changes, State, Facts> = WriteMethod<
  { id: number; given: Changes },
  Facts,
  Planned<State> & { readonly before: State }
>
type Remove<State, Facts> = WriteMethod<{ id: number }, Facts, { id: number; before: State }>

export const recordWrites = <Changes, State extends RecordState, Facts extends { readonly record: State | null }>(
  rules: RecordRules<Changes, State, Facts>,
): readonly [Add<Changes, State, Facts>, Edit<Changes, State, Facts>, Remove<State, Facts>] => [
  recordAdd(rules),
  recordEdit(rules),
  recordRemove(rules),
]

function recordAdd<Changes, State extends RecordState, Facts extends { readonly record: State | null }>(
  rules: RecordRules<Changes, State, Facts>,
): Add<Changes, State, Facts> {
  const { section, noun, counter } = rules
  const field = idField(rules)
  return write({
    path: `${section}/add`,
    summary: `Create ${wordWithArticle(rules)}.`,
    ...(rules.notes?.add === undefined ? {} : { notes: rules.notes.add }),
    input: { schema: z.object(rules.addSchema), read: rules.readAdd },
    output: z.object({ [field]: z.int().describe(`Id of the new ${wordFor(rules)}.`) }),
    refusals: rules.refusals.add,
    example: { request: rules.example.add, response: { success: true, [field]: 1 } },
    facts: (given, context) => rules.facts(context.companyId, null, given),
    plan: (given, facts: Facts, transaction) => {
      const id = transaction.ids.last(counter) + 1
      const state = rules.settle(given, undefined, facts, id)
      return { id: transaction.ids.next(counter), state, related: rules.related?.(id, state, facts) ?? [] }
    },
    write: ({ id, state, related }, transaction) => ({
      statements: rules.insert(id, state, transaction),
      event: { record: noun, recordId: id, change: state },
      related,
    }),
    response: ({ id }) => ({ [field]: id }),
  })
}

function recordEdit<Changes, State extends RecordState, Facts extends { readonly record: State | null }>(
  rules: RecordRules<Changes, State, Facts>,
): Edit<Changes, State, Facts> {
  const { section, noun } = rules
  const field = idField(rules)
  const noSuch = missing(rules)
  return write({
    path: `${section}/edit`,
    summary: `Change ${wordWithArticle(rules)}.`,
    notes: ['Only the fields that are passed change.', ...(rules.notes?.edit ?? [])],
    input: {
      schema: z.object({ [field]: idSchema(rules), ...rules.editSchema }),
      read: (raw: Raw) => ({ id: requiredId(raw, field), given: rules.readEdit(raw) }),
    },
    output: z.object({}),
    refusals: [`No ${field} in input`, noSuch, ...rules.refusals.edit],
    example: { request: { [field]: 1, ...rules.example.edit }, response: { success: true } },
    facts: ({ id, given }, context) => rules.facts(context.companyId, id, given),
    plan: ({ id, given }, facts: Facts) => {
      const before = facts.record ?? refuse(noSuch, { code: 'record_not_found' })
      const state = rules.settle(given, before, facts, id)
      return { id, before, state, related: rules.related?.(id, state, facts) ?? [] }
    },
    write: ({ id, before, state, related }, transaction) => {
      const change = difference(before, state)
      if (Object.keys(change).length === 0) return undefined
      const statements = rules.update(id, state, before, transaction)
      return { statements, event: { record: noun, recordId: id, change }, related }
    },
    response: () => ({}),
  })
}

function recordRemove<Changes, State extends RecordState, Facts extends { readonly record: State | null }>(
  rules: RecordRules<Changes, State, Facts>,
): Remove<State, Facts> {
  const { section, noun } = rules
  const field = idField(rules)
  const noSuch = missing(rules)
  return write({
    path: `${section}/delete`,
    isAllowedWhenFull: true,
    summary: `Delete ${wordWithArticle(rules)}.`,
    ...(rules.notes?.delete === undefined ? {} : { notes: rules.notes.delete }),
    input: { schema: z.object({ [field]: idSchema(rules) }), read: (raw: Raw) => ({ id: requiredId(raw, field) }) },
    output: z.object({}),
    refusals: [`No ${field} in input`, noSuch, ...rules.refusals.delete],
    example: { request: { [field]: 1 }, response: { success: true } },
    facts: ({ id }, context) => rules.facts(context.companyId, id, undefined),
    plan: ({ id }, facts: Facts) => {
      const before = facts.record ?? refuse(noSuch, { code: 'record_not_found' })
      rules.refuseDelete?.(facts)
      return { id, before }
    },
    write: ({ id, before }, transaction) => ({
      statements: rules.remove(id, before, transaction),
      event: { record: noun, recordId: id, change: before },
    }),
    response: () => ({}),
  })
}

const described = (schema: z.ZodType, meaning: string): z.ZodType =>
  schema.description === undefined ? schema.describe(meaning) : schema

/** The method that reads one record, whose JSON text the database builds. */
export function recordEntry(
  of: Entity,
  find: (values: { readonly company_id: number; readonly id: number }) => Statement<{ record: string }>,
  recordSchema: z.ZodType,
  example: object,
  notes: readonly string[] = [],
): ReadMethod<{ id: number }, { record: string }> {
  const field = idField(of)
  return read({
    path: `${of.section}/get_entry`,
    role: 'worker',
    summary: `Read one ${wordFor(of)}.`,
    notes,
    input: { schema: z.object({ [field]: idSchema(of) }), read: (raw: Raw) => ({ id: requiredId(raw, field) }) },
    output: z.object({ [of.noun]: described(recordSchema, `The ${wordFor(of)}.`) }),
    refusals: [`No ${field} in input`, missing(of)],
    example: { request: { [field]: 1 }, response: { success: true, [of.noun]: example } },
    query: ({ id }, context) => find({ company_id: context.companyId, id }),
    response: ([row]) => ({
      [of.noun]: new JsonText(row?.record ?? refuse(missing(of), { code: 'record_not_found' })),
    }),
  })
}

/** A paged list with the common filters and its own filters, which are keyed by parameter name. */
export function recordList<Own extends object>(
  of: Entity,
  listing: Listing<CommonFilters & Own>,
  own: { readonly schema: z.ZodRawShape; readonly read: (raw: Raw) => Own },
  recordSchema: z.ZodType,
  example: object,
  notes: readonly string[],
) {
  const input = {
    schema: z.object({ ...own.schema, ...filtersSchema, ...pageSchema }),
    read: (raw: Raw) => ({ own: own.read(raw), ...readFilters(raw) }),
  }
  type Wanted = ReturnType<typeof input.read>
  const values = ({ own: given, filters }: Wanted, companyId: number) => ({
    ...commonFilters(companyId, filters),
    ...given,
  })
  return read({
    path: `${of.section}/get_list`,
    role: 'worker',
    summary: `List ${of.section}.`,
    notes,
    input,
    output: z.object({
      [of.section]: z.array(recordSchema).describe('Records.'),
      total: z.int().describe('Number of records that match.'),
    }),
    refusals: filterRefusals,
    example: { request: { limit: 50 }, response: { success: true, [of.section]: [example], total: 1 } },
    query: (wanted, context) => listing.query(values(wanted, context.companyId), wanted.page),
    response: listing.response,
    stream: (wanted, context) => listing.stream(values(wanted, context.companyId), wanted.page),
  })
}

/** Only the common filters. */
export const noFilters = { schema: {}, read: () => ({}) }

/** A small list that is always returned whole, without a total. */
export function wholeList(
  of: Entity,
  find: (companyId: number) => Statement<{ rows: string }>,
  recordSchema: z.ZodType,
  example: object,
): ReadMethod<object, { rows: string }> {
  return read({
    path: `${of.section}/get_list`,
    role: 'worker',
    summary: `List ${of.section}.`,
    notes: ['Always the whole list.'],
    input: { schema: z.object({}), read: () => ({}) },
    output: z.object({ [of.section]: z.array(recordSchema).describe('Records.') }),
    refusals: [],
    example: { request: {}, response: { success: true, [of.section]: [example] } },
    query: (_input, context) => find(context.companyId),
    response: ([row]) => ({ [of.section]: new JsonText(row?.rows ?? '[]') }),
  })
}
