// `include`: the parts of a record that are returned only when they are asked for.

import { z } from 'zod'
import { array, tooMany } from './field.ts'
import type { Raw } from './json.ts'
import { refuse } from './refusal.ts'

/** A part may be named twice, but not without end. */
const maxParts = 100

/** Which parts are shown: parameters of the statements, null for not. */
export type Included<Part extends string = string> = Readonly<Record<`with_${Part}`, true | null>>

/** Declares `include` for a record with these parts. */
export function declareInclude<Part extends string>(meanings: Readonly<Record<Part, string>>) {
  const parts = Object.keys(meanings) as Part[]
  const refusal = `Invalid include value. Must be any of: ${parts.join(', ')}`
  return {
    schema: {
      include: z
        .array(z.enum(parts))
        .max(maxParts)
        .optional()
        .describe(parts.map((part) => `\`${part}\`: ${meanings[part]}`).join(' ')),
    },
    refusals: ['Include is not an array', tooMany('include', maxParts), refusal] as readonly string[],
    read: (raw: Raw): Included<Part> => {
      const included = array(raw, 'include', maxParts) ?? []
      if (included.some((one) => !parts.some((part) => part === one)))
        refuse(refusal, { code: 'not_a_choice', field: 'include' })
      const shown = parts.map((part) => [`with_${part}`, included.includes(part) || null])
      return Object.fromEntries(shown) as Included<Part>
    },
  }
}
