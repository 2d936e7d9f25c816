// Joining a company through an invitation link.

import { PasswordInput, Text, TextInput } from '@mantine/core'
import { useParams } from 'react-router'
import { LoadError } from '../kit/load-error.tsx'
import { Skeletons } from '../kit/skeletons.tsx'
import { language } from '../language.ts'
import { messages } from '../messages.ts'
import { call } from '../server/call.ts'
import { useMethod } from '../server/query.ts'
import { AccessPage } from './access-page.tsx'

const texts = messages.access

export function Component() {
  const { token = '' } = useParams()
  const invitation = useMethod('invitations/get', { token })
  if (invitation.data === undefined)
    return invitation.error ? <LoadError error={invitation.error} /> : <Skeletons rows={6} />
  const { company, email, role } = invitation.data
  return (
    <AccessPage
      title={texts.invitationTitle(company)}
      label={texts.join}
      start={{ name: '', password: '' }}
      enter={(values) => call('invitations/accept', { token, ...values, language })}
      to="/"
      fields={(field) => (
        <>
          <Text size="sm">{texts.invitationFor(email, texts.roles[role])}</Text>
          <TextInput {...field('name')} label={texts.name} autoComplete="name" required autoFocus />
          <PasswordInput
            {...field('password')}
            label={texts.password}
            description={`${texts.passwordHint}. ${texts.invitationPassword(company)}`}
            autoComplete="new-password"
            required
          />
        </>
      )}
    />
  )
}
