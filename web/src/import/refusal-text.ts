// What is said about a file that cannot be read, and about a row that is refused.

import { messages } from '../messages.ts'
import type { ImportsGetRowsRows } from '../methods.ts'
import { Refusal } from '../server/call.ts'
import type { FileRefusal } from './refusal.ts'

const texts = messages.imports
const mib = 1024 * 1024

export function fileRefusalText(refusal: FileRefusal): string {
  switch (refusal.why) {
    case 'too large':
      return texts.tooLarge(String(refusal.limit / mib))
    case 'unpacks too large':
      return texts.unpacksTooLarge
    case 'too many rows':
      return texts.tooManyRows(refusal.limit)
    case 'too many columns':
      return texts.tooManyColumns(refusal.limit)
    case 'cell too long':
      return texts.cellTooLong(refusal.line)
    case 'open quote':
      return texts.openQuote(refusal.line)
    default:
      return texts.unreadable[refusal.why]
  }
}

export type RowRefusal = NonNullable<ImportsGetRowsRows['refusal']>

const notFound: Readonly<Record<string, (name: string) => string>> = texts.notFound

export function rowRefusalText({ error, code, field, value }: RowRefusal): string {
  if (value !== undefined && code in notFound) return notFound[code]?.(String(value)) ?? error
  if (code === 'item_not_found') return field === 'components' ? error : texts.itemNotFound
  if (code === 'malformed' && value !== undefined) return texts.ambiguous
  if (code === 'record_twice') return texts.twice(String(value ?? ''))
  return new Refusal(0, error, { code, field, value }).message
}
