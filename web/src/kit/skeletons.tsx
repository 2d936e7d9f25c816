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
