// The fields of a webhook's dialogs.

import { MultiSelect, TextInput } from '@mantine/core'
import type { Form } from '../kit/form.ts'
import { messages } from '../messages.ts'

const texts = messages.webhooks

export type WebhookValues = { url: string; description: string; types: string[] }

export const newWebhook: WebhookValues = { url: '', description: '', types: [] }

type Props = { readonly form: Form<WebhookValues>; readonly eventTypes: readonly string[] }

export function WebhookFields({ form, eventTypes }: Props) {
  return (
    <>
      <TextInput
        label={texts.url}
        description={texts.urlHint}
        placeholder="https://"
        inputMode="url"
        required
        data-autofocus
        maxLength={2_048}
        {...form.getInputProps('url')}
      />
      <TextInput
        label={texts.description}
        description={texts.descriptionHint}
        maxLength={255}
        {...form.getInputProps('description')}
      />
      <MultiSelect
        label={texts.types}
        description={texts.typesHint}
        data={[...eventTypes]}
        searchable
        clearable
        comboboxProps={{ withinPortal: false }}
        {...form.getInputProps('types')}
      />
    </>
  )
}
