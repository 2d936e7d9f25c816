// The input of quotes/add and quotes/edit.

import { z } from 'zod'
import {
  amountSchema,
  chargeRefusals,
  charges,
  chargesSchema,
  dateRefusal,
  idSchema,
  optionalNumber,
} from '../../documents/fields.ts'
import { type LineInput, lineArrayRefusals, lineRefusals, maxLines, takeLines } from '../../documents/lines.ts'
import type { Money } from '../../kernel/decimal.ts'
import { date, id, isPassed, notesLength, passed, requiredId, text, textRefusals } from '../../kernel/field.ts'
import type { Raw } from '../../kernel/json.ts'
import { type Input, named } from '../../kernel/method.ts'
import { refuse } from '../../kernel/refusal.ts'
import type { Settings } from '../../kernel/settings.ts'
import { missing } from '../../platform/lists/record-methods.ts'
import { refuseMaterials } from '../input.ts'
import { quoteKind, validBeforeItsDay } from './quote.ts'

export type QuoteInput = {
  readonly num: string | undefined
  readonly customerId: number | undefined
  readonly datePlaced: string | undefined
  readonly validUntil: string | undefined
  readonly deliveryPrice: Money | undefined
  readonly discount: Money | undefined
  readonly notes: string | undefined
  /** Absent when an edit keeps the lines. */
  readonly lines: readonly LineInput[] | undefined
}

function readFields(raw: Raw, isNew: boolean, settings: Settings | undefined): QuoteInput {
  const linesOf = takeLines(raw, isNew, 'priced')
  const isNamed = isPassed(raw, 'customer_id') && passed(raw, 'customer_id') !== ''
  if (isNew && !isNamed) refuse('No customer_id in input', { code: 'required', field: 'customer_id' })
  const lines = linesOf()
  refuseMaterials(lines?.filter(({ kind }) => kind === 'material').length ?? 0, settings)
  return {
    num: optionalNumber(raw),
    customerId: isNamed ? id(passed(raw, 'customer_id')) : undefined,
    datePlaced: date(raw, 'date_placed'),
    validUntil: date(raw, 'valid_until'),
    ...charges(raw),
    notes: text(raw, 'notes', { max: notesLength }),
    lines,
  }
}

const line = named(
  'SentQuoteLine',
  z.object({
    id: idSchema.optional().describe('Id of the product or material. `id` or `sku` is required.'),
    sku: z.string().optional().describe('SKU.'),
    amount: amountSchema.describe('Quantity, above 0, up to 3 decimals.'),
    total: amountSchema.describe('Total of the line (not the unit price), up to 2 decimals.'),
  }),
)
const fields = {
  num: z.string().optional().describe('Number. Default of add: the next of the sequence.'),
  customer_id: idSchema.optional().describe('Id of the customer. Required in add.'),
  date_placed: z.string().optional().describe('Day of the quote, `YYYY-MM-DD`. Default of add: today.'),
  valid_until: z
    .string()
    .optional()
    .describe('The last day on which it can be accepted, `YYYY-MM-DD`. Default of add: 30 days after its day.'),
  ...chargesSchema,
  notes: z.string().optional().describe('Printed on the quote. The sale gets them too.'),
  products: z.array(line).max(maxLines).optional().describe('Product lines.'),
  materials: z.array(line).max(maxLines).optional().describe('Material lines.'),
}

/** How the methods name their quote. */
export const quoteKeySchema = { quote_id: idSchema.describe('Id of the quote.') }
export const keyInput: Input<{ readonly id: number }> = {
  schema: z.object(quoteKeySchema),
  read: (raw) => ({ id: requiredId(raw, 'quote_id') }),
}
export const keyRefusals: readonly string[] = ['No quote_id in input', missing(quoteKind)]

export const addInput: Input<QuoteInput> = {
  schema: z.object(fields),
  read: (raw, settings) => readFields(raw, true, settings),
}
export const editInput: Input<QuoteInput & { readonly id: number }> = {
  schema: z.object({ ...quoteKeySchema, ...fields }),
  read: (raw, settings) => ({ id: requiredId(raw, 'quote_id'), ...readFields(raw, false, settings) }),
}

export const fieldRefusals: readonly string[] = [
  ...lineArrayRefusals,
  ...lineRefusals('priced', 'refused'),
  'Materials in orders are disabled in company settings',
  'No num in input',
  'Customer not found',
  dateRefusal,
  validBeforeItsDay,
  ...chargeRefusals,
  ...textRefusals,
]
