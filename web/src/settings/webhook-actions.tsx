// What an owner can do with a webhook, the same in the list and on its own page: the actions, and the dialogs that they open.

import { type ReactNode, useState } from 'react'
import type { Action } from '../kit/action.tsx'
import { confirmAction } from '../kit/confirm-action.tsx'
import { FormDialog } from '../kit/form-dialog.tsx'
import { notify } from '../kit/notify.tsx'
import { messages } from '../messages.ts'
import type { WebhooksGetListWebhooks as Webhook } from '../methods.ts'
import { mutate } from '../server/query.ts'
import { ShownOnce } from './shown-once.tsx'
import { WebhookFields, type WebhookValues } from './webhook-fields.tsx'
import { webhookName } from './webhook-state.tsx'

const texts = messages.webhooks

type Options = {
  readonly eventTypes: readonly string[]
  readonly testNote: string
  readonly onDeleted?: () => void
}

export function useWebhookActions(webhook: Webhook, options: Options): { actions: Action[]; dialogs: ReactNode } {
  const [isEditing, setEditing] = useState(false)
  const [secret, setSecret] = useState<string>()
  const { id, enabled } = webhook
  const name = webhookName(webhook)
  const actions: Action[] = [
    {
      label: texts.test,
      disabled: enabled ? undefined : texts.isOff,
      run: async () => {
        await mutate('webhooks/test', { webhook_id: id })
        notify(options.testNote)
      },
    },
    { label: messages.settings.edit, run: () => setEditing(true) },
    {
      label: enabled ? texts.turnOff : texts.turnOn,
      run: async () => {
        await mutate('webhooks/edit', { webhook_id: id, enabled: enabled ? 0 : 1 })
        notify(enabled ? texts.turnedOff(name) : texts.turnedOn(name))
      },
    },
    {
      label: texts.roll,
      run: async () => {
        if (!(await confirmAction({ title: texts.rollTitle, text: texts.rollText, label: texts.roll }))) return
        setSecret((await mutate('webhooks/roll', { webhook_id: id })).secret)
      },
    },
    {
      label: texts.delete,
      danger: true,
      run: async () => {
        const question = { title: texts.deleteTitle(name), text: texts.deleteText, label: texts.delete }
        if (!(await confirmAction(question))) return
        await mutate('webhooks/delete', { webhook_id: id })
        notify(texts.deleted(name))
        options.onDeleted?.()
      },
    },
  ]
  const start: WebhookValues = { url: webhook.url, description: webhook.description, types: webhook.types ?? [] }
  const dialogs = (
    <>
      {isEditing && (
        <FormDialog
          title={texts.editTitle}
          label={messages.settings.save}
          start={start}
          save={(values) => mutate('webhooks/edit', { webhook_id: id, ...values })}
          onClose={() => setEditing(false)}
          fields={(form) => <WebhookFields form={form} eventTypes={options.eventTypes} />}
        />
      )}
      {secret !== undefined && <SecretShown secret={secret} onClose={() => setSecret(undefined)} />}
    </>
  )
  return { actions, dialogs }
}

export function SecretShown({ secret, onClose }: { secret: string; onClose: () => void }) {
  return (
    <ShownOnce
      title={texts.secretTitle}
      warning={texts.secretOnce}
      label={texts.secret}
      secret={secret}
      done={texts.secretDone}
      onClose={onClose}
    >
      {texts.secretHelp}
    </ShownOnce>
  )
}
