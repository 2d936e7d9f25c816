// Filters of the lists in the screens: how they are read from a request, and their SQL conditions.

import { z } from 'zod'
import {
  array,
  capitalized,
  code,
  date,
  id,
  nameLength,
  passed,
  text,
  textRefusals,
  tooMany,
} from '../../kernel/field.ts'
import type { Raw } from '../../kernel/json.ts'
import { refuse } from '../../kernel/refusal.ts'

export type Filter = {
  readonly field: string
  readonly schema: z.ZodType
  /** `null` when it is not passed; then every row matches. */
  readonly read: (raw: Raw) => unknown
  /** A condition on the rows. Its parameter has the name of the field. */
  readonly sql: string
  readonly refusals: readonly string[]
}

export function oneOf<T extends string>(raw: Raw, field: string, allowed: readonly T[]): T | undefined {
  const value = passed(raw, field)
  if (value === undefined) return undefined
  return (
    allowed.find((one) => one === value) ??
    refuse(`Invalid ${field} value. Must be one of: ${allowed.join(', ')}`, { code: 'not_a_choice', field })
  )
}

const matches = (field: string, type: string, condition: string): string =>
  `(:${field}::${type} is null or ${condition})`

/** Rows that belong to one record; `condition` compares its id, as `:field`. */
export const idFilter = (field: string, meaning: string, condition: string): Filter => ({
  field,
  schema: z.union([z.int(), z.string()]).describe(meaning),
  read: (raw) => {
    const value = passed(raw, field)
    return value === undefined ? null : id(value)
  },
  sql: matches(field, 'bigint', condition),
  refusals: [],
})

const maxCodes = 100

/** Rows with one of several codes. */
export function codesFilter(field: string, meaning: string, column: string, allowed: readonly number[]): Filter {
  const refusal = `Invalid ${field} value. Must be one of: ${allowed.join(', ')}`
  return {
    field,
    schema: z.array(z.int()).max(maxCodes).describe(meaning),
    read: (raw) => array(raw, field, maxCodes)?.map((value) => code(value, allowed, refusal)) ?? null,
    sql: matches(field, 'int[]', `${column} = any(:${field})`),
    refusals: [`${capitalized(field)} is not an array`, tooMany(field, maxCodes), refusal],
  }
}

/** Rows of one of a few kinds; `condition` compares the kind, as `:field`. */
export const choiceFilter = (
  field: string,
  meaning: string,
  condition: string,
  allowed: readonly [string, ...string[]],
): Filter => ({
  field,
  schema: z.enum(allowed).describe(meaning),
  read: (raw) => oneOf(raw, field, allowed) ?? null,
  sql: matches(field, 'text', condition),
  refusals: [`Invalid ${field} value. Must be one of: ${allowed.join(', ')}`],
})

export const textFilter = (field: string, meaning: string, column: string): Filter => ({
  field,
  schema: z.string().describe(meaning),
  read: (raw) => text(raw, field, { max: nameLength, trim: true }) ?? null,
  sql: matches(field, 'text', `${column} = :${field}`),
  refusals: textRefusals,
})

/** Rows of a day on or after (`from`), or on or before (`to`); `condition` compares the day, as `:field`. */
export const dayFilter = (field: string, meaning: string, condition: string): Filter => ({
  field,
  schema: z.string().describe(meaning),
  read: (raw) => date(raw, field) ?? null,
  sql: matches(field, 'date', condition),
  refusals: ['Date is not a valid date in format YYYY-MM-DD'],
})

/** Both ends of a range of days. */
export const daysFilter = (column: string, meaning: string): readonly Filter[] => [
  dayFilter('date_from', `${meaning} on this day or later, \`YYYY-MM-DD\`.`, `${column} >= :date_from`),
  dayFilter('date_to', `${meaning} on this day or earlier, \`YYYY-MM-DD\`.`, `${column} <= :date_to`),
]
