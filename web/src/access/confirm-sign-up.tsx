// Confirming the address of a sign-up with the link of a mail. A button, because programs that check mails open their links.

import { Text } from '@mantine/core'
import { useParams } from 'react-router'
import { messages } from '../messages.ts'
import { call } from '../server/call.ts'
import { AccessPage } from './access-page.tsx'
import { BackToSignIn } from './forgot-password.tsx'

const texts = messages.access

export function Component() {
  const { token = '' } = useParams()
  return (
    <AccessPage
      title={texts.confirmAddress.title}
      label={texts.signUp}
      start={{}}
      enter={() => call('session/confirm_sign_up', { token })}
      to="/"
      made={texts.noSession.made}
      fields={() => <Text size="sm">{texts.confirmAddress.text}</Text>}
      foot={<BackToSignIn />}
    />
  )
}
