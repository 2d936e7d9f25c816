// Lines that an integration sent and the catalog does not know: what they were, and the way to mend it.

import { Alert, Button, Group, Stack, Text } from '@mantine/core'
import { IconAlertTriangle } from '@tabler/icons-react'
import { words } from '../words.ts'

const said = words.sales.skipped

type Props = {
  /** One a line, as the notes tell them. */
  readonly skipped: string
  /** Looks for a code in the catalog; absent for those who may not change the sale. */
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
      title={said.title}
      bg="light-dark(#fff8dd, #2c2813)"
    >
      <Stack gap={6}>
        <Text fz="sm">{said.help}</Text>
        {skipped.split('\n').map((line, at) => {
          const code = /SKU "(.*?)", amount/.exec(line)?.[1]
          return (
            // biome-ignore lint/suspicious/noArrayIndexKey: the same line may stand twice, and lines keep their order
            <Group key={at} gap="xs" justify="space-between" wrap="nowrap">
              <Text fz="sm" style={{ overflowWrap: 'anywhere' }}>
                {line}
              </Text>
              {find !== undefined && code !== undefined && (
                <Button variant="default" size="compact-xs" aria-label={said.findOf(code)} onClick={() => find(code)}>
                  {said.find}
                </Button>
              )}
            </Group>
          )
        })}
        {remove !== undefined && (
          <Group justify="flex-end">
            <Button variant="default" onClick={remove}>
              {said.done}
            </Button>
          </Group>
        )}
      </Stack>
    </Alert>
  )
}
