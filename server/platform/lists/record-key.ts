// How a write names its record: by its id, or by the external id that the calling connection gave to it.

import { z } from 'zod'
import type { RequestContext } from '../../kernel/clock.ts'
import { isBlank, isPassed, passed, requiredId } from '../../kernel/field.ts'
import type { Raw } from '../../kernel/json.ts'
import { type Statement, statement } from '../../kernel/statement.ts'
import { connectionOf, externalIdRefusals, hasExternalIds, readExternalId } from './external-ids.ts'

/** The record that a write changes. If it is named by its external id, `id` is 0 until it is found. */
export type RecordKey = { readonly id: number; readonly byExternalId?: string }

export const isIdPassed = (raw: Raw, field: string): boolean => isPassed(raw, field) && !isBlank(passed(raw, field))

/** By its id or, if that is not passed, by its external id, where records of this type have one. */
export function readRecordKey(raw: Raw, field: string, record: string): RecordKey {
  const byExternalId = hasExternalIds(record) && !isIdPassed(raw, field) ? (readExternalId(raw) ?? '') : ''
  return byExternalId === '' ? { id: requiredId(raw, field) } : { id: 0, byExternalId }
}

/** The external id that an edit gives to the record. An external id that names the record is kept. */
export const readNewExternalId = (raw: Raw, { byExternalId }: RecordKey, record: string): string | undefined =>
  hasExternalIds(record) && byExternalId === undefined ? readExternalId(raw) : undefined

/** The fields of the key in the schema of a request. */
export function recordKeySchema<T extends z.ZodType>(field: string, id: T, record: string): z.ZodRawShape {
  if (!hasExternalIds(record)) return { [field]: id }
  const external_id = z.string().optional().describe(`The id in your system, instead of \`${field}\`.`)
  return { [field]: id.optional().describe(id.description ?? ''), external_id }
}

/** The same for an edit, which also changes the external id. */
export function editedKeySchema<T extends z.ZodType>(field: string, id: T, record: string): z.ZodRawShape {
  if (!hasExternalIds(record)) return { [field]: id }
  const external_id = z
    .string()
    .optional()
    .describe(
      `Id of the record in your system, unique for your API connection. Without \`${field}\` it names the record; with it, it is changed, and an empty string removes it.`,
    )
  return { [field]: id.optional().describe(id.description ?? ''), external_id }
}

/** Error texts of `recordKeySchema`. */
export const recordKeyRefusals = (record: string): readonly string[] =>
  hasExternalIds(record) ? externalIdRefusals : []

const findRecord = statement<
  { id: number },
  { readonly company_id: number; readonly connection_id: number; readonly record: string; readonly external_id: string }
>(
  'external_ids.find',
  `select x.record_id as id from external_ids x
   where x.company_id = :company_id and x.connection_id = :connection_id and x.record = :record and x.external_id = :external_id`,
)

/** `find` of a method whose input contains the key of a record. */
export const findByExternalId =
  (record: string) =>
  ({ byExternalId }: RecordKey, context: RequestContext): Statement<{ id: number }> | undefined =>
    byExternalId === undefined
      ? undefined
      : findRecord({
          company_id: context.companyId,
          connection_id: connectionOf(context),
          record,
          external_id: byExternalId,
        })
