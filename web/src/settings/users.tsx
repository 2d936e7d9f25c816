// Users of the company: roles, invitations by link, removal.

import { Group, Select, Stack, Table, Text, TextInput, Title } from '@mantine/core'
import { useState } from 'react'
import { day, time, timeWithZone } from '../format.ts'
import { usePage } from '../frame/page.tsx'
import { ActionButton } from '../kit/action.tsx'
import { Skeletons } from '../kit/skeletons.tsx'
import { failed, told } from '../kit/told.tsx'
import { Trouble } from '../kit/trouble.tsx'
import type { Output } from '../server/call.ts'
import { act, useMethod } from '../server/query.ts'
import { useSession } from '../session.tsx'
import { words } from '../words.ts'
import { ask } from './ask.tsx'
import { FormModal } from './form-modal.tsx'
import { Invite } from './invite.tsx'
import { roles } from './roles.ts'
import classes from './settings.module.css'
import { RowMenu } from './short-list.tsx'

type Users = Output<'users/get_list'>
type User = Users['users'][number]
type Role = User['role']

const said = words.settings.users

export function Component() {
  const [isInviting, setInviting] = useState(false)
  usePage({
    title: words.settings.places.users,
    crumbs: [{ label: words.settings.title, to: '/settings' }],
    action: { label: said.invite, run: () => setInviting(true) },
  })
  const list = useMethod('users/get_list', {})
  return (
    <Stack gap="lg">
      <div>
        <div className={classes['head']}>
          <Title order={1}>{words.settings.places.users}</Title>
        </div>
        {list.data === undefined ? (
          list.error ? (
            <Trouble error={list.error} again={() => void list.refetch()} />
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
              <Table.Th>{said.name}</Table.Th>
              <Table.Th w={150}>{said.role}</Table.Th>
              <Table.Th visibleFrom="sm">{said.seen}</Table.Th>
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
                      ({said.you})
                    </Text>
                  )}
                  <Text size="xs" c="dimmed" style={{ overflowWrap: 'anywhere' }}>
                    {user.email}
                  </Text>
                </Table.Td>
                <Table.Td>
                  <Select
                    size="xs"
                    aria-label={said.roleOf(user.name)}
                    data={roles}
                    allowDeselect={false}
                    value={user.role}
                    onChange={(role) => role && void changeRole(user, role as Role)}
                  />
                </Table.Td>
                <Table.Td visibleFrom="sm" title={timeWithZone(user.last_seen_at)}>
                  {user.last_seen_at === null ? said.never : time(user.last_seen_at)}
                </Table.Td>
                <Table.Td>
                  <RowMenu
                    label={words.settings.more(user.name)}
                    actions={[
                      { label: said.rename, run: () => setRenamed(user) },
                      { label: said.remove, danger: true, run: () => remove(user) },
                    ]}
                  />
                </Table.Td>
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
      </Table.ScrollContainer>
      {renamed !== undefined && (
        <FormModal
          title={said.rename}
          label={words.settings.save}
          start={{ name: renamed.name }}
          save={({ name }) => act('users/edit', { user_id: renamed.id, name })}
          onClose={() => setRenamed(undefined)}
          fields={(form) => <TextInput label={said.name} required data-autofocus {...form.getInputProps('name')} />}
        />
      )}
    </div>
  )
}

async function changeRole(user: User, role: Role): Promise<void> {
  if (role === user.role) return
  try {
    await act('users/edit', { user_id: user.id, role })
    told(said.roleChanged(user.name, words.access.roles[role].toLowerCase()), {
      undo: () => act('users/edit', { user_id: user.id, role: user.role }),
    })
  } catch (error) {
    failed(error)
  }
}

async function remove(user: User): Promise<void> {
  const agreed = await ask({
    title: said.removeTitle(user.name),
    text: said.removeText(user.name),
    label: said.remove,
  })
  if (!agreed) return
  await act('users/delete', { user_id: user.id })
  told(said.removed(user.name))
}

function Invitations({ invitations }: { invitations: Users['invitations'] }) {
  return (
    <section>
      <Title order={2} mb="xs">
        {said.open}
      </Title>
      {invitations.length === 0 ? (
        <Text c="dimmed">{said.noOpen}</Text>
      ) : (
        <div className={classes['tree']}>
          {invitations.map(({ id, email, role, expires_at: expires }) => (
            <div key={id} className={classes['row']}>
              <Group gap="xs" mr="auto">
                <Text size="sm">{email}</Text>
                <Text size="sm" c="dimmed">
                  {words.access.roles[role]}
                </Text>
                <Text size="sm" c="dimmed" title={timeWithZone(expires)}>
                  {said.expires} {day(expires)}
                </Text>
              </Group>
              <ActionButton
                action={{
                  label: said.takeBack,
                  run: async () => {
                    await act('invitations/delete', { invitation_id: id })
                    told(said.takenBack(email))
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
