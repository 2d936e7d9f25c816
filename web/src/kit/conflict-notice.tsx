// Two versions of one record: who saved the other one, both side by side, and the choice between them.

import { Alert, Button, Group, Table, Text } from '@mantine/core'
import type { RefObject } from 'react'
import { messages } from '../messages.ts'
import { useMethod } from '../server/query.ts'
import { useMay } from '../session.tsx'

const texts = messages.kit.card

/** A record as named in events. */
export type RecordName = { readonly record: string; readonly id: number }

type Props = {
  /** The record whose history shows the author; without it nobody is named. */
  readonly of: RecordName | undefined
  readonly rows: readonly { readonly label: string; readonly mine: string; readonly theirs: string }[]
  readonly takeTheirs: () => void
  readonly keepMine: () => void
  /** The element that is scrolled to when the user tries to save without having chosen. */
  readonly notice: RefObject<HTMLDivElement | null>
}

export function ConflictNotice({ of, rows, takeTheirs, keepMine, notice }: Props) {
  const who = useLastWriter(of)
  return (
    <Alert
      ref={notice}
      tabIndex={-1}
      color="yellow"
      variant="outline"
      role="alert"
      mb="sm"
      title={who === undefined ? texts.conflictTitle : texts.conflictBy(who)}
    >
      <Text size="sm">{texts.conflict}</Text>
      <Table.ScrollContainer minWidth={320} my="xs">
        <Table fz="sm">
          <Table.Thead>
            <Table.Tr>
              <Table.Th>{texts.field}</Table.Th>
              <Table.Th>{texts.yours}</Table.Th>
              <Table.Th>{texts.theirs}</Table.Th>
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {rows.map(({ label, mine, theirs }) => (
              <Table.Tr key={label}>
                <Table.Td>{label}</Table.Td>
                <Table.Td>{mine}</Table.Td>
                <Table.Td>{theirs}</Table.Td>
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
      </Table.ScrollContainer>
      <Group gap="xs">
        <Button variant="default" onClick={takeTheirs}>
          {texts.takeTheirs}
        </Button>
        <Button variant="default" onClick={keepMine}>
          {texts.keepMine}
        </Button>
      </Group>
    </Alert>
  )
}

/** The author of the saved version; the history is visible to managers only. */
function useLastWriter(of: RecordName | undefined): string | undefined {
  const mayRead = useMay('manager')
  const history = useMethod(
    'history/get_list',
    { record: of?.record ?? '', record_id: of?.id ?? 0, limit: 1, offset: 0 },
    { enabled: mayRead && of !== undefined, staleMs: 0 },
  )
  const [event] = history.data?.events ?? []
  return event?.user_name || event?.connection_name || undefined
}
