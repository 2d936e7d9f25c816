// The second step of signing in, for a user who has a second factor.

import { Button, Text } from '@mantine/core'
import { messages } from '../messages.ts'
import { call } from '../server/call.ts'
import { AccessPage, unfinished } from './access-page.tsx'
import { CodeField, hasExpired } from './code-field.tsx'
import { PasskeyButton } from './passkey-button.tsx'

const texts = messages.access

export function SecondStep({ to, token, onBack }: { to: string; token: string; onBack: () => void }) {
  return (
    <AccessPage
      // Not the same page with other fields: nothing that was typed before is kept.
      key="second"
      title={texts.secondStep.title}
      label={texts.signIn}
      start={{ code: '' }}
      enter={async ({ code }) => {
        try {
          return await call('session/second_factor', { token, code })
        } catch (error) {
          if (!hasExpired(error)) throw error
          onBack()
          return unfinished
        }
      }}
      to={to}
      fields={(field) => {
        const { onChange, ...rest } = field('code')
        return <CodeField {...rest} onChange={(value) => onChange({ currentTarget: { value } })} />
      }}
      another={(run) => <PasskeyButton onUse={run} />}
      foot={
        <>
          <Text size="sm" c="dimmed">
            {texts.secondStep.lost}
          </Text>
          <Button variant="subtle" size="sm" onClick={onBack}>
            {texts.secondStep.back}
          </Button>
        </>
      }
    />
  )
}
