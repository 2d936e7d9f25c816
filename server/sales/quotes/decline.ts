// quotes/decline: the customer does not want what a quote offers.

import { z } from 'zod'
import { quoteStatus } from '../../kernel/document-statuses.ts'
import { write } from '../../kernel/method.ts'
import { keyInput, keyRefusals } from './input.ts'
import { notSent, type Quote, refuseUnlessSent } from './quote.ts'
import { factsOfQuote, loadQuote, type QuoteFacts, writtenQuote } from './store.ts'

export const declineQuote = write({
  path: 'quotes/decline',
  api: 'app',
  summary: 'Mark a sent quote as declined.',
  input: keyInput,
  output: z.object({}),
  refusals: [...keyRefusals, notSent],
  example: { request: { quote_id: 1 }, response: { success: true } },
  facts: ({ id }, context) => factsOfQuote(context, id),
  plan: (_input, facts: QuoteFacts) => {
    const before = loadQuote(facts)
    return { before, after: declinedQuote(before) }
  },
  write: (change, transaction) => writtenQuote(change, transaction),
  response: () => ({}),
})

/** Declining again changes nothing. */
export function declinedQuote(quote: Quote): Quote {
  if (quote.status !== quoteStatus.declined) refuseUnlessSent(quote)
  return { ...quote, status: quoteStatus.declined }
}
