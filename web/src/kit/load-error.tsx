// Shown for content that could not be loaded: the server's message, and a retry or a link.

import { Alert, Button, Group } from '@mantine/core'
import { IconAlertTriangle } from '@tabler/icons-react'
import { Link } from 'react-router'
import { messages } from '../messages.ts'
import { textOf } from '../server/call.ts'

type Props = {
  readonly error: unknown
  readonly again?: () => void
  /** The address offered instead. */
  readonly back?: { readonly label: string; readonly to: string }
}

export function LoadError({ error, again, back }: Props) {
  return (
    <Alert color="red" variant="outline" icon={<IconAlertTriangle size={18} />} role="alert" m="md">
      <Group justify="space-between" gap="sm">
        {textOf(error)}
        {back && (
          <Button variant="default" component={Link} to={back.to}>
            {messages.frame.goTo(back.label)}
          </Button>
        )}
        {again && (
          <Button variant="default" onClick={again}>
            {messages.kit.tryAgain}
          </Button>
        )}
      </Group>
    </Alert>
  )
}
