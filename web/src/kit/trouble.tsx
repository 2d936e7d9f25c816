// What could not be loaded, in the server's words, with the way on.

import { Alert, Button, Group } from '@mantine/core'
import { IconAlertTriangle } from '@tabler/icons-react'
import { Link } from 'react-router'
import { textOf } from '../server/call.ts'
import { words } from '../words.ts'

type Props = {
  readonly error: unknown
  readonly again?: () => void
  /** Where to go instead. */
  readonly back?: { readonly label: string; readonly to: string }
}

export function Trouble({ error, again, back }: Props) {
  return (
    <Alert color="red" variant="outline" icon={<IconAlertTriangle size={18} />} role="alert" m="md">
      <Group justify="space-between" gap="sm">
        {textOf(error)}
        {back && (
          <Button variant="default" component={Link} to={back.to}>
            {words.frame.goTo(back.label)}
          </Button>
        )}
        {again && (
          <Button variant="default" onClick={again}>
            {words.kit.tryAgain}
          </Button>
        )}
      </Group>
    </Alert>
  )
}
