// Asking for a mail with a link that sets a new password.

import { Anchor, Text, TextInput } from '@mantine/core'
import { Link } from 'react-router'
import { language } from '../language.ts'
import { messages } from '../messages.ts'
import { call } from '../server/call.ts'
import { AccessPage } from './access-page.tsx'

const texts = messages.access

export function Component() {
  return (
    <AccessPage
      title={texts.forgot.title}
      label={texts.forgot.send}
      start={{ email: '' }}
      enter={(values) => call('session/request_reset', { ...values, language })}
      to="/sign-in"
      sent={({ email }) => (
        <>
          <Text size="sm" style={{ overflowWrap: 'anywhere' }}>
            {texts.forgot.sent(email)}
          </Text>
          <BackToSignIn />
        </>
      )}
      fields={(field) => (
        <>
          <Text size="sm">{texts.forgot.text}</Text>
          <TextInput {...field('email')} label={texts.email} type="email" autoComplete="username" required autoFocus />
        </>
      )}
      foot={<BackToSignIn />}
    />
  )
}

export const BackToSignIn = () => (
  <Anchor underline="always" component={Link} to="/sign-in" size="sm" ta="center">
    {texts.backToSignIn}
  </Anchor>
)
