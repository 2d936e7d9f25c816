// Inviting someone: e-mail and role, then the link to send, shown this once.

import { Button, Group, Modal, Select, Stack, Text, TextInput } from '@mantine/core'
import { useState } from 'react'
import { act } from '../server/query.ts'
import { words } from '../words.ts'
import { CodeBlock } from './code-block.tsx'
import { FormModal } from './form-modal.tsx'
import { roles } from './roles.ts'

const said = words.settings.users

type Role = (typeof roles)[number]['value']

export function Invite({ onClose }: { onClose: () => void }) {
  const [made, setMade] = useState<{ email: string; token: string }>()
  if (made !== undefined)
    return (
      <Modal opened size="lg" title={said.linkTitle} closeOnClickOutside={false} onClose={onClose}>
        <Stack gap="sm">
          <Text>{said.linkText(made.email)}</Text>
          <CodeBlock label={said.link} text={`${window.location.origin}/invitation/${made.token}`} />
          <Text size="sm" c="dimmed">
            {said.linkOnce}
          </Text>
          <Group justify="flex-end">
            <Button data-autofocus onClick={onClose}>
              {said.done}
            </Button>
          </Group>
        </Stack>
      </Modal>
    )
  return (
    <FormModal<{ email: string; role: Role }>
      title={said.inviteTitle}
      label={said.make}
      start={{ email: '', role: 'manager' }}
      save={async (values) => {
        const { token } = await act('users/invite', values)
        setMade({ email: values.email, token })
      }}
      onClose={onClose}
      onSaved={() => {}}
      fields={(form) => (
        <>
          <TextInput label={said.email} type="email" required data-autofocus {...form.getInputProps('email')} />
          <Select
            label={said.role}
            description={said.roleHints[form.values.role]}
            data={roles}
            allowDeselect={false}
            {...form.getInputProps('role')}
          />
        </>
      )}
    />
  )
}
