// Signs in with a passkey. Shown where the server and the browser have passkeys.

import { Button } from '@mantine/core'
import { IconFingerprint } from '@tabler/icons-react'
import { messages } from '../messages.ts'
import { useMethod } from '../server/query.ts'
import { enterWithPasskey, hasPasskeys } from './passkey.ts'

export function PasskeyButton({ onUse }: { onUse: (enter: () => Promise<void>) => void }) {
  const options = useMethod('session/get_options', {}, { enabled: hasPasskeys(), staleMs: Number.POSITIVE_INFINITY })
  if (options.data?.passkeys !== true) return null
  return (
    <Button
      variant="default"
      size="sm"
      fullWidth
      leftSection={<IconFingerprint size={16} />}
      onClick={() => onUse(() => enterWithPasskey('session/passkey_sign_in'))}
    >
      {messages.access.passkey.signIn}
    </Button>
  )
}
