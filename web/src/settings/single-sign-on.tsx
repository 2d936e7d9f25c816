// Single sign-on: the identity provider at which the users of the company can sign in.

import { Alert, Button, Group, PasswordInput, Stack, Text, TextInput, Title } from '@mantine/core'
import { useState } from 'react'
import { confirmAction } from '../kit/confirm-action.tsx'
import { FormDialog } from '../kit/form-dialog.tsx'
import { notify, notifyError } from '../kit/notify.tsx'
import { usePage } from '../kit/page.tsx'
import { Waiting } from '../kit/waiting.tsx'
import { messages } from '../messages.ts'
import type { Methods } from '../methods.ts'
import { mutate, useMethod } from '../server/query.ts'
import { CodeBlock } from './code-block.tsx'

const texts = messages.accounts.singleSignOn

type Shown = Methods['identity_provider/get']['output']
type Provider = NonNullable<Shown['provider']>

export function Component() {
  const title = texts.title
  usePage({ title, crumbs: [{ label: messages.settings.title, to: '/settings' }] })
  const shown = useMethod('identity_provider/get', {})
  return (
    <Stack gap="md" maw={720}>
      <div>
        <Title order={1}>{title}</Title>
        <Text c="dimmed">{texts.about}</Text>
      </div>
      {shown.data === undefined ? <Waiting query={shown} rows={4} /> : <Setup {...shown.data} />}
    </Stack>
  )
}

function Setup({ provider, return_address: returnAddress }: Shown) {
  const [isEditing, setEditing] = useState(false)
  if (returnAddress === null) return <Alert color="gray" variant="outline" title={texts.off} />
  return (
    <>
      <div>
        <Text size="sm" mb={4}>
          {texts.register}
        </Text>
        <CodeBlock label={texts.returnAddress} text={returnAddress} />
      </div>
      {provider !== null && <Facts provider={provider} />}
      <Group>
        <Button variant={provider === null ? 'filled' : 'default'} onClick={() => setEditing(true)}>
          {provider === null ? texts.setUp : messages.settings.edit}
        </Button>
        {provider !== null && (
          <Button variant="subtle" color="red" c="var(--mantine-color-error)" onClick={() => void remove(provider)}>
            {texts.remove}
          </Button>
        )}
      </Group>
      {isEditing && <ProviderDialog provider={provider} onClose={() => setEditing(false)} />}
    </>
  )
}

async function remove({ name }: Provider): Promise<void> {
  const question = { title: texts.removeTitle(name), text: texts.removeText, label: texts.remove }
  if (!(await confirmAction(question))) return
  try {
    await mutate('identity_provider/delete', {})
    notify(texts.removed)
  } catch (error) {
    notifyError(error)
  }
}

const Facts = ({ provider: { name, issuer, client_id: clientId, link } }: { readonly provider: Provider }) => (
  <Stack gap="xs">
    <Title order={2}>{name}</Title>
    <Text size="sm" c="dimmed" style={{ overflowWrap: 'anywhere' }}>
      {issuer} · {clientId}
    </Text>
    <Text size="sm">{texts.share}</Text>
    <CodeBlock label={texts.link} text={`${location.origin}/sign-in/with/${link}`} />
  </Stack>
)

type DialogProps = { readonly provider: Provider | null; readonly onClose: () => void }

const ProviderDialog = ({ provider, onClose }: DialogProps) => (
  <FormDialog
    title={texts.dialogTitle}
    label={messages.settings.save}
    start={{
      name: provider?.name ?? '',
      issuer: provider?.issuer ?? '',
      client_id: provider?.client_id ?? '',
      client_secret: '',
    }}
    save={async ({ client_secret: secret, ...values }) => {
      await mutate('identity_provider/set', secret === '' ? values : { ...values, client_secret: secret })
      notify(texts.saved)
    }}
    fields={(form) => (
      <>
        <TextInput label={texts.name} description={texts.nameHint} data-autofocus {...form.getInputProps('name')} />
        <TextInput label={texts.issuer} placeholder="https://" {...form.getInputProps('issuer')} />
        <TextInput label={texts.clientId} autoComplete="off" {...form.getInputProps('client_id')} />
        <PasswordInput
          label={texts.clientSecret}
          description={provider === null ? undefined : texts.secretKept}
          autoComplete="new-password"
          {...form.getInputProps('client_secret')}
        />
      </>
    )}
    onClose={onClose}
  />
)
