// `include`: the parts of a sale that are returned only when they are asked for.

import { z } from 'zod'
import { array, tooMany } from '../kernel/field.ts'
import type { Raw } from '../kernel/json.ts'
import { refuse } from '../kernel/refusal.ts'
import type { Shown } from './view.ts'

const parts = ['lines', 'meta'] as const
const refusal = `Invalid include value. Must be any of: ${parts.join(', ')}`
/** A part may be named twice, but not without end. */
const maxParts = 100

export const includeSchema = {
  include: z
    .array(z.enum(parts))
    .max(maxParts)
    .optional()
    .describe('`lines`: the lines (get_entry always has them). `meta`: external id, times and version.'),
}
export const includeRefusals: readonly string[] = ['Include is not an array', tooMany('include', maxParts), refusal]

export function readInclude(raw: Raw): Shown {
  const included = array(raw, 'include', maxParts) ?? []
  if (included.some((one) => !parts.some((part) => part === one)))
    refuse(refusal, { code: 'not_a_choice', field: 'include' })
  return { with_lines: included.includes('lines') || null, with_meta: included.includes('meta') || null }
}
