// The webhooks of the company: addresses to which changes are sent, each with how its deliveries go.

import { Anchor, Stack, Text, Title } from '@mantine/core'
import { useState } from 'react'
import { Link } from 'react-router'
import { FormDialog } from '../kit/form-dialog.tsx'
import { Empty } from '../kit/list-parts.tsx'
import { usePage } from '../kit/page.tsx'
import { CurrentPageAction } from '../kit/page-action.tsx'
import { Waiting } from '../kit/waiting.tsx'
import { messages } from '../messages.ts'
import type { WebhooksGetListWebhooks as Webhook } from '../methods.ts'
import { mutate, useMethod } from '../server/query.ts'
import classes from './settings.module.css'
import { RowMenu } from './short-list.tsx'
import { SecretShown, useWebhookActions } from './webhook-actions.tsx'
import { newWebhook, WebhookFields } from './webhook-fields.tsx'
import { WebhookBadge, WebhookFacts, webhookName } from './webhook-state.tsx'

const texts = messages.webhooks
/** Deliveries happen without the screen's doing. */
const refreshMs = 5_000

export function Component() {
  const [isAdding, setAdding] = useState(false)
  const [secret, setSecret] = useState<string>()
  const list = useMethod('webhooks/get_list', {}, { everyMs: refreshMs })
  const isFull = list.data !== undefined && list.data.webhooks.length >= list.data.limit
  const action = { label: texts.add, run: () => setAdding(true) }
  usePage({
    title: messages.settings.places.webhooks,
    crumbs: [{ label: messages.settings.title, to: '/settings' }],
    ...(isFull ? {} : { action }),
  })
  return (
    <Stack gap="md">
      <div className={classes['head']}>
        <div>
          <Title order={1}>{messages.settings.places.webhooks}</Title>
          <Text c="dimmed">{isFull ? texts.full(list.data.limit) : texts.intro}</Text>
        </div>
        <CurrentPageAction />
      </div>
      {list.data === undefined ? (
        <Waiting query={list} rows={6} />
      ) : list.data.webhooks.length === 0 ? (
        <Empty text={texts.empty} action={action} />
      ) : (
        list.data.webhooks.map((webhook) => (
          <WebhookPanel key={webhook.id} webhook={webhook} eventTypes={list.data.event_types} />
        ))
      )}
      {isAdding && (
        <FormDialog
          title={texts.addTitle}
          label={texts.create}
          start={newWebhook}
          save={async (values) => setSecret((await mutate('webhooks/add', values)).secret)}
          onClose={() => setAdding(false)}
          fields={(form) => <WebhookFields form={form} eventTypes={list.data?.event_types ?? []} />}
        />
      )}
      {secret !== undefined && <SecretShown secret={secret} onClose={() => setSecret(undefined)} />}
    </Stack>
  )
}

function WebhookPanel({ webhook, eventTypes }: { webhook: Webhook; eventTypes: readonly string[] }) {
  const name = webhookName(webhook)
  const { actions, dialogs } = useWebhookActions(webhook, { eventTypes, testNote: texts.testSentFrom(name) })
  const address = `/settings/webhooks/${webhook.id}`
  return (
    <section className={classes['panel']} aria-label={name}>
      <div className={classes['head']}>
        <Title order={2}>
          <Anchor component={Link} to={address} inherit>
            {name}
          </Anchor>
        </Title>
        <WebhookBadge of={webhook} />
        <Anchor component={Link} to={address} size="sm">
          {texts.deliveries}
        </Anchor>
        <RowMenu label={messages.settings.more(name)} actions={actions} />
      </div>
      <Text size="sm" ff="monospace" style={{ overflowWrap: 'anywhere' }}>
        {webhook.url}
      </Text>
      <WebhookFacts of={webhook} />
      {dialogs}
    </section>
  )
}
