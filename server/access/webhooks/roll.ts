// webhooks/roll: a new secret. For a day messages are signed with both, so that the receiver can change over at any time.

import { z } from 'zod'
import { write } from '../../kernel/method.ts'
import { statement } from '../../kernel/statement.ts'
import {
  factsOf,
  loadWebhook,
  newSecret,
  noSuch,
  readWebhookId,
  secretOverlapHours,
  type WebhookFacts,
  webhookIdSchema,
} from './endpoint.ts'

const update = statement<never, { company_id: number; webhook_id: number; secret: string; until: string }>(
  'webhooks.update_secret',
  `update webhook_endpoints set former_secret = secret, former_secret_until = :until, secret = :secret
   where company_id = :company_id and id = :webhook_id`,
)

export const rollSecret = write({
  path: 'webhooks/roll',
  whenFull: 'in reserve',
  api: 'app',
  role: 'owner',
  needsFreshSignIn: true,
  showsSecret: true,
  summary: `Issue a new secret for a webhook. Messages are signed with the former one too for ${secretOverlapHours} hours.`,
  input: {
    schema: z.object({ webhook_id: webhookIdSchema }),
    read: (raw) => ({ id: readWebhookId(raw), secret: newSecret() }),
  },
  output: z.object({ secret: z.string().describe('Shown only once.') }),
  refusals: ['No webhook_id in input', noSuch],
  example: { request: { webhook_id: 1 }, response: { success: true, secret: 'whsec_…' } },
  facts: factsOf,
  plan: (input, facts: WebhookFacts) => {
    loadWebhook(facts)
    return input
  },
  write: ({ id, secret }, { context: { companyId }, at }) => {
    const until = new Date(Date.parse(at) + secretOverlapHours * 3_600_000).toISOString()
    return {
      statements: [update({ company_id: companyId, webhook_id: id, secret, until })],
      // Only that it was replaced: neither secret may appear in the history.
      event: { record: 'webhook', recordId: id, change: { secret_replaced: true } },
    }
  },
  response: ({ secret }) => ({ secret }),
})
