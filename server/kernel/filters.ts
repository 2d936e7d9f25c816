// The filters search, updated_after and ids of lists.

import { z } from 'zod'
import { array, id, nameLength, passed, text, textRefusals } from './field.ts'
import { foldedText } from './folded-text.ts'
import type { Raw } from './json.ts'
import { type Page, page, pageRefusals } from './page.ts'
import { refuse } from './refusal.ts'

export type Filters = {
  /** A pattern for LIKE in which the caller's text is escaped. The database lowercases both sides, so that both use the same rules. */
  readonly search: string | null
  readonly updatedAfter: string | null
  readonly ids: readonly number[] | null
}

const maxIds = 1000
const tooManyIds = `Invalid ids value. Must be at most ${maxIds} ids`
export const idsSchema = z.array(z.int()).max(maxIds)
export const idsRefusals: readonly string[] = ['Ids is not an array', tooManyIds]
export const readIds = (raw: Raw): readonly number[] | null => array(raw, 'ids', maxIds, tooManyIds)?.map(id) ?? null

export const filtersSchema = {
  search: z.string().optional().describe('Part of the name, number, SKU or code; upper and lower case are the same.'),
  updated_after: z.string().optional().describe('Only records changed after this time, ISO 8601 with zone.'),
  ids: idsSchema.optional().describe('Only the records with these ids.'),
}

export const pageSchema = {
  limit: z.int().min(1).max(1000).optional().describe('Page size, 1 to 1000.'),
  offset: z.int().min(0).optional().describe('Records to skip; only with `limit`.'),
}

export const indexedFilterRefusals: readonly string[] = [
  'Invalid updated_after value. Must be a time in ISO 8601',
  ...idsRefusals,
]
const commonFilterRefusals: readonly string[] = [...textRefusals, ...indexedFilterRefusals]
export const filterRefusals: readonly string[] = [...commonFilterRefusals, ...pageRefusals]

/** The search text, folded, as a pattern for LIKE; `null` when none is passed. */
export function searchPattern(raw: Raw): string | null {
  const search = text(raw, 'search', { max: nameLength, trim: true })
  return search === undefined || search === '' ? null : containing(search)
}

/** The pattern of the texts that contain this one. */
export const containing = (search: string): string => `%${literally(foldedText(search))}%`

/** Whether a request of any method that reads searches for a text. */
export const isSearch = (raw: Raw): boolean => passed(raw, 'search') !== undefined

/** How much of a text is searched: LIKE takes time in proportion to the length of the text and of the pattern. */
const searchedLength = 2_000

/** SQL: the part of a text that is searched. */
export const searched = (column: string): string =>
  `case when octet_length(${column}) <= ${searchedLength} then ${column} else left(${column}, ${searchedLength}) end`

/** Escapes the special characters of LIKE. */
const literally = (text: string): string => text.replace(/[\\%_]/g, '\\$&')

export const readUpdatedAfter = (raw: Raw): string | null => time(raw, 'updated_after')

export function readFilters(raw: Raw): { filters: Filters; page: Page | undefined } {
  const filters = { search: searchPattern(raw), updatedAfter: readUpdatedAfter(raw), ids: readIds(raw) }
  return { filters, page: page(raw) }
}

const iso = /^(\d{4})-(\d{2})-(\d{2})T([01]\d|2[0-3]):[0-5]\d(:[0-5]\d(\.\d{1,9})?)?(Z|[+-](0\d|1[0-5]):?[0-5]\d)$/

function time(raw: Raw, field: string): string | null {
  const value = passed(raw, field)
  if (value === undefined) return null
  // Date.parse and the pattern both accept February 30, so the day is checked separately.
  const valid = typeof value === 'string' && iso.test(value) && dayExists(value)
  return valid ? value : refuse(`Invalid ${field} value. Must be a time in ISO 8601`, { code: 'not_a_time', field })
}

function dayExists(value: string): boolean {
  const day = value.slice(0, 10)
  const parsed = new Date(`${day}T00:00:00Z`)
  return (
    !Number.isNaN(parsed.getTime()) &&
    parsed.toISOString().slice(0, 10) === day &&
    day > '0001-01-02' &&
    day < '9999-12-30'
  )
}
