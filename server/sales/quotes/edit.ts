// quotes/edit: change a draft.

import { z } from 'zod'
import { write } from '../../kernel/method.ts'
import { settledQuote } from './add.ts'
import { editInput, fieldRefusals, keyRefusals } from './input.ts'
import { notADraft, refuseUnlessDraft } from './quote.ts'
import { factsOfNamed, loadQuote, type NamedFacts, type QuoteChange, writtenQuote } from './store.ts'

export const editQuote = write({
  path: 'quotes/edit',
  api: 'app',
  summary: 'Change a draft of a quote.',
  notes: ['Only the fields that are passed change; lines are replaced as a whole.'],
  input: editInput,
  output: z.object({}),
  refusals: [...keyRefusals, notADraft, ...fieldRefusals],
  example: { request: { quote_id: 1, discount: 10 }, response: { success: true } },
  facts: (input, context) => factsOfNamed(context, input.id, input),
  plan: (input, facts: NamedFacts, transaction): QuoteChange => {
    const before = loadQuote(facts)
    refuseUnlessDraft(before)
    return { before, after: settledQuote(input, before, facts, transaction) }
  },
  write: (change, transaction) => writtenQuote(change, transaction),
  response: () => ({}),
})
