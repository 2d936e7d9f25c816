// Joining a company by the link of an invitation.

import { PasswordInput, Text, TextInput } from '@mantine/core'
import { useParams } from 'react-router'
import { Skeletons } from '../kit/skeletons.tsx'
import { Trouble } from '../kit/trouble.tsx'
import { call } from '../server/call.ts'
import { useMethod } from '../server/query.ts'
import { words } from '../words.ts'
import { Entrance } from './entrance.tsx'

const said = words.access

export function Component() {
  const { token = '' } = useParams()
  const invitation = useMethod('invitations/get', { token })
  if (invitation.data === undefined)
    return invitation.error ? <Trouble error={invitation.error} /> : <Skeletons rows={6} />
  const { company, email, role } = invitation.data
  return (
    <Entrance
      title={said.invitationTitle(company)}
      label={said.join}
      start={{ name: '', password: '' }}
      enter={(values) => call('invitations/accept', { token, ...values })}
      to="/"
      fields={(field) => (
        <>
          <Text size="sm">{said.invitationFor(email, said.roles[role])}</Text>
          <TextInput {...field('name')} label={said.name} autoComplete="name" required autoFocus />
          <PasswordInput
            {...field('password')}
            label={said.password}
            description={said.passwordHint}
            autoComplete="new-password"
            required
          />
        </>
      )}
    />
  )
}
