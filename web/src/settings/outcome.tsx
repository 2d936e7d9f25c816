// The outcome of a request: its status code with a label.

import { Text } from '@mantine/core'
import { messages } from '../messages.ts'

const texts = messages.settings.requests.outcome

export function Outcome({ status }: { status: number }) {
  const hasFailed = status >= 400
  return (
    <Text span size="sm" {...(hasFailed ? { c: 'var(--mantine-color-error)' } : {})}>
      {status} {hasFailed ? texts.failed : texts.ok}
    </Text>
  )
}
