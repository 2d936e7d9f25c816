// webhooks/add: a new endpoint. Its secret is shown once.

import { z } from 'zod'
import { write } from '../../kernel/method.ts'
import { refuse } from '../../kernel/refusal.ts'
import { statement } from '../../kernel/statement.ts'
import {
  hasWebhooks,
  maxWebhooks,
  newSecret,
  optionRefusals,
  optionSchema,
  readOptions,
  readUrl,
  type Webhook,
  type WebhookFacts,
  webhookFacts,
} from './endpoint.ts'

const insert = statement<
  never,
  Webhook & { company_id: number; webhook_id: number; secret: string; at: string; position: number }
>(
  'webhooks.insert',
  `insert into webhook_endpoints (company_id, id, url, types, description, enabled, secret, created_at, position, disabled_at, disabled_reason)
   values (:company_id, :webhook_id, :url, :types, :description, :enabled, :secret, :at, :position,
     case when not :enabled then :at::timestamptz end, case when not :enabled then 'user' end)`,
)

const tooMany = `A company has at most ${maxWebhooks} webhooks`

export const addWebhook = write({
  path: 'webhooks/add',
  api: 'app',
  role: 'owner',
  needsFreshSignIn: true,
  showsSecret: true,
  summary: 'Create a webhook: every later change is sent to its address.',
  input: {
    schema: z.object({ url: z.string().describe('An https address.'), ...optionSchema }),
    // The secret is generated before the plan, which must be deterministic.
    read: (raw) => ({
      webhook: { url: readUrl(raw), types: null, description: '', enabled: true, ...readOptions(raw) },
      secret: newSecret(),
    }),
  },
  output: z.object({
    webhook_id: z.int(),
    secret: z.string().describe('Verifies the messages. Shown only once.'),
  }),
  refusals: ['No url in input', ...optionRefusals, tooMany],
  example: {
    request: { url: 'https://shop.example/webhooks', types: ['order.created', 'order.updated'] },
    response: { success: true, webhook_id: 1, secret: 'whsec_…' },
  },
  facts: (_input, context) => webhookFacts({ company_id: context.companyId, webhook_id: 0 }),
  plan: (input, facts: WebhookFacts, transaction) => {
    if (facts.webhooks >= maxWebhooks) refuse(tooMany, { code: 'too_many', value: maxWebhooks })
    const enabled = facts.others_enabled > 0 || input.webhook.enabled
    return { ...input, id: transaction.ids.next('webhook_id'), enabled }
  },
  write: ({ id, webhook, secret, enabled }, { context: { companyId }, at, seq }) => ({
    statements: [
      // Its own event is the last one that is not sent.
      insert({ company_id: companyId, webhook_id: id, ...webhook, secret, at, position: seq }),
      ...hasWebhooks(companyId, { any: true, enabled }),
    ],
    event: { record: 'webhook', recordId: id, change: webhook },
  }),
  response: ({ id, secret }) => ({ webhook_id: id, secret }),
})
