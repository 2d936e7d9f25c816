// quotes/decline_shared: the customer who has the link of a quote declines it.

import { z } from 'zod'
import { write } from '../../kernel/method.ts'
import { sessionMethod } from '../../platform/requests/request.ts'
import { declinedQuote } from '../../sales/quotes/decline.ts'
import { isAccepted, isDeclined } from '../../sales/quotes/quote.ts'
import { factsOfQuote, loadQuote, type QuoteFacts, writtenQuote } from '../../sales/quotes/store.ts'
import {
  answerInput,
  type Decision,
  decide,
  decisionLog,
  type LinkFacts,
  linkOf,
  refuseUnlessLinked,
} from './decision.ts'
import { decidedBefore, refuseDecided, refuseUnknown, sharedRefusals } from './shared.ts'

const declared = {
  path: 'quotes/decline_shared',
  summary: 'Decline a quote by the token of its link, without an account.',
  output: z.object({}),
  refusals: [...sharedRefusals, decidedBefore],
  example: { request: { token: '1029384756.9c1…', name: 'Ada Beech' }, response: { success: true } },
}

const refusal = write({
  ...declared,
  api: 'app',
  input: { schema: z.object({}), read: (): Decision => refuseUnknown() },
  facts: ({ quoteId }, context) => factsOfQuote(context, quoteId),
  moreFacts: linkOf,
  plan: (decision: Decision, facts: QuoteFacts) => {
    refuseUnlessLinked(facts as QuoteFacts & LinkFacts)
    const before = loadQuote(facts)
    if (isAccepted(before)) refuseDecided()
    return { decision, change: { before, after: declinedQuote(before) } }
  },
  write: ({ decision, change }, transaction) =>
    isDeclined(change.before)
      ? undefined
      : writtenQuote(change, transaction, [decisionLog(decision, 'declined', transaction)]),
  response: () => ({}),
})

export const declineSharedQuote = sessionMethod({
  ...declared,
  needsSession: false,
  input: answerInput,
  run: async (answer, caller, services) => {
    await decide(refusal, answer, caller, services)
    return { response: {} }
  },
})
