// What a list of the screens may be narrowed down by: reading it from a request, and asking it of the rows.

import { z } from 'zod'
import { array, capitalized, code, date, id, nameLength, passed, text, textRefusals } from '../kernel/field.ts'
import type { Raw } from '../kernel/json.ts'
import { refuse } from '../kernel/refusal.ts'

export type Filter = {
  readonly field: string
  readonly onWire: z.ZodType
  /** `null` when it is not passed: then everything matches. */
  readonly read: (raw: Raw) => unknown
  readonly sql: (parameter: string) => string
  readonly refusals: readonly string[]
}

export function oneOf<T extends string>(raw: Raw, field: string, allowed: readonly T[]): T | undefined {
  const value = passed(raw, field)
  if (value === undefined) return undefined
  return allowed.find((one) => one === value) ?? refuse(`Invalid ${field} value. Must be one of: ${allowed.join(', ')}`)
}

const matches = (parameter: string, type: string, condition: string): string =>
  `(${parameter}::${type} is null or ${condition})`

/** Rows that belong to one record; `condition` names its id as `?`. */
export const idFilter = (field: string, meaning: string, condition: string): Filter => ({
  field,
  onWire: z.union([z.int(), z.string()]).describe(meaning),
  read: (raw) => {
    const value = passed(raw, field)
    return value === undefined ? null : id(value)
  },
  sql: (parameter) => matches(parameter, 'bigint', condition.replaceAll('?', `${parameter}::bigint`)),
  refusals: [],
})

/** Rows with one of several codes. */
export function codesFilter(field: string, meaning: string, column: string, allowed: readonly number[]): Filter {
  const refusal = `Invalid ${field} value. Must be one of: ${allowed.join(', ')}`
  return {
    field,
    onWire: z.array(z.int()).describe(meaning),
    read: (raw) => array(raw, field)?.map((value) => code(value, allowed, refusal)) ?? null,
    sql: (parameter) => matches(parameter, 'int[]', `${column} = any(${parameter})`),
    refusals: [`${capitalized(field)} is not an array`, refusal],
  }
}

/** Rows of one of a few kinds; `condition` names the kind as `?`. */
export const choiceFilter = (
  field: string,
  meaning: string,
  condition: string,
  allowed: readonly [string, ...string[]],
): Filter => ({
  field,
  onWire: z.enum(allowed).describe(meaning),
  read: (raw) => oneOf(raw, field, allowed) ?? null,
  sql: (parameter) => matches(parameter, 'text', condition.replaceAll('?', parameter)),
  refusals: [`Invalid ${field} value. Must be one of: ${allowed.join(', ')}`],
})

export const textFilter = (field: string, meaning: string, column: string): Filter => ({
  field,
  onWire: z.string().describe(meaning),
  read: (raw) => text(raw, field, { max: nameLength, trim: true }) ?? null,
  sql: (parameter) => matches(parameter, 'text', `${column} = ${parameter}`),
  refusals: textRefusals,
})

/** Rows of a day on or after (`from`), or on or before (`to`). */
export const dayFilter = (field: string, meaning: string, condition: string): Filter => ({
  field,
  onWire: z.string().describe(meaning),
  read: (raw) => date(raw, field) ?? null,
  sql: (parameter) => matches(parameter, 'date', condition.replaceAll('?', `${parameter}::date`)),
  refusals: ['Date is not a valid date in format YYYY-MM-DD'],
})

/** Both ends of a stretch of days. */
export const daysFilter = (column: string, meaning: string): readonly Filter[] => [
  dayFilter('date_from', `${meaning} on this day or later, \`YYYY-MM-DD\`.`, `${column} >= ?`),
  dayFilter('date_to', `${meaning} on this day or earlier, \`YYYY-MM-DD\`.`, `${column} <= ?`),
]
