// quotes/revoke: the link of a quote stops working.

import { z } from 'zod'
import { write } from '../../kernel/method.ts'
import { keyInput, keyRefusals } from './input.ts'
import { factsOfQuote, loadQuote, type QuoteFacts, revokeLinks, writtenQuote } from './store.ts'

export const revokeQuoteLink = write({
  path: 'quotes/revoke',
  whenFull: 'always',
  api: 'app',
  summary: 'Revoke the link of a quote. The quote keeps its status.',
  input: keyInput,
  output: z.object({}),
  refusals: keyRefusals,
  example: { request: { quote_id: 1 }, response: { success: true } },
  facts: ({ id }, context) => factsOfQuote(context, id),
  plan: (_input, facts: QuoteFacts) => ({ quote: loadQuote(facts), hasLink: facts.has_link }),
  write: ({ quote, hasLink }, transaction) => {
    if (!hasLink) return undefined
    const { at, context } = transaction
    const revoked = revokeLinks({ company_id: context.companyId, quote_id: quote.id, at })
    return writtenQuote({ before: quote, after: quote }, transaction, [revoked])
  },
  response: () => ({}),
})
