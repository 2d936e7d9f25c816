// Methods of records that are added, changed and deleted one at a time (units, items, contacts …): the steps common to all of them.
// A section defines the fields of its record and what is refused. Here: the id is read first, only fields that are passed change, nothing
// is written when nothing changed, and every change is an event.
// Long because the writes and the reads of a record are declared side by side.

import { z } from 'zod'
import type { Counter, RequestContext, TransactionContext } from '../../kernel/clock.ts'
import { capitalized } from '../../kernel/field.ts'
import { pageSchema } from '../../kernel/filters.ts'
import type { Raw } from '../../kernel/json.ts'
import { JsonText, named, type RelatedEvent, read, type WriteMethod, type Written, write } from '../../kernel/method.ts'
import { page, pageRefusals } from '../../kernel/page.ts'
import { difference, type RecordState } from '../../kernel/patch.ts'
import { refuse } from '../../kernel/refusal.ts'
import { type Statement, statement } from '../../kernel/statement.ts'
import { array } from '../postgres/json-sql.ts'
import {
  connectionOf,
  deleteExternalIds,
  type ExternalIdChange,
  externalIdEvent,
  externalIdRefusal,
  externalIdRefusals,
  externalIdSchema,
  hasExternalIds,
  type IdentityFacts,
  identityFacts,
  planExternalId,
  readExternalId,
  writeExternalId,
} from './external-ids.ts'
import {
  jsonWithParts,
  listInput,
  matchesIndexed,
  meaningsOf,
  metaPart,
  type Parts,
  schemaWithParts,
} from './list-filters.ts'
import { exampleOf, type Fields } from './record-fields.ts'
import {
  editedKeySchema,
  findByExternalId,
  type RecordKey,
  readNewExternalId,
  readRecordKey,
  recordKeyRefusals,
  recordKeySchema,
} from './record-key.ts'
import type { CommonFilters, Listing } from './record-list.ts'

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
  readonly facts: (context: RequestContext, id: number | null, given: Changes | undefined) => Statement<Facts>
  /**
   * Returns the new state of the record, or refuses. `before` is absent when the record is new. `externalId` is the external id that the request
   * sends; `undefined` when it sends none.
   */
  readonly settle: (
    given: Changes,
    before: State | undefined,
    facts: Facts,
    id: number,
    externalId: string | undefined,
  ) => State
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

export const idSchema = (of: Entity) => z.union([z.int(), z.string()]).describe(`Id of the ${wordFor(of)}.`)

/** A record to be written. */
export type Planned<State> = {
  readonly id: number
  readonly state: State
  readonly related: readonly RelatedEvent[]
  readonly externalId: ExternalIdChange | undefined
}
export type PlannedEdit<State> = Planned<State> & { readonly before: State }
/** The fields that a request passed, and the external id. */
export type Given<Changes> = { readonly given: Changes; readonly externalId: string | undefined }
type Add<Changes, State, Facts> = WriteMethod<Given<Changes>, Facts, Planned<State>>
type Edit<Changes, State, Facts> = WriteMethod<RecordKey & Given<Changes>, Facts, PlannedEdit<State>>
type Remove<State, Facts> = WriteMethod<RecordKey, Facts, { id: number; before: State }>

export const recordWrites = <Changes, State extends RecordState, Facts extends { readonly record: State | null }>(
  rules: RecordRules<Changes, State, Facts>,
): readonly [Add<Changes, State, Facts>, Edit<Changes, State, Facts>, Remove<State, Facts>] => [
  recordAdd(rules),
  recordEdit(rules),
  recordRemove(rules),
]

/** Records without external ids neither declare nor read them. */
export const externalInput = ({ noun }: Entity) =>
  hasExternalIds(noun)
    ? {
        schema: externalIdSchema,
        read: readExternalId,
        refusals: externalIdRefusals,
        conflicts: [externalIdRefusal(noun)],
      }
    : { schema: {}, read: () => undefined, refusals: [], conflicts: [] }

export function planRecordAdd<Changes, State extends RecordState, Facts extends { readonly record: State | null }>(
  rules: RecordRules<Changes, State, Facts>,
  { given, externalId }: Given<Changes>,
  facts: Facts & IdentityFacts,
  transaction: TransactionContext,
): Planned<State> {
  const id = transaction.ids.last(rules.counter) + 1
  const state = rules.settle(given, undefined, facts, id, externalId)
  const change = planExternalId(rules.noun, externalId, facts, id)
  const related = rules.related?.(id, state, facts) ?? []
  return { id: transaction.ids.next(rules.counter), state, related, externalId: change }
}

export const writtenAdd = <Changes, State extends RecordState, Facts extends { readonly record: State | null }>(
  rules: RecordRules<Changes, State, Facts>,
  { id, state, related, externalId }: Planned<State>,
  transaction: TransactionContext,
): Written => ({
  statements: [...rules.insert(id, state, transaction), ...writeExternalId(rules.noun, id, externalId, transaction)],
  event: { record: rules.noun, recordId: id, change: { ...state, ...externalIdEvent(externalId, true) } },
  related,
})

function recordAdd<Changes, State extends RecordState, Facts extends { readonly record: State | null }>(
  rules: RecordRules<Changes, State, Facts>,
): Add<Changes, State, Facts> {
  const { section, noun } = rules
  const field = idField(rules)
  const own = externalInput(rules)
  return write({
    path: `${section}/add`,
    summary: `Create ${wordWithArticle(rules)}.`,
    ...(rules.notes?.add === undefined ? {} : { notes: rules.notes.add }),
    input: {
      schema: z.object({ ...rules.addSchema, ...own.schema }),
      read: (raw: Raw) => ({ given: rules.readAdd(raw), externalId: own.read(raw) }),
    },
    output: z.object({ [field]: z.int().describe(`Id of the new ${wordFor(rules)}.`) }),
    refusals: [...rules.refusals.add, ...own.refusals],
    conflicts: own.conflicts,
    example: { request: rules.example.add, response: { success: true, [field]: 1 } },
    facts: ({ given }, context) => rules.facts(context, null, given),
    moreFacts: ({ externalId }, context) => identityFacts(context, noun, null, { externalId }),
    plan: (input, facts: Facts, transaction) => planRecordAdd(rules, input, facts, transaction),
    write: (plan, transaction) => writtenAdd(rules, plan, transaction),
    response: ({ id }) => ({ [field]: id }),
  })
}

export function planRecordEdit<Changes, State extends RecordState, Facts extends { readonly record: State | null }>(
  rules: RecordRules<Changes, State, Facts>,
  { id, given, externalId }: { readonly id: number } & Given<Changes>,
  facts: Facts & IdentityFacts,
): PlannedEdit<State> {
  const before = facts.record ?? refuse(missing(rules), { code: 'record_not_found' })
  const state = rules.settle(given, before, facts, id, externalId)
  const change = planExternalId(rules.noun, externalId, facts, id)
  return { id, before, state, related: rules.related?.(id, state, facts) ?? [], externalId: change }
}

/** `undefined` when nothing changed. */
export function writtenEdit<Changes, State extends RecordState, Facts extends { readonly record: State | null }>(
  rules: RecordRules<Changes, State, Facts>,
  { id, before, state, related, externalId }: PlannedEdit<State>,
  transaction: TransactionContext,
): Written | undefined {
  const change = { ...difference(before, state), ...externalIdEvent(externalId, false) }
  if (Object.keys(change).length === 0) return undefined
  const statements = [
    ...rules.update(id, state, before, transaction),
    ...writeExternalId(rules.noun, id, externalId, transaction),
  ]
  return { statements, event: { record: rules.noun, recordId: id, change }, related }
}

function recordEdit<Changes, State extends RecordState, Facts extends { readonly record: State | null }>(
  rules: RecordRules<Changes, State, Facts>,
): Edit<Changes, State, Facts> {
  const { section, noun } = rules
  const field = idField(rules)
  const own = externalInput(rules)
  return write({
    path: `${section}/edit`,
    summary: `Change ${wordWithArticle(rules)}.`,
    notes: ['Only the fields that are passed change.', ...(rules.notes?.edit ?? [])],
    input: {
      schema: z.object({ ...editedKeySchema(field, idSchema(rules), noun), ...rules.editSchema }),
      read: (raw: Raw) => {
        const key = readRecordKey(raw, field, noun)
        return { ...key, given: rules.readEdit(raw), externalId: readNewExternalId(raw, key, noun) }
      },
    },
    output: z.object({}),
    refusals: [`No ${field} in input`, missing(rules), ...rules.refusals.edit, ...own.refusals],
    conflicts: own.conflicts,
    example: { request: { [field]: 1, ...rules.example.edit }, response: { success: true } },
    find: findByExternalId(noun),
    facts: ({ id, given }, context) => rules.facts(context, id, given),
    moreFacts: ({ id, externalId }, context) => identityFacts(context, noun, id, { externalId }),
    plan: (input, facts: Facts) => planRecordEdit(rules, input, facts),
    write: (plan, transaction) => writtenEdit(rules, plan, transaction),
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
    whenFull: 'always',
    summary: `Delete ${wordWithArticle(rules)}.`,
    ...(rules.notes?.delete === undefined ? {} : { notes: rules.notes.delete }),
    input: {
      schema: z.object(recordKeySchema(field, idSchema(rules), noun)),
      read: (raw: Raw) => readRecordKey(raw, field, noun),
    },
    output: z.object({}),
    refusals: [`No ${field} in input`, noSuch, ...rules.refusals.delete, ...recordKeyRefusals(noun)],
    example: { request: { [field]: 1 }, response: { success: true } },
    find: findByExternalId(noun),
    facts: ({ id }, context) => rules.facts(context, id, undefined),
    plan: ({ id }, facts: Facts) => {
      const before = facts.record ?? refuse(noSuch, { code: 'record_not_found' })
      rules.refuseDelete?.(facts)
      return { id, before }
    },
    write: ({ id, before }, transaction) => ({
      statements: [...rules.remove(id, before, transaction), ...deleteExternalIds(noun, id, transaction)],
      event: { record: noun, recordId: id, change: before },
    }),
    response: () => ({}),
  })
}

/** How the records of a list are shown. */
export type ListedRecord = { readonly fields: Fields; readonly parts: Parts }

/** A paged list with the filters that all lists have and its own filters, which are keyed by parameter name. */
export function recordList<Own extends object>(
  of: Entity,
  listing: Listing<CommonFilters & Own>,
  own: { readonly schema: z.ZodRawShape; readonly read: (raw: Raw) => Own },
  { fields, parts }: ListedRecord,
  notes: readonly string[],
) {
  const common = listInput(of.noun, meaningsOf(parts))
  const input = {
    schema: z.object({ ...own.schema, ...common.schema, ...pageSchema }),
    read: (raw: Raw) => ({ own: own.read(raw), filters: common.read(raw), page: page(raw) }),
  }
  type Wanted = ReturnType<typeof input.read>
  const values = ({ own: given, filters }: Wanted, context: RequestContext) => ({
    ...filters,
    company_id: context.companyId,
    connection_id: connectionOf(context),
    ...given,
  })
  return read({
    path: `${of.section}/get_list`,
    role: 'worker',
    summary: `List ${of.section}.`,
    notes,
    input,
    output: z.object({
      [of.section]: z
        .array(named(`Listed${capitalized(of.noun)}`, schemaWithParts(fields, parts)))
        .describe('Records.'),
      total: z.int().describe('Number of records that match.'),
    }),
    refusals: [...common.refusals, ...pageRefusals],
    example: { request: { limit: 50 }, response: { success: true, [of.section]: [exampleOf(fields)], total: 1 } },
    query: (wanted, context) => listing.query(values(wanted, context), wanted.page),
    response: listing.response,
    stream: (wanted, context) => listing.stream(values(wanted, context), wanted.page),
    pageRows: (wanted, context) => listing.pageRows(values(wanted, context), wanted.page),
  })
}

/** Only the filters that all lists have. */
export const noFilters = { schema: {}, read: () => ({}) }

/** A small list that is returned whole, without a total. `where` selects the records from `from`, which are called `alias`. */
export function wholeList(
  of: Entity,
  list: {
    readonly fields: Fields
    readonly alias: string
    readonly from: string
    readonly where: string
    readonly order: string
  },
) {
  const { fields, alias, from, where, order } = list
  const parts = metaPart(of.noun, `${alias}.id`)
  const common = listInput(of.noun, meaningsOf(parts), { hasSearch: false })
  const find = statement<{ rows: string }, CommonFilters>(
    `${of.section}.list`,
    `select ${array(jsonWithParts(fields, parts), `from ${from} where ${where} and ${matchesIndexed(of.noun, alias)}`, order)} as rows`,
  )
  return read({
    path: `${of.section}/get_list`,
    role: 'worker',
    summary: `List ${of.section}.`,
    notes: ['The whole list, without pages.'],
    input: { schema: z.object(common.schema), read: common.read },
    output: z.object({
      [of.section]: z
        .array(named(`Listed${capitalized(of.noun)}`, schemaWithParts(fields, parts)))
        .describe('Records.'),
    }),
    refusals: common.refusals,
    example: { request: {}, response: { success: true, [of.section]: [exampleOf(fields)] } },
    query: (filters, context) =>
      find({ ...filters, company_id: context.companyId, connection_id: connectionOf(context) }),
    response: ([row]) => ({ [of.section]: new JsonText(row?.rows ?? '[]') }),
  })
}
