// quotes/delete: delete a draft.

import { z } from 'zod'
import { write } from '../../kernel/method.ts'
import { keyInput, keyRefusals } from './input.ts'
import { notADraft, refuseUnlessDraft } from './quote.ts'
import { factsOfQuote, loadQuote, type QuoteFacts, writtenQuote } from './store.ts'

export const deleteQuote = write({
  path: 'quotes/delete',
  whenFull: 'always',
  api: 'app',
  summary: 'Delete a draft of a quote.',
  input: keyInput,
  output: z.object({}),
  refusals: [...keyRefusals, notADraft],
  example: { request: { quote_id: 1 }, response: { success: true } },
  facts: ({ id }, context) => factsOfQuote(context, id),
  plan: (_input, facts: QuoteFacts) => {
    const before = loadQuote(facts)
    refuseUnlessDraft(before)
    return { before, after: undefined }
  },
  write: (change, transaction) => writtenQuote(change, transaction),
  response: () => ({}),
})
