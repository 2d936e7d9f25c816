// The scope of an API connection: reading it from a request, and its columns.

import { z } from 'zod'
import { array, date, flag, integer, isBlank, passed, textValue, tooMany } from '../kernel/field.ts'
import type { Raw } from '../kernel/json.ts'
import { refuse } from '../kernel/refusal.ts'
import { networkFrom } from '../platform/process/network.ts'

/** The sections of the public API. */
export const apiSections: readonly string[] = [
  'orders',
  'purchases',
  'productions',
  'writeoffs',
  'transfers',
  'audits',
  'stock',
  'products',
  'materials',
  'resources',
  'customers',
  'suppliers',
  'units',
  'categories',
  'storages',
  'events',
]

/** The columns of api_connections. */
export type Scope = {
  readonly read_only: boolean
  readonly sections: readonly string[] | null
  readonly expires_on: string | null
  readonly networks: readonly string[] | null
  readonly hides_costs: boolean
  /** Requests per day; null: all those of the company. */
  readonly daily_limit: number | null
}

export const wholeScope: Scope = {
  read_only: false,
  sections: null,
  expires_on: null,
  networks: null,
  hides_costs: false,
  daily_limit: null,
}

const maxNetworks = 50
const mostRequests = 1_000_000_000
const invalidSections = `Invalid sections value. Must be any of: ${apiSections.join(', ')}`
const invalidNetworks = 'Invalid networks value. Must be networks such as 10.0.0.0/8'

const invalidLimit = `Invalid daily_limit value. Must be a whole number from 0 to ${mostRequests}`

/** `undefined` when it is not passed; an empty text means no limit of its own. */
function readLimit(raw: Raw): number | null | undefined {
  const value = passed(raw, 'daily_limit')
  if (value === undefined) return undefined
  if (isBlank(value)) return null
  const limit = integer(value)
  return limit === undefined || limit < 0 || limit > mostRequests
    ? refuse(invalidLimit, { code: 'out_of_range', field: 'daily_limit' })
    : limit
}

/** The parts of a scope that were passed. An empty list means all sections, or any network; an empty date means that keys do not expire. */
export function readScope(raw: Raw): Partial<Scope> {
  const readOnly = flag(raw, 'read_only')
  const hidesCosts = flag(raw, 'hides_costs')
  const sections = array(raw, 'sections', apiSections.length)?.map((one) =>
    apiSections.includes(String(one))
      ? String(one)
      : refuse(invalidSections, { code: 'not_a_choice', field: 'sections' }),
  )
  const networks = array(raw, 'networks', maxNetworks)?.map((one) => {
    const text = textValue(one, 'networks', { max: 50, trim: true })
    return networkFrom(text) === undefined ? refuse(invalidNetworks, { code: 'malformed', field: 'networks' }) : text
  })
  const expires = passed(raw, 'expires_on') === '' ? null : date(raw, 'expires_on')
  const limit = readLimit(raw)
  return {
    ...(readOnly === undefined ? {} : { read_only: readOnly }),
    ...(hidesCosts === undefined ? {} : { hides_costs: hidesCosts }),
    ...(sections === undefined ? {} : { sections: sections.length === 0 ? null : [...new Set(sections)] }),
    ...(expires === undefined ? {} : { expires_on: expires }),
    ...(networks === undefined ? {} : { networks: networks.length === 0 ? null : networks }),
    ...(limit === undefined ? {} : { daily_limit: limit }),
  }
}

export const scopeSchema = {
  read_only: z
    .union([z.literal(0), z.literal(1), z.boolean()])
    .optional()
    .describe('1: its keys may call only methods that read.'),
  sections: z
    .array(z.string())
    .max(apiSections.length)
    .optional()
    .describe('Sections that its keys may call; empty: all.'),
  expires_on: z
    .string()
    .optional()
    .describe('The last day on which its keys work, `YYYY-MM-DD`; empty: they do not expire.'),
  networks: z
    .array(z.string())
    .max(maxNetworks)
    .optional()
    .describe('Networks from which its keys may be used, such as `10.0.0.0/8`; empty: any.'),
  hides_costs: z
    .union([z.literal(0), z.literal(1), z.boolean()])
    .optional()
    .describe('1: costs are left out of the responses to its keys.'),
  daily_limit: z
    .union([z.int(), z.string()])
    .optional()
    .describe('Requests per day of its keys together; empty: all those of the company.'),
}

export const scopeRefusals: readonly string[] = [
  'Invalid read_only value. Must be one of: 0, 1',
  'Sections is not an array',
  tooMany('sections', apiSections.length),
  invalidSections,
  'Networks is not an array',
  tooMany('networks', maxNetworks),
  invalidNetworks,
  'Date is not a valid date in format YYYY-MM-DD',
  'Invalid hides_costs value. Must be one of: 0, 1',
  invalidLimit,
]
