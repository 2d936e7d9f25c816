// Today's API requests against the limit, as a ring.

import { Anchor, Group, RingProgress, Stack, Text } from '@mantine/core'
import { Link } from 'react-router'
import { count, share } from '../format.ts'
import { messages } from '../messages.ts'
import { useMay } from '../session.tsx'
import type { Dashboard } from './days.ts'

const texts = messages.dashboard

export function RequestsRing({ requests }: { requests: Dashboard['requests'] }) {
  const isOwner = useMay('owner')
  const { used, daily_limit: limit } = requests
  const part = limit > 0 ? Math.min(used / limit, 1) : 0
  return (
    <Group gap="md" wrap="nowrap">
      <RingProgress
        size={96}
        thickness={10}
        aria-label={texts.requestsOf(count(used), count(limit))}
        sections={[{ value: part * 100, color: part > 0.9 ? 'var(--kontor-danger)' : 'var(--kontor-accent)' }]}
        label={
          <Text ta="center" size="sm" fw={600}>
            {share(part)}
          </Text>
        }
      />
      <Stack gap={2}>
        <Text fw={600}>{texts.requestsOf(count(used), count(limit))}</Text>
        <Text size="sm" c="dimmed">
          {texts.requestsLeft(count(Math.max(limit - used, 0)))}
        </Text>
        {isOwner && (
          <Anchor component={Link} to="/settings/requests" size="sm">
            {texts.requestLog}
          </Anchor>
        )}
      </Stack>
    </Group>
  )
}
