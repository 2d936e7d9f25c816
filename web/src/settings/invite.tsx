// Inviting a user: e-mail and role. The server sends a mail, or the link is shown once, to be sent by the user.

import { Button, Group, Modal, Select, Stack, Text, TextInput } from '@mantine/core'
import { useState } from 'react'
import { FormDialog } from '../kit/form-dialog.tsx'
import { language } from '../language.ts'
import { messages } from '../messages.ts'
import { mutate } from '../server/query.ts'
import { CodeBlock } from './code-block.tsx'
import { roles } from './roles.ts'

const texts = messages.settings.users

type Role = (typeof roles)[number]['value']

export function Invite({ onClose }: { onClose: () => void }) {
  const [made, setMade] = useState<{ email: string; token: string | null }>()
  if (made !== undefined && made.token === null)
    return (
      <Modal opened size="lg" title={texts.mailedTitle} onClose={onClose}>
        <Stack gap="sm">
          <Text>{texts.mailedText(made.email)}</Text>
          <Text size="sm" c="dimmed">
            {texts.mailedHint}
          </Text>
          <Group justify="flex-end">
            <Button data-autofocus onClick={onClose}>
              {texts.done}
            </Button>
          </Group>
        </Stack>
      </Modal>
    )
  if (made !== undefined)
    return (
      <Modal opened size="lg" title={texts.linkTitle} closeOnClickOutside={false} onClose={onClose}>
        <Stack gap="sm">
          <Text>{texts.linkText(made.email)}</Text>
          <CodeBlock label={texts.link} text={`${window.location.origin}/invitation/${made.token}`} />
          <Text size="sm" c="dimmed">
            {texts.linkOnce}
          </Text>
          <Group justify="flex-end">
            <Button data-autofocus onClick={onClose}>
              {texts.done}
            </Button>
          </Group>
        </Stack>
      </Modal>
    )
  return (
    <FormDialog
      title={texts.inviteTitle}
      label={texts.make}
      start={{ email: '', role: 'manager' as Role }}
      save={async (values) => ({
        email: values.email,
        token: (await mutate('users/invite', { ...values, language })).token,
      })}
      onClose={onClose}
      onSaved={setMade}
      fields={(form) => (
        <>
          <TextInput label={texts.email} type="email" required data-autofocus {...form.getInputProps('email')} />
          <Select
            label={texts.role}
            description={texts.roleHints[form.values.role]}
            data={roles}
            allowDeselect={false}
            {...form.getInputProps('role')}
          />
        </>
      )}
    />
  )
}
