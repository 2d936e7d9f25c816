// How the deliveries of a webhook go: a badge, and a line for each fact that its owner should know.

import { Text } from '@mantine/core'
import { time, timeExact } from '../format.ts'
import { PlainBadge } from '../kit/state-badge.tsx'
import { messages } from '../messages.ts'
import type { WebhooksGetListWebhooks as Webhook } from '../methods.ts'

const texts = messages.webhooks

/** What people call it: its description, or the host of its address. */
export const webhookName = ({ description, url }: Webhook): string => description || new URL(url).host

const stateOf = ({
  enabled,
  disabled_reason: reason,
  failing_since: failing,
  last_delivered_at: delivered,
}: Webhook) => {
  if (!enabled) return reason === 'gone' ? 'gone' : reason === 'failing' ? 'failedForDays' : 'user'
  if (failing !== null) return 'failing'
  return delivered === null ? 'unused' : 'healthy'
}

const colours = {
  healthy: 'green',
  unused: 'grey',
  failing: 'red',
  user: 'grey',
  gone: 'red',
  failedForDays: 'red',
} as const

export function WebhookBadge({ of: webhook }: { of: Webhook }) {
  const state = stateOf(webhook)
  return <PlainBadge colour={colours[state]} label={texts.state[state]} />
}

export function WebhookFacts({ of: webhook }: { of: Webhook }) {
  const { enabled, failing_since: failing, last_status: status, last_error: error } = webhook
  const facts = [
    webhook.types === null ? texts.allTypes : webhook.types.join(', '),
    ...(webhook.last_delivered_at === null ? [] : [texts.delivered(timeExact(webhook.last_delivered_at))]),
    ...(enabled && webhook.waiting > 0 ? [texts.waiting(webhook.waiting)] : []),
    ...(webhook.parked > 0 ? [texts.parked(webhook.parked)] : []),
    ...(webhook.former_secret_until === null ? [] : [texts.formerSecret(time(webhook.former_secret_until))]),
  ]
  const reason = error ?? (status === null ? texts.noResponse : texts.httpStatus(status))
  return (
    <>
      <Text size="sm" c="dimmed" style={{ overflowWrap: 'anywhere' }}>
        {facts.join(' · ')}
      </Text>
      {(webhook.disabled_reason === 'gone' || webhook.disabled_reason === 'failing') && (
        <Text size="sm">{texts.disabled[webhook.disabled_reason]}</Text>
      )}
      {failing !== null && (
        <Text size="sm" c="var(--mantine-color-error)" style={{ overflowWrap: 'anywhere' }}>
          {[
            texts.failingSince(time(failing), reason),
            ...(enabled && webhook.next_attempt_at !== null
              ? [texts.tryAgain(timeExact(webhook.next_attempt_at))]
              : []),
          ].join(' · ')}
        </Text>
      )}
    </>
  )
}
