// limit and offset, the same in every list.

import { integer, passed } from './field.ts'
import type { Raw } from './json.ts'
import { refuse } from './refusal.ts'

export type Page = { readonly limit: number; readonly offset: number }

/** `undefined` asks for the whole list. */
export function page(raw: Raw): Page | undefined {
  const limit = bounded(raw, 'limit', 1, 1000, 'Invalid limit value. Must be between 1 and 1000')
  const offset = bounded(raw, 'offset', 0, Number.MAX_SAFE_INTEGER, 'Invalid offset value. Must be 0 or greater')
  if (limit === undefined && offset !== undefined) refuse('Offset requires limit')
  return limit === undefined ? undefined : { limit, offset: offset ?? 0 }
}

function bounded(raw: Raw, field: string, least: number, most: number, refusal: string): number | undefined {
  const value = passed(raw, field)
  if (value === undefined) return undefined
  const number = integer(value)
  return number === undefined || number < least || number > most ? refuse(refusal) : number
}

export const pageRefusals: readonly string[] = [
  'Invalid limit value. Must be between 1 and 1000',
  'Invalid offset value. Must be 0 or greater',
  'Offset requires limit',
]
