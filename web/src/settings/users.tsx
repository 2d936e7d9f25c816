// Users of the company: roles, invitations by link, removal.

import { Group, Select, Stack, Table, Text, TextInput, Title } from '@mantine/core'
import { useState } from 'react'
import { day, time, timeWithZone } from '../format.ts'
import { type Action, ActionButton } from '../kit/action.tsx'
import { confirmAction } from '../kit/confirm-action.tsx'
import { FormDialog } from '../kit/form-dialog.tsx'
import { LoadError } from '../kit/load-error.tsx'
import { notify, notifyError } from '../kit/notify.tsx'
import { usePage } from '../kit/page.tsx'
import { CurrentPageAction } from '../kit/page-action.tsx'
import { Skeletons } from '../kit/skeletons.tsx'
import { messages } from '../messages.ts'
import type { Output } from '../server/call.ts'
import { mutate, useMethod } from '../server/query.ts'
import { useSession } from '../session.tsx'
import { Invite } from './invite.tsx'
import { roles } from './roles.ts'
import classes from './settings.module.css'
import { RowMenu } from './short-list.tsx'

type Users = Output<'users/get_list'>
type User = Users['users'][number]
type Role = User['role']

const texts = messages.settings.users

export function Component() {
  const [isInviting, setInviting] = useState(false)
  usePage({
    title: messages.settings.places.users,
    crumbs: [{ label: messages.settings.title, to: '/settings' }],
    action: { label: texts.invite, run: () => setInviting(true) },
  })
  const list = useMethod('users/get_list', {})
  return (
    <Stack gap="lg">
      <div>
        <div className={classes['head']}>
          <Title order={1}>{messages.settings.places.users}</Title>
          <CurrentPageAction />
        </div>
        {list.data === undefined ? (
          list.error ? (
            <LoadError error={list.error} again={() => void list.refetch()} />
          ) : (
            <Skeletons rows={6} />
          )
        ) : (
          <Members users={list.data.users} />
        )}
      </div>
      {list.data !== undefined && <Invitations invitations={list.data.invitations} />}
      {isInviting && <Invite onClose={() => setInviting(false)} />}
    </Stack>
  )
}

function Members({ users }: { users: readonly User[] }) {
  const me = useSession().user.id
  const [renamed, setRenamed] = useState<User>()
  return (
    <div className={classes['tree']}>
      <Table.ScrollContainer minWidth={320} type="native">
        <Table className={classes['table'] ?? ''}>
          <Table.Thead>
            <Table.Tr>
              <Table.Th>{texts.name}</Table.Th>
              <Table.Th w={150}>{texts.role}</Table.Th>
              <Table.Th visibleFrom="sm">{texts.seen}</Table.Th>
              <Table.Th w={44} />
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {users.map((user) => (
              <Table.Tr key={user.id}>
                <Table.Td>
                  {user.name}
                  {user.id === me && (
                    <Text span c="dimmed" size="sm">
                      {' '}
                      ({texts.you})
                    </Text>
                  )}
                  <Text size="xs" c="dimmed" style={{ overflowWrap: 'anywhere' }}>
                    {user.email}
                  </Text>
                </Table.Td>
                <Table.Td>
                  <Select
                    size="xs"
                    aria-label={texts.roleOf(user.name)}
                    data={roles}
                    allowDeselect={false}
                    value={user.role}
                    onChange={(role) => role && void changeRole(user, role as Role)}
                  />
                </Table.Td>
                <Table.Td visibleFrom="sm" title={timeWithZone(user.last_seen_at)}>
                  {user.last_seen_at === null ? texts.never : time(user.last_seen_at)}
                </Table.Td>
                <Table.Td>
                  <RowMenu label={messages.settings.more(user.name)} actions={actionsOf(user, me, setRenamed)} />
                </Table.Td>
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
      </Table.ScrollContainer>
      {renamed !== undefined && (
        <FormDialog
          title={texts.rename}
          label={messages.settings.save}
          start={{ name: renamed.name }}
          save={({ name }) => mutate('users/edit', { user_id: renamed.id, name })}
          onClose={() => setRenamed(undefined)}
          fields={(form) => <TextInput label={texts.name} required data-autofocus {...form.getInputProps('name')} />}
        />
      )}
    </div>
  )
}

const actionsOf = (user: User, me: number, rename: (user: User) => void): Action[] => [
  { label: texts.rename, run: () => rename(user) },
  ...(user.has_second_factor && user.id !== me ? [{ label: texts.resetFactors, run: () => resetFactors(user) }] : []),
  { label: texts.endSessions, run: () => endSessions(user) },
  { label: texts.remove, danger: true, run: () => remove(user) },
]

async function changeRole(user: User, role: Role): Promise<void> {
  if (role === user.role) return
  try {
    await mutate('users/edit', { user_id: user.id, role })
    notify(texts.roleChanged(user.name, messages.access.roles[role]), {
      undo: () => mutate('users/edit', { user_id: user.id, role: user.role }),
    })
  } catch (error) {
    notifyError(error)
  }
}

async function endSessions(user: User): Promise<void> {
  const isConfirmed = await confirmAction({
    title: texts.endSessionsTitle(user.name),
    text: texts.endSessionsText,
    label: texts.endSessions,
  })
  if (!isConfirmed) return
  await mutate('users/end_sessions', { user_id: user.id })
  notify(texts.sessionsEnded(user.name))
}

async function remove(user: User): Promise<void> {
  const isConfirmed = await confirmAction({
    title: texts.removeTitle(user.name),
    text: texts.removeText(user.name),
    label: texts.remove,
  })
  if (!isConfirmed) return
  await mutate('users/delete', { user_id: user.id })
  notify(texts.removed(user.name))
}

async function resetFactors(user: User): Promise<void> {
  const isConfirmed = await confirmAction({
    title: texts.resetTitle(user.name),
    text: texts.resetText(user.name),
    label: texts.resetFactors,
  })
  if (!isConfirmed) return
  await mutate('users/reset_second_factors', { user_id: user.id })
  notify(texts.resetDone(user.name))
}

function Invitations({ invitations }: { invitations: Users['invitations'] }) {
  return (
    <section>
      <Title order={2} mb="xs">
        {texts.open}
      </Title>
      {invitations.length === 0 ? (
        <Text c="dimmed">{texts.noOpen}</Text>
      ) : (
        <div className={classes['tree']}>
          {invitations.map(({ id, email, role, expires_at: expires }) => (
            <div key={id} className={classes['row']}>
              <Group gap="xs" mr="auto">
                <Text size="sm">{email}</Text>
                <Text size="sm" c="dimmed">
                  {messages.access.roles[role]}
                </Text>
                <Text size="sm" c="dimmed" title={timeWithZone(expires)}>
                  {texts.expires} {day(expires)}
                </Text>
              </Group>
              <ActionButton
                action={{
                  label: texts.takeBack,
                  run: async () => {
                    await mutate('invitations/delete', { invitation_id: id })
                    notify(texts.takenBack(email))
                  },
                }}
              />
            </div>
          ))}
        </div>
      )}
    </section>
  )
}
