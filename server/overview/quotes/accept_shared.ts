// quotes/accept_shared: the customer who has the link of a quote accepts it. It becomes a sale, once.

import { z } from 'zod'
import { write } from '../../kernel/method.ts'
import { sessionMethod } from '../../platform/requests/request.ts'
import {
  type AcceptanceFacts,
  factsOfAcceptance,
  planAcceptance,
  writtenAcceptance,
} from '../../sales/quotes/accept.ts'
import { isDeclined } from '../../sales/quotes/quote.ts'
import { loadQuote } from '../../sales/quotes/store.ts'
import {
  acceptanceInput,
  type Decision,
  decide,
  decisionLog,
  type LinkFacts,
  linkOf,
  refuseUnlessLinked,
} from './decision.ts'
import { decidedBefore, refuseDecided, refuseUnknown, sharedRefusals } from './shared.ts'

const declared = {
  path: 'quotes/accept_shared',
  summary: 'Accept a quote by the token of its link, without an account: it becomes a sale.',
  notes: ['A quote becomes one sale, however often it is accepted.'],
  output: z.object({}),
  refusals: [...sharedRefusals, 'No name in input', decidedBefore],
  example: { request: { token: '1029384756.9c1…', name: 'Ada Beech' }, response: { success: true } },
}

/** The write, in the company's order and with its events. */
const acceptance = write({
  ...declared,
  api: 'app',
  input: { schema: z.object({}), read: (): Decision => refuseUnknown() },
  facts: ({ quoteId }, { companyId }) => factsOfAcceptance({ company_id: companyId, quote_id: quoteId }),
  moreFacts: linkOf,
  plan: (decision: Decision, facts: AcceptanceFacts, transaction) => {
    refuseUnlessLinked(facts as AcceptanceFacts & LinkFacts)
    if (isDeclined(loadQuote(facts))) refuseDecided()
    return { decision, acceptance: planAcceptance(facts, transaction) }
  },
  write: ({ decision, acceptance: accepted }, transaction) =>
    writtenAcceptance(accepted, transaction, [decisionLog(decision, 'accepted', transaction)]),
  response: () => ({}),
})

export const acceptSharedQuote = sessionMethod({
  ...declared,
  needsSession: false,
  input: acceptanceInput,
  run: async (answer, caller, services) => {
    await decide(acceptance, answer, caller, services)
    return { response: {} }
  },
})
