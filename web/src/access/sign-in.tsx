// Signing in.

import { Anchor, PasswordInput, Text, TextInput } from '@mantine/core'
import { Link, useSearchParams } from 'react-router'
import { messages } from '../messages.ts'
import { call } from '../server/call.ts'
import { useMethod } from '../server/query.ts'
import { nextAddress } from '../session.tsx'
import { AccessPage } from './access-page.tsx'

const texts = messages.access

export function Component() {
  const [params] = useSearchParams()
  const options = useMethod('session/get_options', {}).data
  return (
    <AccessPage
      title={texts.signInTitle}
      label={texts.signIn}
      start={{ email: '', password: '' }}
      enter={(values) => call('session/sign_in', values)}
      to={nextAddress(params.get('next'))}
      fields={(field) => (
        <>
          <TextInput {...field('email')} label={texts.email} type="email" autoComplete="username" required autoFocus />
          <PasswordInput {...field('password')} label={texts.password} autoComplete="current-password" required />
          {options?.sends_mails && (
            <Anchor underline="always" component={Link} to="/forgot-password" size="sm">
              {texts.forgot.link}
            </Anchor>
          )}
        </>
      )}
      foot={
        options?.is_sign_up_open !== false && (
          <Text size="sm" ta="center">
            {texts.noAccount}{' '}
            <Anchor underline="always" component={Link} to="/sign-up" size="sm">
              {texts.signUp}
            </Anchor>
          </Text>
        )
      }
    />
  )
}
