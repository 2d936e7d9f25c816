// The sentence added to the notes for a line whose item was not found, with and without its total.

import { formatDecimal, type Money, moneyPlaces, type Quantity, quantityPlaces } from './decimal.ts'
import { capitalized } from './field.ts'
import { foldedSql } from './folded-text.ts'

export type SkippedLine = {
  readonly kind: string
  /** `SKU "A-1"`, `id 7` or `external id "17"`. */
  readonly label: string
  readonly amount: Quantity
  readonly total: Money
}

const lineBreaks = /[\n\v\f\r\u0085\u2028\u2029]/g

/** Always one line, even if the SKU contains line breaks, so that the sentence can be found in the notes and ends where the line ends. */
export function skippedSentence({ kind, label, amount, total }: SkippedLine): string {
  const figures = `amount ${formatDecimal(amount, quantityPlaces)}, total ${formatDecimal(total, moneyPlaces)}`
  return `${capitalized(kind)} not found: ${label.replace(lineBreaks, ' ')}, ${figures}`
}

// Also part of SQL, where `:` begins the name of a parameter.
const isSentence = /(Product|Material) not found: (SKU "|(external )?id )/
const totals = /(, amount [0-9.]+), total -?[0-9.]+/g

/**
 * Notes without the totals of such sentences. People edit notes: a sentence may follow other text in its line and be followed by more. So everything that
 * has the form of a total is removed from notes with such a sentence, be it part of an SKU.
 */
export const withoutTotals = (notes: string): string =>
  isSentence.test(notes) ? notes.replaceAll(totals, '$1') : notes

/**
 * SQL condition: the text that consists of `before` and `notes` matches the pattern `:search` even without such totals. Otherwise a user who may not
 * see money could find a total digit by digit. Applied to rows that match, and only if the pattern could match a number.
 */
export const notByTotals = (notes: string, before: string): string => `(
  strpos(${notes}, ' not found: ') = 0 or :search !~ '[0-9.-]' or ${notes} !~ '${isSentence.source}'
    or ${foldedSql(`${before} || regexp_replace(${notes}, '${totals.source}', '\\1', 'g')`)} like :search)`
