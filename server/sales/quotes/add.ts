// quotes/add: a new quote, as a draft.

import { z } from 'zod'
import { nextNumber, skipTakenNumbers } from '../../documents/document.ts'
import { allLines, heldBy } from '../../documents/lines.ts'
import type { TransactionContext } from '../../kernel/clock.ts'
import { quoteStatus } from '../../kernel/document-statuses.ts'
import { write } from '../../kernel/method.ts'
import { refuse } from '../../kernel/refusal.ts'
import { Items } from '../../stock/items.ts'
import { refuseMaterials } from '../input.ts'
import { addInput, fieldRefusals, type QuoteInput } from './input.ts'
import { defaultValidUntil, type Quote, quoteKind, validBeforeItsDay } from './quote.ts'
import { factsOfNamed, type NamedFacts, type QuoteChange, writtenQuote } from './store.ts'

export const addQuote = write({
  path: 'quotes/add',
  api: 'app',
  summary: 'Create a quote.',
  notes: ['It is a draft until it is sent. A quote has no effect on stock.'],
  input: addInput,
  output: z.object({ quote_id: z.int().describe('Id of the new quote.') }),
  refusals: ['No customer_id in input', ...fieldRefusals],
  example: {
    request: {
      customer_id: 1,
      products: [{ id: 1, amount: 2, total: 498 }],
      date_placed: '2026-03-12',
      valid_until: '2026-04-11',
    },
    response: { success: true, quote_id: 1 },
  },
  facts: (input, context) => factsOfNamed(context, 0, input),
  plan: (input, facts: NamedFacts, transaction): QuoteChange => {
    const after = settledQuote(input, undefined, facts, transaction)
    return { before: undefined, after: { ...after, id: transaction.ids.next(quoteKind.counter) } }
  },
  write: writtenQuote,
  response: ({ after }) => ({ quote_id: after?.id ?? 0 }),
})

/** The quote with the values of the request. A new one has no id yet. */
export function settledQuote(
  input: QuoteInput,
  before: Quote | undefined,
  facts: NamedFacts,
  transaction: TransactionContext,
): Quote {
  const { company } = facts
  refuseMaterials(input.lines?.filter(({ kind }) => kind === 'material').length ?? 0, company)
  const lines =
    input.lines === undefined ? (before?.lines ?? []) : allLines(input.lines, new Items(facts), heldBy(before))
  if (input.customerId !== undefined && input.customerId !== before?.customerId && facts.party === null)
    refuse('Customer not found', { code: 'customer_not_found', field: 'customer_id' })
  const datePlaced = input.datePlaced ?? before?.datePlaced ?? company.today
  const validUntil = input.validUntil ?? before?.validUntil ?? defaultValidUntil(datePlaced)
  if (validUntil < datePlaced) refuse(validBeforeItsDay, { code: 'valid_before_its_day', field: 'valid_until' })
  skipTakenNumbers(quoteKind, facts.free_number, transaction)
  return {
    id: before?.id ?? 0,
    num: input.num ?? before?.num ?? nextNumber(quoteKind, transaction),
    status: before?.status ?? quoteStatus.draft,
    datePlaced,
    validUntil,
    customerId: input.customerId ?? before?.customerId ?? 0,
    deliveryPrice: input.deliveryPrice ?? before?.deliveryPrice ?? 0n,
    discount: input.discount ?? before?.discount ?? 0n,
    notes: input.notes ?? before?.notes ?? '',
    // Of a draft it is computed when it is read.
    tax: null,
    saleId: before?.saleId ?? null,
    lines,
  }
}
