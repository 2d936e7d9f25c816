// Signing in: email and password, and the second factor of a user who has one.

import { Anchor, Button, PasswordInput, Text, TextInput } from '@mantine/core'
import { useState } from 'react'
import { Link, useSearchParams } from 'react-router'
import { messages } from '../messages.ts'
import { call } from '../server/call.ts'
import { useMethod } from '../server/query.ts'
import { nextAddress } from '../session.tsx'
import { AccessPage, unfinished } from './access-page.tsx'
import { PasskeyButton } from './passkey-button.tsx'
import { SecondStep } from './second-step.tsx'
import { goToProvider, lastProvider } from './single-sign-on.ts'

const texts = messages.access

export function Component() {
  const [params] = useSearchParams()
  /** Of a sign-in whose second factor is missing. */
  const [token, setToken] = useState<string>()
  const to = nextAddress(params.get('next'))
  return token === undefined ? (
    <FirstStep to={to} onNext={setToken} />
  ) : (
    <SecondStep to={to} token={token} onBack={() => setToken(undefined)} />
  )
}

function FirstStep({ to, onNext }: { to: string; onNext: (token: string) => void }) {
  const options = useMethod('session/get_options', {}).data
  const provider = lastProvider()
  return (
    <AccessPage
      title={texts.signInTitle}
      label={texts.signIn}
      start={{ email: '', password: '' }}
      enter={async (values) => {
        const { token } = await call('session/sign_in', values)
        if (token !== undefined) onNext(token)
        return token === undefined ? undefined : unfinished
      }}
      to={to}
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
      another={(run) => (
        <>
          <PasskeyButton onUse={run} />
          {provider !== undefined && (
            <Button
              variant="default"
              size="sm"
              fullWidth
              onClick={() => run(() => goToProvider(provider.link, to).then(() => unfinished))}
            >
              {texts.singleSignOn.signIn(provider.name)}
            </Button>
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
