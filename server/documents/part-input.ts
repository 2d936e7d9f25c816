// A part of a document in requests: its day and its goods, with the error texts of every check.

import { z } from 'zod'
import { maxQuantity, type Quantity, quantityPlaces } from '../kernel/decimal.ts'
import { array, date, decimal, id, isObject, isPassed, passed, requiredId, tooMany } from '../kernel/field.ts'
import type { Raw } from '../kernel/json.ts'
import type { Input } from '../kernel/method.ts'
import { refuse } from '../kernel/refusal.ts'
import { idField, missing, wordFor } from '../platform/lists/record-methods.ts'
import { amountSchema, dateRefusal, idSchema } from './fields.ts'
import { tooLargeRefusal } from './limits.ts'
import { maxLines } from './lines.ts'
import { isCanceled, isDone, nothingTo, type PartTerms, tooManyParts, type Wanted } from './parts.ts'

export type PartInput = { readonly id: number; readonly date: string | undefined; readonly goods: readonly Wanted[] }

export const partInput = (terms: PartTerms): Input<PartInput> => ({
  schema: z.object({
    [idField(terms.of)]: idSchema.describe(`Id of the ${wordFor(terms.of)}.`),
    date: z.string().optional().describe('Day of this part, `YYYY-MM-DD`. Default: today.'),
    lines: z
      .array(z.object({ id: idSchema.describe('Id of the item.'), amount: amountSchema.describe('Quantity.') }))
      .max(maxLines)
      .describe('The goods of this part, by item.'),
  }),
  read: (raw) => {
    const ownId = requiredId(raw, idField(terms.of))
    const day = date(raw, 'date')
    const readId = (line: Raw, at: number): number =>
      isPassed(line, 'id')
        ? id(passed(line, 'id'))
        : refuse(`Id not set for line ${at}`, { code: 'malformed', ...placeOf(at) })
    const goods = readPartLines(terms, array(raw, 'lines', maxLines) ?? [], readId)
    return { id: ownId, date: day, goods: goods.map(({ item, amount }) => ({ itemId: item, amount })) }
  },
})

const placeOf = (at: number) => ({ field: 'lines', line: at })

/** The lines of a part. `readItem` reads how a line names its item. */
export function readPartLines<Item>(
  terms: PartTerms,
  lines: readonly unknown[],
  readItem: (line: Raw, at: number) => Item,
): { readonly item: Item; readonly amount: Quantity }[] {
  if (lines.length === 0) refuse(nothingTo(terms), { code: 'nothing_chosen', field: 'lines' })
  return lines.map((line, at) => {
    if (!isObject(line)) refuse(`Line ${at} must be an object`, { code: 'malformed', ...placeOf(at) })
    return { item: readItem(line, at), amount: readAmount(line, at) }
  })
}

function readAmount(raw: Raw, at: number): Quantity {
  const place = placeOf(at)
  if (!isPassed(raw, 'amount')) refuse(`Amount not set for line ${at}`, { code: 'amount_not_positive', ...place })
  const amount = decimal(passed(raw, 'amount'), quantityPlaces)
  if (amount === undefined || amount <= 0n) {
    refuse(`Amount must be greater than 0 for line ${at}`, { code: 'amount_not_positive', ...place })
  }
  if (amount > maxQuantity) refuse(`Amount is too large for line ${at}`, { code: 'amount_too_large', ...place })
  return amount
}

const idNotSet = 'Id not set for line <n>'

/** `itemNotSet` is the text for a line that names no item. */
export const partRefusals = (terms: PartTerms, itemNotSet = idNotSet): readonly string[] => [
  `No ${idField(terms.of)} in input`,
  dateRefusal,
  'Lines is not an array',
  tooMany('lines', maxLines),
  nothingTo(terms),
  'Line <n> must be an object',
  itemNotSet,
  'Amount not set for line <n>',
  'Amount must be greater than 0 for line <n>',
  'Amount is too large for line <n>',
  missing(terms.of),
  isCanceled(terms),
  isDone(terms),
  `Line <n> names an item that is not in the ${terms.of.noun}`,
  `Only <n> left to ${terms.verb} of product with SKU "<sku>"`,
  tooManyParts,
  tooLargeRefusal,
]
