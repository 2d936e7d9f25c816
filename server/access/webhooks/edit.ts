// webhooks/edit: changes the address, the types or the description of an endpoint, or turns it on and off.

import { z } from 'zod'
import { isPassed } from '../../kernel/field.ts'
import { write } from '../../kernel/method.ts'
import { difference } from '../../kernel/patch.ts'
import { statement } from '../../kernel/statement.ts'
import {
  factsOf,
  hasWebhooks,
  loadWebhook,
  noSuch,
  optionRefusals,
  optionSchema,
  readOptions,
  readUrl,
  readWebhookId,
  type Webhook,
  type WebhookFacts,
  webhookIdSchema,
} from './endpoint.ts'

// A new address, or turning it on, is a new start: it is tried at once, and earlier failures do not count. A new address also ends the lease, so that
// the result of a request to the former one is not stored.
const update = statement<
  never,
  Webhook & { company_id: number; webhook_id: number; at: string; is_new_start: boolean; is_new_address: boolean }
>(
  'webhooks.update',
  `update webhook_endpoints set url = :url, types = :types, description = :description, enabled = :enabled,
     disabled_at = case when not :enabled then coalesce(disabled_at, :at::timestamptz) end,
     disabled_reason = case when not :enabled then coalesce(disabled_reason, 'user') end,
     attempts = case when :is_new_start then 0 else attempts end,
     next_at = case when :is_new_start then null else next_at end,
     failing_since = case when :is_new_start then null else failing_since end,
     lease = case when :is_new_address then null else lease end,
     leased_until = case when :is_new_address then null else leased_until end
   where company_id = :company_id and id = :webhook_id`,
)

export const editWebhook = write({
  path: 'webhooks/edit',
  api: 'app',
  role: 'owner',
  whenFull: 'in reserve',
  summary: 'Change a webhook, or turn it on or off.',
  input: {
    schema: z.object({ webhook_id: webhookIdSchema, url: z.string().optional(), ...optionSchema }),
    read: (raw) => ({
      id: readWebhookId(raw),
      changes: { ...(isPassed(raw, 'url') ? { url: readUrl(raw) } : {}), ...readOptions(raw) },
    }),
  },
  needsFreshSignIn: ({ changes }) => 'url' in changes,
  output: z.object({}),
  refusals: ['No webhook_id in input', 'No url in input', ...optionRefusals, noSuch],
  example: { request: { webhook_id: 1, enabled: 0 }, response: { success: true } },
  facts: factsOf,
  plan: (input, facts: WebhookFacts) => {
    const { position: _position, ...before } = loadWebhook(facts)
    const after: Webhook = { ...before, ...input.changes }
    const isNewAddress = after.url !== before.url
    const isNewStart = isNewAddress || (after.enabled && !before.enabled)
    const enabled = after.enabled || facts.others_enabled > 0
    return { id: input.id, after, change: difference(before, after), isNewStart, isNewAddress, enabled }
  },
  write: ({ id, after, change, isNewStart, isNewAddress, enabled }, { context: { companyId }, at }) =>
    Object.keys(change).length === 0
      ? undefined
      : {
          statements: [
            update({
              company_id: companyId,
              webhook_id: id,
              ...after,
              at,
              is_new_start: isNewStart,
              is_new_address: isNewAddress,
            }),
            ...hasWebhooks(companyId, { any: true, enabled }),
          ],
          event: { record: 'webhook', recordId: id, change },
        },
  response: () => ({}),
})
