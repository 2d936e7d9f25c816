// Creating or changing many records with one request. Each record is matched with an existing one or created, and has its own result; those that are
// accepted are written in one transaction. The rules are those of adding and editing one record. Long because the method, the reading of its records and their planning are one story.

import { z } from 'zod'
import type { RequestContext } from '../../kernel/clock.ts'
import { array, capitalized, isObject, isPassed, tooMany } from '../../kernel/field.ts'
import type { Raw } from '../../kernel/json.ts'
import { type EventAction, named, type WriteMethod, type Written, write } from '../../kernel/method.ts'
import { difference, type RecordState } from '../../kernel/patch.ts'
import { Refusal, type RefusalDetail, refuse } from '../../kernel/refusal.ts'
import type { Statement } from '../../kernel/statement.ts'
import { jsonRows } from '../postgres/json-sql.ts'
import { connectionOf, externalIdSchema, type IdentityFacts, readExternalId } from './external-ids.ts'
import {
  type Entity,
  type Given,
  type Planned,
  type PlannedEdit,
  planRecordAdd,
  planRecordEdit,
  type RecordRules,
  writtenAdd,
  writtenEdit,
} from './record-methods.ts'

export const maxRecords = 500

/** Facts about all records of a request. The external ids are those of the calling connection. */
export type BatchFacts<State> = {
  /** The existing records that may be meant; null when they are too large together. */
  readonly records: readonly (readonly [id: number, state: State])[] | null
  readonly external: readonly (readonly [externalId: string, id: number])[]
  readonly own_external: readonly (readonly [id: number, externalId: string])[]
}

/** How much may be stored in the records of one request: a few hundred with very long texts would take hundreds of megabytes of memory. */
const maxStoredBytes = 8 * 1024 * 1024
const tooLarge = 'The stored records are too large together. Send fewer records'

/** SQL of the column `records`: `state` of each, unless the sum of `bytes` is too large. */
export const recordsFound = (state: string, bytes: string, from: string): string =>
  `case when (select coalesce(sum(${bytes}), 0) ${from}) <= ${maxStoredBytes} then ${jsonRows(state)} ${from}) end as records`

/** What is known about the records of the company while those of the request are planned one after the other. */
export type Batch<Changes, State, Facts> = {
  /** The records with exactly the same SKU or name, then those that compare as equal, each the oldest first. */
  readonly match: (given: Changes) => readonly number[]
  /** The facts about one record; `id` is absent when it is new. */
  readonly factsOf: (given: Changes, id: number | undefined) => Facts
  /** Takes a planned record into account for those after it. */
  readonly accept: (id: number, state: State, before: State | undefined) => void
}

export type ReadRecord<Changes> =
  | {
      readonly given: Given<Changes>
      /** Why the record cannot be created, when no existing one matches it. */
      readonly addRefusal: Refused | undefined
    }
  | { readonly refusal: Refused }

type Refused = { readonly result: 'refused'; readonly error: string; readonly detail: RefusalDetail }

const refused = ({ message, detail }: Refusal): Refused => ({ result: 'refused', error: message, detail })

export type UpsertRules<
  Changes,
  State extends RecordState,
  Facts extends { readonly record: State | null },
  Found extends BatchFacts<State>,
> = {
  readonly rules: RecordRules<Changes, State, Facts>
  /** How records without a known external id are matched, for the reference: `sku`. */
  readonly matchedBy: string
  /** The refusal of a record whose SKU or name is that of a record with another external id of the connection. Without it a record is created. */
  readonly refuseOther?: (externalId: string) => string
  readonly facts: (
    of: { readonly company_id: number; readonly connection_id: number; readonly external_ids: readonly string[] },
    given: readonly Changes[],
  ) => Statement<Found>
  /** `hasExternalId`: whether the calling connection has given an external id to the record, or gives it one with this request. */
  readonly begin: (
    found: Found,
    states: ReadonlyMap<number, State>,
    hasExternalId: (id: number) => boolean,
  ) => Batch<Changes, State, Facts>
}

export type UpsertResult<State> =
  | { readonly result: 'created'; readonly planned: Planned<State> }
  | { readonly result: 'updated' | 'unchanged'; readonly planned: PlannedEdit<State> }
  | Refused

export type Upsert<Changes, State, Found> = WriteMethod<
  readonly ReadRecord<Changes>[],
  Found,
  readonly UpsertResult<State>[]
>

export function recordUpsert<
  Changes,
  State extends RecordState,
  Facts extends { readonly record: State | null },
  Found extends BatchFacts<State>,
>(upsert: UpsertRules<Changes, State, Facts, Found>): Upsert<Changes, State, Found> {
  const { rules } = upsert
  const { section, noun } = rules
  return write({
    path: `${section}/upsert`,
    summary: `Create or change up to ${maxRecords} ${section}.`,
    notes: notesOf(upsert),
    input: {
      schema: z.object({
        [section]: z
          .array(named(`Sent${capitalized(noun)}`, z.object({ ...rules.editSchema, ...externalIdSchema })))
          .max(maxRecords)
          .describe('The records, with the fields of add and edit.'),
      }),
      read: (raw) => {
        if (!isPassed(raw, section)) refuse(`No ${section} in input`, { code: 'required', field: section })
        const sent = array(raw, section, maxRecords, tooMany('records', maxRecords)) ?? []
        return sent.map((value, at) => readRecord(rules, value, at)) as readonly ReadRecord<Changes>[]
      },
    },
    output: z.object({ [section]: z.array(resultSchema(noun)).describe('One result for each record.') }),
    refusals: [
      `No ${section} in input`,
      `${section.charAt(0).toUpperCase()}${section.slice(1)} is not an array`,
      tooMany('records', maxRecords),
      tooLarge,
    ],
    example: {
      request: { [section]: [{ ...rules.example.add, external_id: 'shop-17' }] },
      response: { success: true, [section]: [{ result: 'created', id: 1 }] },
    },
    facts: (records, context) => factsOf(upsert, records, context),
    plan: (records, found, transaction): readonly UpsertResult<State>[] => {
      if (found.records === null) refuse(tooLarge, { code: 'records_too_large', field: section })
      const batch = new Planner(upsert, found, found.records)
      return records.map((record, at) =>
        batch.plan(record, at, (input, facts) => planRecordAdd(rules, input, facts, transaction)),
      )
    },
    write: (results, transaction) =>
      allWritten(
        results.flatMap((one): Changed[] => {
          if (one.result === 'created') return [[writtenAdd(rules, one.planned, transaction), 'created']]
          const edited = one.result === 'updated' ? writtenEdit(rules, one.planned, transaction) : undefined
          return edited === undefined ? [] : [[edited, 'updated']]
        }),
      ),
    response: (results) => ({
      [section]: results.map((one) =>
        one.result === 'refused'
          ? { result: one.result, error: one.error }
          : { result: one.result, id: one.planned.id },
      ),
    }),
  })
}

function notesOf({
  rules: { noun },
  matchedBy,
  refuseOther,
}: {
  readonly rules: Pick<Entity, 'noun'>
  readonly matchedBy: string
  readonly refuseOther?: (externalId: string) => string
}): string[] {
  return [
    `A record is matched by \`external_id\`; if no ${noun} has it, by \`${matchedBy}\`, and the ${noun} then takes the \`external_id\`. If none matches, it is created.`,
    refuseOther === undefined
      ? `A ${noun} with another external id of your connection is not matched by \`${matchedBy}\`: then a second one of that ${matchedBy} is created. Without \`external_id\` the oldest of that ${matchedBy} is meant.`
      : `A record whose \`${matchedBy}\` is that of a ${noun} with another external id is refused: \`${refuseOther('<id>')}\`.`,
    'Each record sees what the records before it changed, also in its components.',
    'Only the fields that are passed change. The results are in the order sent: created, updated, unchanged, or refused with the `error` that add or edit would return.',
    'Records that are refused do not prevent the others from being written. Those are written in one transaction.',
  ]
}

const resultSchema = (noun: string) =>
  named(
    `Upserted${capitalized(noun)}`,
    z.object({
      result: z.enum(['created', 'updated', 'unchanged', 'refused']).describe('What happened to the record.'),
      id: z.int().optional().describe(`Id of the ${noun}, unless it was refused.`),
      error: z.string().optional().describe('Why it was refused.'),
    }),
  )

function readRecord<Changes, State extends RecordState, Facts extends { readonly record: State | null }>(
  rules: RecordRules<Changes, State, Facts>,
  value: unknown,
  at: number,
): ReadRecord<Changes> {
  const given = attempt(() => {
    const raw: Raw = isObject(value) ? value : refuse(`Record ${at} must be an object`, { code: 'malformed' })
    return { given: rules.readEdit(raw), externalId: readExternalId(raw) }
  })
  if (given instanceof Refusal) return { refusal: refused(given) }
  const added = attempt(() => rules.readAdd(value as Raw))
  return { given, addRefusal: added instanceof Refusal ? refused(added) : undefined }
}

function attempt<T>(work: () => T): T | Refusal {
  try {
    return work()
  } catch (error) {
    if (error instanceof Refusal) return error
    throw error
  }
}

function factsOf<
  Changes,
  State extends RecordState,
  Facts extends { readonly record: State | null },
  Found extends BatchFacts<State>,
>(
  upsert: UpsertRules<Changes, State, Facts, Found>,
  records: readonly ReadRecord<Changes>[],
  context: RequestContext,
): Statement<Found> {
  const readable = records.flatMap((record) => ('given' in record ? [record.given] : []))
  const external_ids = readable.flatMap(({ externalId = '' }) => (externalId === '' ? [] : [externalId]))
  const of = { company_id: context.companyId, connection_id: connectionOf(context), external_ids }
  return upsert.facts(
    of,
    readable.map(({ given }) => given),
  )
}

/** Plans the records of a request one after the other, each with what those before it changed. */
class Planner<
  Changes,
  State extends RecordState,
  Facts extends { readonly record: State | null },
  Found extends BatchFacts<State>,
> {
  readonly #rules: RecordRules<Changes, State, Facts>
  readonly #states: Map<number, State>
  readonly #external: Map<string, number>
  readonly #ownExternal: Map<number, string>
  readonly #batch: Batch<Changes, State, Facts>
  readonly #refuseOther: ((externalId: string) => string) | undefined
  /** The accepted records, with their place in the request. */
  readonly #places = new Map<number, number>()

  constructor(
    { rules, begin, refuseOther }: UpsertRules<Changes, State, Facts, Found>,
    found: Found,
    records: NonNullable<Found['records']>,
  ) {
    this.#rules = rules
    this.#refuseOther = refuseOther
    this.#states = new Map(records)
    this.#external = new Map(found.external)
    this.#ownExternal = new Map(found.own_external)
    this.#batch = begin(found, this.#states, (id) => this.#ownExternal.has(id))
  }

  plan(
    record: ReadRecord<Changes>,
    at: number,
    add: (input: Given<Changes>, facts: Facts & IdentityFacts) => Planned<State>,
  ): UpsertResult<State> {
    const planned = attempt((): UpsertResult<State> => {
      if ('refusal' in record) return record.refusal
      const { given: input, addRefusal } = record
      const { given, externalId = '' } = input
      const id = (externalId === '' ? undefined : this.#external.get(externalId)) ?? this.#matched(given, externalId)
      const earlier = id === undefined ? undefined : this.#places.get(id)
      if (earlier !== undefined)
        refuse(`Record ${at} is the same ${this.#rules.noun} as record ${earlier}`, { code: 'record_twice' })
      const facts = this.#factsOf(given, id, externalId)
      if (id === undefined) {
        if (addRefusal !== undefined) return addRefusal
        return { result: 'created', planned: add(input, facts) }
      }
      const edited = planRecordEdit(this.#rules, { ...input, id }, facts)
      return { result: isChanged(edited) ? 'updated' : 'unchanged', planned: edited }
    })
    if (planned instanceof Refusal) return refused(planned)
    if (planned.result !== 'refused') this.#accept(planned.planned, at)
    return planned
  }

  /** The oldest record with the same SKU or name. With an external id that no record has, one that has another is another record of the calling system. */
  #matched(given: Changes, externalId: string): number | undefined {
    const same = this.#batch.match(given)
    if (externalId === '') return same[0]
    const free = same.find((id) => !this.#ownExternal.has(id))
    const other = same[0] === undefined ? undefined : this.#ownExternal.get(same[0])
    if (free === undefined && other !== undefined && this.#refuseOther !== undefined)
      refuse(this.#refuseOther(other), { code: 'code_taken', field: 'sku' })
    return free
  }

  #factsOf(given: Changes, id: number | undefined, externalId: string): Facts & IdentityFacts {
    return {
      ...this.#batch.factsOf(given, id),
      holder: this.#external.get(externalId) ?? null,
      own_external_id: id === undefined ? null : (this.#ownExternal.get(id) ?? null),
    }
  }

  #accept({ id, state, externalId }: Planned<State>, at: number): void {
    this.#batch.accept(id, state, this.#states.get(id))
    this.#states.set(id, state)
    this.#places.set(id, at)
    if (externalId === undefined) return
    this.#external.delete(externalId.before)
    if (externalId.after === '') this.#ownExternal.delete(id)
    else {
      this.#external.set(externalId.after, id)
      this.#ownExternal.set(id, externalId.after)
    }
  }
}

const isChanged = <State extends RecordState>({ before, state, externalId }: PlannedEdit<State>): boolean =>
  externalId !== undefined || Object.keys(difference(before, state)).length > 0

type Changed = readonly [written: Written, action: EventAction]

/** All changes as one write, with an event for each record. */
function allWritten(changed: readonly Changed[]): Written | undefined {
  const events = changed.map(([{ event }, action]) => ({ ...event, action }))
  const last = events.at(-1)
  if (last === undefined) return undefined
  return {
    statements: changed.flatMap(([{ statements }]) => statements),
    event: last,
    related: events.slice(0, -1),
  }
}
