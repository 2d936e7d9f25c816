// Turns an endpoint off because of its responses. Not a method of the API: the sender calls it, so that it is in the history like every other change.

import { z } from 'zod'
import { write } from '../../kernel/method.ts'
import { refuse } from '../../kernel/refusal.ts'
import { statement } from '../../kernel/statement.ts'
import type { WebhookDisableReason } from '../../platform/process/metric-table.ts'
import { type OwnersFacts, ownersOf, webhookMails } from '../mail/webhook-disabled.ts'
import { factsOf, hasWebhooks, loadWebhook, noSuch, type WebhookFacts } from './endpoint.ts'

/** `url` is the address that responded so: another one may have been set meanwhile. */
type DisableInput = { readonly id: number; readonly url: string; readonly reason: WebhookDisableReason }

const disable = statement<never, { company_id: number; webhook_id: number; reason: string; at: string }>(
  'webhooks.disable',
  `update webhook_endpoints set enabled = false, disabled_at = :at, disabled_reason = :reason
   where company_id = :company_id and id = :webhook_id`,
)

export const disableWebhook = write({
  path: 'webhooks/disable',
  whenFull: 'always',
  api: 'app',
  role: 'owner',
  summary: 'Turn a webhook off because it answered 410, or failed for days.',
  input: {
    schema: z.object({}),
    read: (): DisableInput => refuse('Webhooks are turned off with webhooks/edit', { code: 'not_for_requests' }),
  },
  output: z.object({}),
  refusals: [noSuch],
  example: { request: {}, response: { success: true } },
  facts: factsOf,
  moreFacts: (_input, { companyId }) => ownersOf({ company_id: companyId }),
  plan: (input, facts: WebhookFacts & Partial<OwnersFacts>) => {
    const { enabled, url } = loadWebhook(facts)
    return {
      ...input,
      isOn: enabled && url === input.url,
      othersEnabled: facts.others_enabled > 0,
      owners: facts.owners ?? [],
    }
  },
  write: ({ id, reason, isOn, othersEnabled, owners }, { context: { companyId }, at }) =>
    isOn
      ? {
          statements: [
            disable({ company_id: companyId, webhook_id: id, reason, at }),
            ...hasWebhooks(companyId, { any: true, enabled: othersEnabled }),
            ...webhookMails({ owners }, { company_id: companyId, webhook_id: id, at }),
          ],
          event: { record: 'webhook', recordId: id, change: { enabled: [true, false], reason } },
        }
      : undefined,
  response: () => ({}),
})
