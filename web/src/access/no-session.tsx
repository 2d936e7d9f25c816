// Shown when sign-in succeeded but the browser stored no cookie: explains why and what to do.

import { Alert, Code, List, Text } from '@mantine/core'
import { messages } from '../messages.ts'

const texts = messages.access.noSession

/** `lead` describes what succeeded anyway. */
export function NoSession({ lead }: { lead?: string | undefined }) {
  const { origin, hostname, port } = window.location
  const name = port === '' ? hostname : `${hostname}:${port}`
  return (
    <Alert color="red" variant="outline" role="alert" title={texts.title}>
      {lead && (
        <Text size="sm" mb="xs">
          {lead}
        </Text>
      )}
      {window.isSecureContext ? (
        <Text size="sm">{texts.cookies}</Text>
      ) : (
        <>
          <Text size="sm" mb="xs">
            {texts.plain(origin)}
          </Text>
          <List size="sm" spacing={6}>
            <List.Item>{texts.https(`https://${hostname}`)}</List.Item>
            <List.Item>{texts.localhost(`http://localhost${port === '' ? '' : `:${port}`}`)}</List.Item>
            <List.Item>
              {texts.operator} <Setting>{`PUBLIC_ORIGIN=https://${hostname}`}</Setting>
            </List.Item>
            <List.Item>
              {texts.lan} <Setting>{`PUBLIC_ORIGIN=http://${name}`}</Setting> {texts.unencrypted}
            </List.Item>
          </List>
        </>
      )}
    </Alert>
  )
}

/** Long names wrap instead of overflowing. */
const Setting = ({ children }: { children: string }) => (
  <Code style={{ whiteSpace: 'normal', overflowWrap: 'anywhere' }}>{children}</Code>
)
