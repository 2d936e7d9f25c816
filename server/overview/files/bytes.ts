// The bytes of a file in a request.

import { createHash } from 'node:crypto'
import { required, textValue } from '../../kernel/field.ts'
import type { Raw } from '../../kernel/json.ts'
import { refuse } from '../../kernel/refusal.ts'

export const notBase64 = 'Invalid <field> value. Must be base64'

/** The bytes, and the same as base64 in the one form that PostgreSQL reads. `tooLarge` is the error text of more than `max` bytes. */
export function readBytes(
  raw: Raw,
  field: string,
  max: number,
  tooLarge: string,
): { readonly bytes: Buffer; readonly base64: string } {
  const sent = required(raw, field)
  const base64Length = Math.ceil(max / 3) * 4
  if (typeof sent === 'string' && sent.length > base64Length) refuse(tooLarge, { code: 'too_long', field, value: max })
  const given = textValue(sent, field, { max: base64Length })
  const bytes = Buffer.from(given, 'base64')
  const base64 = bytes.toString('base64')
  // Buffer.from ignores what is not base64.
  if (base64 !== given || bytes.length === 0) refuse(notBase64.replace('<field>', field), { code: 'malformed', field })
  if (bytes.length > max) refuse(tooLarge, { code: 'too_long', field, value: max })
  return { bytes, base64 }
}

/** The part of the address of a file that follows from its content. */
export const tagOf = (bytes: Buffer): string => createHash('sha256').update(bytes).digest('base64url').slice(0, 22)
