// Reads a code from a request: six digits of an authenticator app, or a recovery code. Blanks and hyphens are left out.

import { z } from 'zod'
import { required, textValue } from '../../kernel/field.ts'
import type { Raw } from '../../kernel/json.ts'

const longest = 64

export const codeSchema = z.string().describe('Six digits of the authenticator app, or a recovery code.')

export function readCode(raw: Raw): string {
  return textValue(required(raw, 'code'), 'code', { max: longest })
    .replace(/[\s-]+/g, '')
    .toLowerCase()
}

export const codeRefusals: readonly string[] = ['No code in input']
