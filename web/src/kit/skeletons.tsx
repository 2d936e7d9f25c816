// Grey bars in the place of what is loading.

import { Skeleton, Stack } from '@mantine/core'
import { words } from '../words.ts'

export function Skeletons({ rows }: { rows: number }) {
  return (
    <Stack gap={12} p="md" role="status" aria-label={words.frame.loading}>
      {Array.from({ length: rows }, (_, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the bars are all alike
        <Skeleton key={at} height={16} width={`${90 - ((at * 17) % 40)}%`} radius="sm" />
      ))}
    </Stack>
  )
}
