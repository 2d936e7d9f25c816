// limit and offset, the same in every list.

import { integer, passed } from './field.ts'
import type { Raw } from './json.ts'
import { refuse } from './refusal.ts'

export type Page = { readonly limit: number; readonly offset: number }

/** `undefined` asks for the whole list. */
export function page(raw: Raw): Page | undefined {
  const limit = limitOf(raw)
  const offset = offsetOf(raw)
  if (limit === undefined && offset !== undefined) refuse('Offset requires limit')
  return limit === undefined ? undefined : { limit, offset: offset ?? 0 }
}

/** A page even when none is asked for. */
export const pageOf = (raw: Raw, limit: number): Page => ({ limit: limitOf(raw) ?? limit, offset: offsetOf(raw) ?? 0 })

const limitOf = (raw: Raw): number | undefined =>
  bounded(raw, 'limit', 1, 1000, 'Invalid limit value. Must be between 1 and 1000')
const offsetOf = (raw: Raw): number | undefined =>
  bounded(raw, 'offset', 0, Number.MAX_SAFE_INTEGER, 'Invalid offset value. Must be 0 or greater')

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
