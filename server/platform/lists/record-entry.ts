// The method that reads one record: by its id, or by the external id that the calling connection gave to it.

import { z } from 'zod'
import { requiredId } from '../../kernel/field.ts'
import type { Raw } from '../../kernel/json.ts'
import { JsonText, type ReadMethod, read } from '../../kernel/method.ts'
import { refuse } from '../../kernel/refusal.ts'
import { type Statement, statement } from '../../kernel/statement.ts'
import {
  connectionOf,
  externalIdRefusals,
  hasExternalIds,
  readExternalId,
  recordWithExternalId,
} from './external-ids.ts'
import { isIdPassed } from './record-key.ts'
import { type Entity, idField, idSchema, missing, wordFor } from './record-methods.ts'

const described = (schema: z.ZodType, meaning: string): z.ZodType =>
  schema.description === undefined ? schema.describe(meaning) : schema

type FoundRecord = Statement<{ record: string }>

/** The statements that find one record: by its id, and by the external id that the calling connection gave to it. */
export type RecordFinder = {
  readonly byId: (values: { readonly company_id: number; readonly id: number }) => FoundRecord
  readonly byExternalId?: (values: {
    readonly company_id: number
    readonly connection_id: number
    readonly external_id: string
  }) => FoundRecord
}

/** `sql` selects `record` and ends with the comparison of the id, as in `… and d.id =`. */
export function declareFinder(name: string, noun: string, sql: string): RecordFinder {
  const byId = statement<{ record: string }, { readonly company_id: number; readonly id: number }>(name, `${sql} :id`)
  if (!hasExternalIds(noun)) return { byId }
  const byExternalId = statement<
    { record: string },
    { readonly company_id: number; readonly connection_id: number; readonly external_id: string }
  >(`${name}_by_external_id`, `${sql} ${recordWithExternalId(noun, ':external_id')}`)
  return { byId, byExternalId }
}

/** The id of the record that is read, or its external id when no id is passed. */
export function readKey(raw: Raw, field: string): { readonly id: number } | { readonly externalId: string } {
  const externalId = readExternalId(raw) ?? ''
  const isById = externalId === '' || isIdPassed(raw, field)
  return isById ? { id: requiredId(raw, field) } : { externalId }
}

export const externalKeySchema = (field: string) => ({
  external_id: z.string().optional().describe(`The id in your system, instead of \`${field}\`.`),
})

/** The method that reads one record, whose JSON text the database builds. */
export function recordEntry(
  of: Entity,
  { byId, byExternalId }: RecordFinder,
  recordSchema: z.ZodType,
  example: object,
  notes: readonly string[] = [],
): ReadMethod<ReturnType<typeof readKey>, { record: string }> {
  const field = idField(of)
  return read({
    path: `${of.section}/get_entry`,
    role: 'worker',
    summary: `Read one ${wordFor(of)}.`,
    notes,
    input:
      byExternalId === undefined
        ? { schema: z.object({ [field]: idSchema(of) }), read: (raw: Raw) => ({ id: requiredId(raw, field) }) }
        : {
            schema: z.object({ [field]: idSchema(of).optional(), ...externalKeySchema(field) }),
            read: (raw: Raw) => readKey(raw, field),
          },
    output: z.object({ [of.noun]: described(recordSchema, `The ${wordFor(of)}.`) }),
    refusals: [`No ${field} in input`, missing(of), ...(byExternalId === undefined ? [] : externalIdRefusals)],
    example: { request: { [field]: 1 }, response: { success: true, [of.noun]: example } },
    query: (key, context) => {
      const { companyId: company_id } = context
      if ('id' in key) return byId({ company_id, id: key.id })
      if (byExternalId === undefined) throw new Error(`${of.section} has no external ids`)
      return byExternalId({ company_id, connection_id: connectionOf(context), external_id: key.externalId })
    },
    response: ([row]) => ({
      [of.noun]: new JsonText(row?.record ?? refuse(missing(of), { code: 'record_not_found' })),
    }),
  })
}
