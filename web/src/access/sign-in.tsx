// Signing in.

import { Anchor, PasswordInput, Text, TextInput } from '@mantine/core'
import { Link, useSearchParams } from 'react-router'
import { call } from '../server/call.ts'
import { nextAddress } from '../session.tsx'
import { words } from '../words.ts'
import { Entrance } from './entrance.tsx'

const said = words.access

export function Component() {
  const [params] = useSearchParams()
  return (
    <Entrance
      title={said.signInTitle}
      label={said.signIn}
      start={{ email: '', password: '' }}
      enter={(values) => call('session/sign_in', values)}
      to={nextAddress(params.get('next'))}
      fields={(field) => (
        <>
          <TextInput {...field('email')} label={said.email} type="email" autoComplete="username" required autoFocus />
          <PasswordInput {...field('password')} label={said.password} autoComplete="current-password" required />
        </>
      )}
      foot={
        <Text size="sm" ta="center">
          {said.noAccount}{' '}
          <Anchor underline="always" component={Link} to="/sign-up" size="sm">
            {said.signUp}
          </Anchor>
        </Text>
      }
    />
  )
}
