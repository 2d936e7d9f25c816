// `after` and `limit` of the lists that a client reads on from where it was.

import { z } from 'zod'
import { integerOfAnySize, passed } from './field.ts'
import type { Raw } from './json.ts'
import { limitOf, limitRefusal } from './page.ts'
import { refuse } from './refusal.ts'

export const invalidAfter = 'Invalid after value. Must be 0 or greater'

export type After = { readonly after: number; readonly limit: number }

export function readAfter(raw: Raw): After {
  const value = passed(raw, 'after')
  const after = value === undefined ? 0 : integerOfAnySize(value)
  if (after === undefined || after < 0) refuse(invalidAfter)
  // No event has a larger number than that.
  return { after: Math.min(after, Number.MAX_SAFE_INTEGER), limit: limitOf(raw) ?? 100 }
}

export const sinceSchema = {
  after: z
    .union([z.int(), z.string()])
    .optional()
    .describe('`next` of the previous response. Default 0: from the start.'),
  limit: z.union([z.int(), z.string()]).optional().describe('At most this many, 1 to 1000. Default 100.'),
}
export const sinceRefusals: readonly string[] = [invalidAfter, limitRefusal]
