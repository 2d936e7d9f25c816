// webhooks/delete: removes an endpoint with its log.

import { z } from 'zod'
import { write } from '../../kernel/method.ts'
import { statement } from '../../kernel/statement.ts'
import { factsOf, hasWebhooks, loadWebhook, noSuch, type WebhookFacts, webhookIdInput } from './endpoint.ts'

type Key = { readonly company_id: number; readonly webhook_id: number }
const removeLog = statement<never, Key>(
  'webhooks.delete_deliveries',
  'delete from webhook_deliveries where company_id = :company_id and webhook_id = :webhook_id',
)
const removeParked = statement<never, Key>(
  'webhooks.delete_parked',
  'delete from webhook_parked where company_id = :company_id and webhook_id = :webhook_id',
)
const remove = statement<never, Key>(
  'webhooks.delete',
  'delete from webhook_endpoints where company_id = :company_id and id = :webhook_id',
)

export const deleteWebhook = write({
  path: 'webhooks/delete',
  whenFull: 'always',
  api: 'app',
  role: 'owner',
  summary: 'Delete a webhook and its log. Nothing more is sent to it.',
  input: webhookIdInput,
  output: z.object({}),
  refusals: ['No webhook_id in input', noSuch],
  example: { request: { webhook_id: 1 }, response: { success: true } },
  facts: factsOf,
  plan: (input, facts: WebhookFacts) => {
    const { position: _position, ...before } = loadWebhook(facts)
    return { id: input.id, before, has: { any: facts.webhooks > 1, enabled: facts.others_enabled > 0 } }
  },
  write: ({ id, before, has }, { context: { companyId } }) => {
    const key = { company_id: companyId, webhook_id: id }
    return {
      statements: [remove(key), removeParked(key), removeLog(key), ...hasWebhooks(companyId, has)],
      event: { record: 'webhook', recordId: id, change: before },
    }
  },
  response: () => ({}),
})
