// Tabs that every card of a document shares: who changed what, and what it does to stock.

import { Anchor, Group, Table, Text } from '@mantine/core'
import { Link } from 'react-router'
import { change, day, time, timeWithZone } from '../format.ts'
import type { Output } from '../server/call.ts'
import { useMethod } from '../server/query.ts'
import { words } from '../words.ts'
import type { CardTab } from './card-page.tsx'
import { addedUp, effectParts } from './effect-words.ts'
import changes from './history-change.module.css'
import { HistoryChange } from './history-change.tsx'
import { Skeletons } from './skeletons.tsx'
import { Trouble } from './trouble.tsx'

const said = words.kit.card

/** `record` is the name events have it under; `nameOf` tells the items that the card knows anyway. */
export function HistoryTab(props: { record: string; id: number; nameOf?: (itemId: number) => string | undefined }) {
  const { record, id, nameOf = () => undefined } = props
  const history = useMethod('history/get_list', { record, record_id: id, limit: 100, offset: 0 })
  if (history.data === undefined)
    return history.error ? (
      <Trouble error={history.error} again={() => void history.refetch()} />
    ) : (
      <Skeletons rows={4} />
    )
  if (history.data.events.length === 0) return <Text c="dimmed">{said.historyEmpty}</Text>
  return (
    <div>
      {history.data.events.map((event) => (
        <div key={event.seq} className={changes['event']}>
          <Group gap="xs">
            <Text size="sm" fw={500} title={event.method}>
              {verbOf(event.method)}
            </Text>
            <Text size="sm" c="dimmed">
              {event.user_name
                ? said.by(event.user_name)
                : event.connection_name
                  ? said.via(event.connection_name)
                  : said.by(said.system)}
            </Text>
            <Text size="sm" title={timeWithZone(event.at)} c="dimmed">
              {time(event.at)}
            </Text>
          </Group>
          <HistoryChange record={record} change={event.change as Record<string, unknown>} nameOf={nameOf} />
        </div>
      ))}
      {history.data.total > history.data.events.length && (
        <Text size="sm" c="dimmed">
          {words.history.and(history.data.total - history.data.events.length)}
        </Text>
      )}
    </div>
  )
}

const verbOf = (method: string): string => {
  const verb = method.slice(method.indexOf('/') + 1)
  return (words.history.verb as Record<string, string>)[verb] ?? method
}

type EffectRow = Output<'orders/get_card'>['effect'][number]

/** Every booking of a document, and what they come to now. */
export function EffectTab({ effect }: { effect: readonly EffectRow[] }) {
  if (effect.length === 0) return <Text c="dimmed">{said.effectEmpty}</Text>
  const parts = effectParts(addedUp(effect), 'adds')
  return (
    <>
      <Text size="sm" mb="xs">
        {parts.length === 0 ? said.effectNone : said.effectNow(parts.join(', '))}
      </Text>
      <Table.ScrollContainer minWidth={560}>
        <Table fz="sm">
          <Table.Thead>
            <Table.Tr>
              <Table.Th>{said.day}</Table.Th>
              <Table.Th>{said.item}</Table.Th>
              <Table.Th>{said.storage}</Table.Th>
              <Table.Th ta="right">{said.onHand}</Table.Th>
              <Table.Th ta="right">{said.reserved}</Table.Th>
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {effect.map((row, at) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: one item may stand in it twice, and rows keep their order
              <Table.Tr key={at}>
                <Table.Td>{day(row.date)}</Table.Td>
                <Table.Td>
                  <Anchor component={Link} to={`/stock/items/${row.item_id}`} size="sm">
                    {row.name}
                  </Anchor>{' '}
                  <Text span size="sm" c="dimmed">
                    {row.sku}
                  </Text>
                </Table.Td>
                <Table.Td>{row.storage_name}</Table.Td>
                <Table.Td ta="right">{change(row.on_hand, row.unit)}</Table.Td>
                <Table.Td ta="right">{change(row.reserved, row.unit)}</Table.Td>
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
      </Table.ScrollContainer>
    </>
  )
}

/** The last tabs of a document that moves stock. */
export const effectAndHistory = (record: string, id: number, effect: readonly EffectRow[]): CardTab[] => [
  { name: 'effect', label: words.documents.effectTab, show: () => <EffectTab effect={effect} /> },
  { name: 'history', label: words.documents.historyTab, show: () => <HistoryTab record={record} id={id} /> },
]
