// Filters shared by the reads of stock.

import { z } from 'zod'
import { id, passed } from '../kernel/field.ts'
import type { Raw } from '../kernel/json.ts'
import type { Page } from '../kernel/page.ts'
import { refuse } from '../kernel/refusal.ts'

export const types = ['products', 'materials'] as const

export const oneOf = <T extends string>(raw: Raw, field: string, allowed: readonly T[]): T | null => {
  const value = passed(raw, field)
  if (value === undefined) return null
  return (
    allowed.find((one) => one === value) ??
    refuse(`Invalid ${field} value. Must be one of: ${allowed.join(', ')}`, { code: 'not_a_choice', field })
  )
}
export const optionalId = (raw: Raw, field: string): number | null => {
  const value = passed(raw, field)
  return value === undefined ? null : id(value)
}

export const typeOf = `(i.kind || 's')`
export const dateRefusal = 'Date is not a valid date in format YYYY-MM-DD'
export const typeRefusal = 'Invalid type value. Must be one of: products, materials'

/** SQL: a movement was recorded after a time. Ids and times of movements rise together, so only the newest are scanned. */
export const bookedSince = (alias: string, time: string): string => `${alias}.id > coalesce((
  select e.id from stock_movements e where e.company_id = :company_id and e.recorded_at <= ${time} order by e.id desc limit 1), 0)`

export const typeSchema = z.enum(types).optional().describe('Only products or only materials.')
export const idSchema = z.union([z.int(), z.string()]).optional()
export const skuSchema = z
  .string()
  .optional()
  .describe('Only the item with exactly this SKU (for products also an alternative one).')

export type Wanted<Filters> = { readonly filters: Filters; readonly page: Page | undefined }
