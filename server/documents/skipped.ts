// Lines that sales and purchases skip because their item is not found: their sentences in the notes and their entries in the response.

import { z } from 'zod'
import { formatDecimal, moneyPlaces, quantityPlaces } from '../kernel/decimal.ts'
import { notesLength } from '../kernel/field.ts'
import { named } from '../kernel/method.ts'
import { skippedSentence } from '../kernel/skipped-line.ts'
import type { Skipped } from './lines.ts'

const lengthOf = (text: string): number => [...text].length

const restOf = (count: number): string => `… and ${count} more lines not found`

/** Whether a line of notes is the last sentence, about the lines whose sentences did not fit. */
export const isRestSentence = (line: string): boolean => /^… and \d+ more lines not found$/.test(line)

/**
 * Adds a sentence for each skipped line to the notes. Sentences that do not fit are left out and a last one states their number, for which room is
 * kept; the text of the request is never cut. An edit does not repeat a sentence that is already in the notes.
 */
export function withSkipped(notes: string, skipped: readonly Skipped[], isEdit: boolean): string {
  if (skipped.length === 0) return notes
  const existing = new Set(isEdit ? notes.split('\n') : [])
  const kept = notes === '' ? [] : [notes]
  let length = lengthOf(notes)
  const append = (sentence: string, room: number): boolean => {
    const needed = lengthOf(sentence) + (kept.length === 0 ? 0 : 1)
    if (length + needed > room) return false
    length += needed
    kept.push(sentence)
    return true
  }
  const sentences = skipped.map(({ line }) => skippedSentence(line)).filter((sentence) => !existing.has(sentence))
  const whole = [...kept, ...sentences].join('\n')
  if (lengthOf(whole) <= notesLength) return whole
  const room = notesLength - lengthOf(restOf(sentences.length)) - 1
  const left = sentences.filter((sentence) => !append(sentence, room)).length
  const rest = restOf(left)
  if (!existing.has(rest)) append(rest, notesLength)
  return kept.join('\n')
}

/** The field `skipped` of a response; absent when every line was found. */
export const skippedResponse = (skipped: readonly Skipped[]): { skipped?: object[] } =>
  skipped.length === 0 ? {} : { skipped: skipped.map(shownSkipped) }

const shownSkipped = ({ position, line: { kind, named, label, amount, total } }: Skipped): object => ({
  position,
  type: kind,
  // An id that cannot be valid is shown as it was sent.
  ...('sku' in named
    ? named
    : 'externalId' in named
      ? { external_id: named.externalId }
      : { id: named.id > 0 ? named.id : label.slice('id '.length) }),
  amount: Number(formatDecimal(amount, quantityPlaces)),
  total: Number(formatDecimal(total, moneyPlaces)),
})

export const skippedSchema = {
  skipped: z
    .array(
      named(
        'SkippedLine',
        z.object({
          position: z.int().describe('Index of the line as it was sent, materials after products.'),
          type: z.enum(['product', 'material']).describe('Kind of the item in the request.'),
          sku: z.string().optional().describe('The SKU in the request.'),
          id: z.union([z.int(), z.string()]).optional().describe('The id in the request.'),
          external_id: z.string().optional().describe('The external id in the request.'),
          amount: z.number().describe('Quantity.'),
          total: z.number().describe('Total of the line.'),
        }),
      ),
    )
    .optional()
    .describe('Lines that were left out because their item was not found; absent when every line was found.'),
}
