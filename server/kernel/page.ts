// `limit` and `offset` of every list.

import { integer, integerOfAnySize, passed } from './field.ts'
import type { Raw } from './json.ts'
import { refuse } from './refusal.ts'

export type Page = { readonly limit: number; readonly offset: number }

/** `undefined` means the whole list. */
export function page(raw: Raw): Page | undefined {
  const limit = limitOf(raw)
  const offset = offsetOf(raw)
  if (limit === undefined && offset !== undefined) refuse('Offset requires limit', { code: 'required', field: 'limit' })
  return limit === undefined ? undefined : { limit, offset: offset ?? 0 }
}

/** A page, also when no limit is passed. */
export const pageOf = (raw: Raw, limit: number): Page => ({ limit: limitOf(raw) ?? limit, offset: offsetOf(raw) ?? 0 })

export function limitOf(raw: Raw): number | undefined {
  const value = passed(raw, 'limit')
  if (value === undefined) return undefined
  const limit = integer(value)
  return limit === undefined || limit < 1 || limit > 1000
    ? refuse(limitRefusal, { code: 'out_of_range', field: 'limit' })
    : limit
}

/** The offset is capped at a number larger than any list, so that PostgreSQL can read it. The page is empty either way. */
function offsetOf(raw: Raw): number | undefined {
  const value = passed(raw, 'offset')
  if (value === undefined) return undefined
  const offset = integerOfAnySize(value)
  return offset === undefined || offset < 0
    ? refuse(offsetRefusal, { code: 'out_of_range', field: 'offset' })
    : Math.min(offset, Number.MAX_SAFE_INTEGER)
}

export const limitRefusal = 'Invalid limit value. Must be between 1 and 1000'
const offsetRefusal = 'Invalid offset value. Must be 0 or greater'

export const pageRefusals: readonly string[] = [limitRefusal, offsetRefusal, 'Offset requires limit']
