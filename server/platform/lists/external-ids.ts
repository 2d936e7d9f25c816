// External ids: the ids that records have in other systems. Each API connection has its own; requests of the screens count as one connection.
// Also the version of a record, which an edit may require: the number of the latest event of the record.

import { z } from 'zod'
import type { RequestContext, TransactionContext } from '../../kernel/clock.ts'
import { integer, nameLength, passed, text } from '../../kernel/field.ts'
import type { Raw } from '../../kernel/json.ts'
import { refuse } from '../../kernel/refusal.ts'
import { type Statement, statement } from '../../kernel/statement.ts'

/** The types of records with external ids, as in events, with their names in error texts. */
const nouns = {
  sale: 'An order',
  purchase: 'A purchase',
  customer: 'A customer',
  supplier: 'A supplier',
  product: 'A product',
  material: 'A material',
} as const

export type ExternalRecord = keyof typeof nouns

export const hasExternalIds = (record: string): record is ExternalRecord => Object.hasOwn(nouns, record)

/** The connection of a request, 0 for the screens. */
export const connectionOf = ({ connectionId }: RequestContext): number => connectionId ?? 0

export const externalIdSchema = {
  external_id: z
    .string()
    .optional()
    .describe('Id of the record in your system, unique for your API connection; an empty string means none.'),
}

export const externalIdRefusals: readonly string[] = [
  'Invalid external_id value. Must be a string',
  'Invalid external_id value. Must be valid text',
  `Invalid external_id value. Must be at most ${nameLength} characters`,
]
export const externalIdRefusal = (record: ExternalRecord): string =>
  `${nouns[record]} with this external_id exists: <id>`

/** `undefined` when it is not passed; the empty string removes it. */
export const readExternalId = (raw: Raw): string | undefined =>
  text(raw, 'external_id', { max: nameLength, trim: true })

export const versionSchema = {
  version: z
    .int()
    .optional()
    .describe('The version that you read; the change is refused when it is no longer current.'),
}
export const versionRefusal = 'Invalid version value. Must be 0 or greater'

export function readVersion(raw: Raw): number | undefined {
  const value = passed(raw, 'version')
  if (value === undefined) return undefined
  const version = integer(value)
  return version === undefined || version < 0
    ? refuse(versionRefusal, { code: 'malformed', field: 'version' })
    : version
}

/** SQL: the version of a record. */
export const versionOf = (record: string, id: string): string =>
  `(select max(v.seq) from events v where v.company_id = :company_id and v.record = '${record}' and v.record_id = ${id})`

/** SQL: the external id that the calling connection gave to a record; null when it gave none. */
export const externalIdOf = (record: ExternalRecord, id: string): string =>
  `(select x.external_id from external_ids x where x.company_id = :company_id and x.record = '${record}' and x.record_id = ${id}
    and x.connection_id = :connection_id::bigint)`

/** SQL: the id of the record to which the calling connection gave the external id. */
export const recordWithExternalId = (record: ExternalRecord, externalId: string): string =>
  `(select x.record_id from external_ids x where x.company_id = :company_id and x.connection_id = :connection_id::bigint
    and x.record = '${record}' and x.external_id = ${externalId})`

/** What a request that sends an external id or a version needs to know. Absent when it sends neither. */
export type IdentityFacts = {
  /** The record that has the external id already. */
  readonly holder?: number | null
  readonly own_external_id?: string | null
  readonly version?: number | null
}

type IdentityValues = {
  readonly company_id: number
  readonly connection_id: number
  readonly record: string
  readonly record_id: number | null
  readonly external_id: string | null
}

const findIdentity = statement<IdentityFacts, IdentityValues>(
  'external_ids.facts',
  `select
     (select x.record_id from external_ids x where x.company_id = :company_id and x.connection_id = :connection_id
        and x.record = :record::text and x.external_id = :external_id::text) as holder,
     (select x.external_id from external_ids x where x.company_id = :company_id and x.record = :record::text
        and x.record_id = :record_id::bigint and x.connection_id = :connection_id) as own_external_id,
     (select max(e.seq) from events e where e.company_id = :company_id and e.record = :record::text and e.record_id = :record_id::bigint) as version`,
)

/** The statement of the facts above. `id` is null for a new record. */
export const identityFacts = (
  context: RequestContext,
  record: string,
  id: number | null,
  given: { readonly externalId?: string | undefined; readonly version?: number | undefined },
): Statement<IdentityFacts> | undefined =>
  given.externalId === undefined && given.version === undefined
    ? undefined
    : findIdentity({
        company_id: context.companyId,
        connection_id: connectionOf(context),
        record,
        record_id: id,
        external_id: given.externalId ?? null,
      })

/** The empty string means none. */
export type ExternalIdChange = { readonly before: string; readonly after: string }

/** The change of the external id of a record, or the refusal because another record has it. */
export function planExternalId(
  record: string,
  given: string | undefined,
  { holder, own_external_id: own }: IdentityFacts,
  id: number,
): ExternalIdChange | undefined {
  if (given === undefined || !hasExternalIds(record)) return undefined
  if (given !== '' && holder !== null && holder !== undefined && holder !== id)
    refuse(`${nouns[record]} with this external_id exists: ${holder}`, {
      code: 'external_id_taken',
      field: 'external_id',
      value: holder,
    })
  return given === (own ?? '') ? undefined : { before: own ?? '', after: given }
}

/** The change in the event of the record. */
export function externalIdEvent(change: ExternalIdChange | undefined, isNew: boolean): object {
  if (change === undefined) return {}
  return { external_id: isNew ? change.after : [change.before, change.after] }
}

type OfRecord = { readonly company_id: number; readonly record: string; readonly record_id: number }
type OfConnection = OfRecord & { readonly connection_id: number }

const insertRow = statement<never, OfConnection & { readonly external_id: string }>(
  'external_ids.insert',
  `insert into external_ids (company_id, connection_id, record, external_id, record_id)
   values (:company_id, :connection_id, :record, :external_id, :record_id)`,
)
const deleteRow = statement<never, OfConnection>(
  'external_ids.delete',
  'delete from external_ids where company_id = :company_id and record = :record and record_id = :record_id and connection_id = :connection_id',
)
const deleteRows = statement<never, OfRecord>(
  'external_ids.delete_of_record',
  'delete from external_ids where company_id = :company_id and record = :record and record_id = :record_id',
)

export function writeExternalId(
  record: string,
  id: number,
  change: ExternalIdChange | undefined,
  { context }: TransactionContext,
): Statement[] {
  if (change === undefined) return []
  const of = { company_id: context.companyId, record, record_id: id, connection_id: connectionOf(context) }
  return [
    ...(change.before === '' ? [] : [deleteRow(of)]),
    ...(change.after === '' ? [] : [insertRow({ ...of, external_id: change.after })]),
  ]
}

type Connections = { readonly company_id: number; readonly connection_id: number; readonly by_connection_id: number }

const ofBoth = `from external_ids x join external_ids y on y.company_id = :company_id and y.connection_id = :by_connection_id and y.record = x.record`
const ofFirst = 'x.company_id = :company_id and x.connection_id = :connection_id'

/** SQL: how many external ids two connections use for different records, and how many records have different external ids of them. */
export const collidingExternalIds = `(
    (select count(*) ${ofBoth} and y.external_id = x.external_id where ${ofFirst} and y.record_id <> x.record_id)
    + (select count(*) ${ofBoth} and y.record_id = x.record_id where ${ofFirst} and y.external_id <> x.external_id))::int`

const deleteSame = statement<never, Connections>(
  'external_ids.delete_same',
  `delete from external_ids x using external_ids y where ${ofFirst}
     and y.company_id = :company_id and y.connection_id = :by_connection_id and y.record = x.record and y.record_id = x.record_id`,
)
const move = statement<never, Connections>(
  'external_ids.move',
  'update external_ids x set connection_id = :by_connection_id where x.company_id = :company_id and x.connection_id = :connection_id',
)

/** Gives the external ids of a connection to another one. None of them may collide. */
export const moveExternalIds = (connections: Connections): Statement[] => [deleteSame(connections), move(connections)]

/** For a record that is deleted: other records may use its external ids. */
export const deleteExternalIds = (record: string, id: number, { context }: TransactionContext): Statement[] =>
  hasExternalIds(record) ? [deleteRows({ company_id: context.companyId, record, record_id: id })] : []
