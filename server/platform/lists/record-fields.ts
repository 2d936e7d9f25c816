// The fields of a record in responses, each declared once: the SQL of its JSON text, its schema with its meaning, and an example.

import { z } from 'zod'
import { named, shownOfKey } from '../../kernel/method.ts'
import { allCodes, describeStatuses, type StatusTable } from '../../kernel/status.ts'
import {
  array,
  day,
  flag,
  integer,
  members,
  nullable,
  number,
  object,
  type Shape,
  text,
  time,
} from '../postgres/json-sql.ts'

export type Field = { readonly sql: string; readonly schema: z.ZodType; readonly example: unknown }
/** In the order of the response. */
export type Fields = Readonly<Record<string, Field>>

export const field = (sql: string, schema: z.ZodType, example: unknown): Field => ({ sql, schema, example })

export const integerField = (column: string, meaning: string, example = 1): Field =>
  field(integer(column), z.int().describe(meaning), example)
export const numberField = (column: string, meaning: string, example: number): Field =>
  field(number(column), z.number().describe(meaning), example)
export const textField = (column: string, meaning: string, example = ''): Field =>
  field(text(column), z.string().describe(meaning), example)
/** 0 or 1. */
export const flagField = (column: string, meaning: string, example: 0 | 1): Field =>
  field(flag(column), z.literal([0, 1]).describe(meaning), example)
/** `YYYY-MM-DD`; the empty string when unset. */
export const dateField = (column: string, meaning: string, example: string): Field =>
  field(
    day(column),
    z
      .string()
      .regex(/^(\d{4}-\d{2}-\d{2})?$/)
      .describe(meaning),
    example,
  )

export const nullableInteger = (column: string, meaning: string, example: number | null = null): Field =>
  field(nullable(integer(column)), z.int().nullable().describe(meaning), example)
export const nullableNumber = (column: string, meaning: string, example: number | null = null): Field =>
  field(nullable(number(column)), z.number().nullable().describe(meaning), example)
export const nullableText = (column: string, meaning: string, example: string | null = null): Field =>
  field(nullable(text(column)), z.string().nullable().describe(meaning), example)

/** ISO 8601 in UTC. */
export const timeSchema = z.string().meta({ format: 'date-time' })
/** One of the codes of a table of statuses. */
export const statusField = (column: string, table: StatusTable, example = 0): Field =>
  field(integer(column), z.literal([...allCodes(table)]).describe(describeStatuses(table)), example)
export const timeField = (column: string, meaning: string): Field =>
  field(time(column), timeSchema.describe(meaning), '2026-03-12T09:30:00.000000Z')
/** When the row with this alias was created and changed. */
export const timeFields = (alias: string): Fields => ({
  created_at: timeField(`${alias}.created_at`, 'When it was created, ISO 8601 in UTC.'),
  updated_at: timeField(`${alias}.updated_at`, 'When it was last changed, ISO 8601 in UTC.'),
})

/**
 * A field that shows another record as it is when it is read. Its change is no change of this record: no event, no version. `of` are the records
 * whose events tell of it, `stock` for stock/get_changes. The reference marks these fields and lists the events.
 */
export const shownOf = (of: readonly string[], one: Field): Field => ({
  ...one,
  schema: one.schema.meta({ ...one.schema.meta(), [shownOfKey]: of }),
})

/** Marks several fields. */
export const allShownOf = (of: readonly string[], fields: Fields): Fields =>
  Object.fromEntries(Object.entries(fields).map(([name, one]) => [name, shownOf(of, one)]))

/** Nested records, whose schema has the name: the rows that `from` selects, in `order`. */
export const arrayField = (
  name: string,
  fields: Fields,
  from: string,
  order: string,
  meaning: string,
  example: unknown,
): Field => field(array(jsonOf(fields), from, order), z.array(named(name, schemaOf(fields))).describe(meaning), example)

const shapeOf = (fields: Fields): Shape => Object.entries(fields).map(([name, { sql }]) => [name, sql])

export const jsonOf = (fields: Fields): string => object(shapeOf(fields))
/** The fields without the braces around them. */
export const membersOf = (fields: Fields): string => members(shapeOf(fields))
export const schemaOf = (fields: Fields): z.ZodObject =>
  z.object(Object.fromEntries(Object.entries(fields).map(([name, { schema }]) => [name, schema])))
export const exampleOf = (fields: Fields): Readonly<Record<string, unknown>> =>
  Object.fromEntries(Object.entries(fields).map(([name, { example }]) => [name, example]))
