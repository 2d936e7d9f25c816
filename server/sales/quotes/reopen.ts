// quotes/reopen: a sent or declined quote becomes a draft again, which can be changed. Its link stops working.

import { z } from 'zod'
import { quoteStatus } from '../../kernel/document-statuses.ts'
import { write } from '../../kernel/method.ts'
import { keyInput, keyRefusals } from './input.ts'
import { alreadyAccepted, refuseReopening } from './quote.ts'
import { factsOfQuote, loadQuote, type QuoteFacts, revokeLinks, writtenQuote } from './store.ts'

export const reopenQuote = write({
  path: 'quotes/reopen',
  api: 'app',
  summary: 'Make a sent or declined quote a draft again. Its link stops working.',
  input: keyInput,
  output: z.object({}),
  refusals: [...keyRefusals, alreadyAccepted],
  example: { request: { quote_id: 1 }, response: { success: true } },
  facts: ({ id }, context) => factsOfQuote(context, id),
  plan: (_input, facts: QuoteFacts) => {
    const before = loadQuote(facts)
    refuseReopening(before)
    return { before, after: { ...before, status: quoteStatus.draft, tax: null } }
  },
  write: (change, transaction) => {
    if (change.before.status === quoteStatus.draft) return undefined
    const { at, context } = transaction
    const revoked = revokeLinks({ company_id: context.companyId, quote_id: change.after.id, at })
    return writtenQuote(change, transaction, [revoked])
  },
  response: () => ({}),
})
