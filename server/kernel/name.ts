// The name of a record, with the error texts that all sections share.

import { isBlank, isPassed, nameLength, passed, textValue } from './field.ts'
import type { Raw } from './json.ts'
import { refuse } from './refusal.ts'

export const nameRefusals = (entity: string): readonly string[] => [
  'No name in input',
  `${entity} name must not be empty`,
  `${entity} name must be a string`,
]

export function requiredName(raw: Raw, entity: string): string {
  if (!isPassed(raw, 'name')) refuse('No name in input', { code: 'required', field: 'name' })
  return nameOf(passed(raw, 'name'), entity)
}

export const optionalName = (raw: Raw, entity: string): string | undefined =>
  isPassed(raw, 'name') ? nameOf(passed(raw, 'name'), entity) : undefined

function nameOf(value: unknown, entity: string): string {
  if (isBlank(value)) refuse(`${entity} name must not be empty`, { code: 'required', field: 'name' })
  if (typeof value !== 'string') refuse(`${entity} name must be a string`, { code: 'not_text', field: 'name' })
  return textValue(value, 'name', { max: nameLength, trim: true })
}
