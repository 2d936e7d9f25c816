// Setting a new password with the link of a mail.

import { Button, PasswordInput, Text } from '@mantine/core'
import { Link, useParams } from 'react-router'
import { language } from '../language.ts'
import { messages } from '../messages.ts'
import { call } from '../server/call.ts'
import { AccessPage } from './access-page.tsx'
import { BackToSignIn } from './forgot-password.tsx'

const texts = messages.access

export function Component() {
  const { token = '' } = useParams()
  return (
    <AccessPage
      title={texts.reset.title}
      label={texts.reset.save}
      start={{ new_password: '' }}
      enter={(values) => call('session/reset_password', { token, ...values, language })}
      to="/sign-in"
      sent={() => (
        <>
          <Text size="sm">{texts.reset.done}</Text>
          <Button component={Link} to="/sign-in" size="sm" fullWidth>
            {texts.signIn}
          </Button>
        </>
      )}
      fields={(field) => (
        <PasswordInput
          {...field('new_password')}
          label={texts.reset.password}
          description={texts.passwordHint}
          autoComplete="new-password"
          required
          autoFocus
        />
      )}
      foot={<BackToSignIn />}
    />
  )
}
