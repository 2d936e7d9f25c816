// Lines sent by an integration whose items are not in the catalog: what they were, and how to fix them.

import { Alert, Button, Group, Stack, Text } from '@mantine/core'
import { IconAlertTriangle } from '@tabler/icons-react'
import { Link } from 'react-router'
import { messages } from '../messages.ts'

const texts = messages.sales.skipped

type Props = {
  /** One per line, as recorded in the notes. */
  readonly skipped: string
  /** Searches the catalog for a code; absent for users who may not change the sale. */
  readonly find: ((code: string) => void) | undefined
  readonly remove: (() => void) | undefined
}

export function SkippedLines({ skipped, find, remove }: Props) {
  return (
    <Alert
      color="yellow"
      variant="light"
      mb="sm"
      icon={<IconAlertTriangle size={18} />}
      title={texts.title}
      bg="var(--kontor-warning-tint)"
    >
      <Stack gap={6}>
        <Text fz="sm">{texts.help}</Text>
        {skipped.split('\n').map((line, at) => {
          const code = /SKU "(.*?)", amount/.exec(line)?.[1]
          return (
            // biome-ignore lint/suspicious/noArrayIndexKey: a line may occur twice, and lines keep their order
            <Group key={at} gap="xs" justify="space-between" wrap="nowrap">
              <Text fz="sm" style={{ overflowWrap: 'anywhere' }}>
                {line}
              </Text>
              {find !== undefined && code !== undefined && (
                <Button variant="default" size="compact-xs" aria-label={texts.findOf(code)} onClick={() => find(code)}>
                  {texts.find}
                </Button>
              )}
            </Group>
          )
        })}
        {remove !== undefined && (
          <Group justify="flex-end">
            <Button component={Link} to="/to-fix" variant="default">
              {texts.fix}
            </Button>
            <Button variant="default" onClick={remove}>
              {texts.done}
            </Button>
          </Group>
        )}
      </Stack>
    </Alert>
  )
}
