// Signing up: a company and its first owner.

import { Anchor, PasswordInput, Select, Text, TextInput } from '@mantine/core'
import { Link } from 'react-router'
import { call } from '../server/call.ts'
import { words } from '../words.ts'
import { Entrance } from './entrance.tsx'

const said = words.access
const here = Intl.DateTimeFormat().resolvedOptions().timeZone

export function Component() {
  return (
    <Entrance
      title={said.signUpTitle}
      label={said.signUp}
      start={{ company: '', name: '', email: '', password: '', timezone: here }}
      enter={(values) => call('session/sign_up', values)}
      to="/"
      fields={(field) => (
        <>
          <TextInput {...field('company')} label={said.company} autoComplete="organization" required autoFocus />
          <TextInput {...field('name')} label={said.name} autoComplete="name" required />
          <TextInput {...field('email')} label={said.email} type="email" autoComplete="username" required />
          <PasswordInput
            {...field('password')}
            label={said.password}
            description={said.passwordHint}
            autoComplete="new-password"
            required
          />
          <Select
            {...field('timezone')}
            label={said.timezone}
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
          {said.hasAccount}{' '}
          <Anchor underline="always" component={Link} to="/sign-in" size="sm">
            {said.signIn}
          </Anchor>
        </Text>
      }
    />
  )
}
