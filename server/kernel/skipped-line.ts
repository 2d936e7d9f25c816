// The sentence added to the notes for a line whose item was not found, with and without its total.

import { formatDecimal, type Money, moneyPlaces, type Quantity, quantityPlaces } from './decimal.ts'
import { capitalized } from './field.ts'

export type SkippedLine = {
  readonly kind: string
  /** `SKU "A-1"` or `id 7`. */
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

const start = '(?:Product|Material) not found: (?:SKU "|id )'
const isSentence = new RegExp(`^${start}`)
const total = /(?<=, amount [0-9.]+), total -?[0-9.]+$/

/** Notes without the totals of such sentences. Only the last total of a line is removed: one before it is part of the SKU. */
export const withoutTotals = (notes: string): string =>
  notes
    .split('\n')
    .map((line) => (isSentence.test(line) ? line.replace(total, '') : line))
    .join('\n')

/**
 * SQL condition: the text that consists of `before` and `notes` matches the pattern `:search` even without such totals. Otherwise a user who may not
 * see money could find a total digit by digit. Applied to rows that match, and only if the pattern could match a number.
 */
export const notByTotals = (notes: string, before: string): string => `(
  strpos(${notes}, ' not found: ') = 0 or :search !~ '[0-9.-]' or lower(${before} || (
    select string_agg(case when o.line ~ '^${start}' then regexp_replace(o.line, ', total -?[0-9.]+$', '') else o.line end, e'\\n' order by o.place)
    from string_to_table(${notes}, e'\\n') with ordinality as o (line, place))) like lower(:search))`
