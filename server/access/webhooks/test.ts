// webhooks/test: sends a message that says nothing has changed. Its result is in the log of the endpoint.

import { z } from 'zod'
import { write } from '../../kernel/method.ts'
import { refuse } from '../../kernel/refusal.ts'
import { factsOf, isOff, loadWebhook, noSuch, type WebhookFacts, webhookIdInput } from './endpoint.ts'
import { insertParked } from './replay.ts'

/** The number of a test in place of that of an event. */
const testSeq = 0

export const testWebhook = write({
  path: 'webhooks/test',
  api: 'app',
  role: 'owner',
  summary: 'Send a test message to a webhook. It is sent once; webhooks/get_deliveries shows the result.',
  input: webhookIdInput,
  output: z.object({}),
  refusals: ['No webhook_id in input', noSuch, isOff],
  example: { request: { webhook_id: 1 }, response: { success: true } },
  facts: factsOf,
  plan: (input, facts: WebhookFacts) => {
    if (!loadWebhook(facts).enabled) refuse(isOff, { code: 'webhook_off' })
    return input
  },
  write: ({ id }, { context: { companyId }, at }) => ({
    statements: [insertParked({ company_id: companyId, webhook_id: id, seq: testSeq, at })],
    event: { record: 'webhook', recordId: id, change: { test: true } },
  }),
  response: () => ({}),
})
