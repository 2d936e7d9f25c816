// Skeletons shown while content is loading.

import { Skeleton, Stack } from '@mantine/core'
import { messages } from '../messages.ts'

export function Skeletons({ rows }: { rows: number }) {
  return (
    <Stack gap={12} p="md" role="status" aria-label={messages.frame.loading}>
      {Array.from({ length: rows }, (_, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the skeletons are all alike
        <Skeleton key={at} height={16} width={`${90 - ((at * 17) % 40)}%`} radius="sm" />
      ))}
    </Stack>
  )
}

/** The places of a record's page: its title, its figures and its table, so that nothing jumps when they are loaded. */
export function PageSkeleton() {
  return (
    <Stack gap={16} role="status" aria-label={messages.frame.loading}>
      <Skeleton height={32} width={280} radius="sm" />
      <Skeleton height={88} radius="md" />
      <Skeleton height={320} radius="md" />
    </Stack>
  )
}
