// How a request was answered: its status, with a word.

import { Text } from '@mantine/core'
import { words } from '../words.ts'

const said = words.settings.requests.outcome

export function Outcome({ status }: { status: number }) {
  const hasFailed = status >= 400
  return (
    <Text span size="sm" {...(hasFailed ? { c: 'var(--mantine-color-error)' } : {})}>
      {status} {hasFailed ? said.failed : said.ok}
    </Text>
  )
}
