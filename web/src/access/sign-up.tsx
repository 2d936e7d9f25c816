// Signing up: a company and its first owner.

import { Anchor, PasswordInput, Select, Text, TextInput } from '@mantine/core'
import { Link } from 'react-router'
import { language } from '../language.ts'
import { messages } from '../messages.ts'
import { call, type Output } from '../server/call.ts'
import { AccessPage } from './access-page.tsx'
import { BackToSignIn } from './forgot-password.tsx'

const texts = messages.access
const here = Intl.DateTimeFormat().resolvedOptions().timeZone

export function Component() {
  return (
    <AccessPage
      title={texts.signUpTitle}
      label={texts.signUp}
      start={{ company: '', name: '', email: '', password: '', timezone: here }}
      enter={(values) => call('session/sign_up', { ...values, language })}
      to="/"
      made={texts.noSession.made}
      sent={({ email }, answer) =>
        (answer as Output<'session/sign_up'>).is_mailed === true ? (
          <>
            <Text size="sm" style={{ overflowWrap: 'anywhere' }}>
              {texts.confirmAddress.sent(email)}
            </Text>
            <BackToSignIn />
          </>
        ) : undefined
      }
      fields={(field) => (
        <>
          <TextInput {...field('company')} label={texts.company} autoComplete="organization" required autoFocus />
          <TextInput {...field('name')} label={texts.name} autoComplete="name" required />
          <TextInput {...field('email')} label={texts.email} type="email" autoComplete="username" required />
          <PasswordInput
            {...field('password')}
            label={texts.password}
            description={texts.passwordHint}
            autoComplete="new-password"
            required
          />
          <Select
            {...field('timezone')}
            label={texts.timezone}
            data={[...new Set([here, 'UTC', ...Intl.supportedValuesOf('timeZone')])]}
            searchable
            allowDeselect={false}
            limit={50}
            onChange={(zone) => field('timezone').onChange({ currentTarget: { value: zone ?? here } })}
          />
        </>
      )}
      foot={
        <Text size="sm" ta="center">
          {texts.hasAccount}{' '}
          <Anchor underline="always" component={Link} to="/sign-in" size="sm">
            {texts.signIn}
          </Anchor>
        </Text>
      }
    />
  )
}
