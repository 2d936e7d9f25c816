// Requests used today against the daily limit, as a ring with a description.

import { Group, RingProgress, Stack, Text } from '@mantine/core'
import { count } from '../format.ts'
import { messages } from '../messages.ts'
import { useMethod } from '../server/query.ts'
import { useSession } from '../session.tsx'

const texts = messages.settings.integrations

export function RequestsRing() {
  const session = useSession()
  const fresh = useMethod('session/get', {}, { staleMs: 5000, everyMs: 15_000 })
  const { used, daily_limit: limit, reset_seconds: resetSeconds } = (fresh.data ?? session).requests
  const left = Math.max(limit - used, 0)
  const part = limit === 0 ? 100 : Math.min((used / limit) * 100, 100)
  const minutes = Math.ceil(resetSeconds / 60)
  return (
    <Group gap="md" wrap="nowrap">
      <RingProgress
        size={92}
        thickness={9}
        roundCaps
        aria-label={`${texts.today}: ${texts.used(count(used), count(limit))}`}
        rootColor="var(--kontor-line)"
        sections={
          part === 0 ? [] : [{ value: part, color: left === 0 ? 'var(--mantine-color-error)' : 'var(--kontor-accent)' }]
        }
        label={
          <Text ta="center" size="sm" fw={600}>
            {Math.round(part)} %
          </Text>
        }
      />
      <Stack gap={2}>
        <Text fw={600}>{texts.today}</Text>
        <Text size="sm">
          {texts.used(count(used), count(limit))}
          {left > 0 && ` · ${texts.left(count(left))}`}
        </Text>
        {left === 0 && (
          <Text size="sm" c="var(--mantine-color-error)">
            {texts.noneLeft}
          </Text>
        )}
        <Text size="xs" c="dimmed">
          {texts.resets(texts.hours(Math.floor(minutes / 60), minutes % 60), session.company.timezone)}
        </Text>
      </Stack>
    </Group>
  )
}
