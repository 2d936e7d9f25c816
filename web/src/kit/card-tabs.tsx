// Tabs that every document card shares: the change history and the effect on stock.

import { Anchor, Group, Table, Text } from '@mantine/core'
import { Link } from 'react-router'
import { change, day, time, timeWithZone } from '../format.ts'
import { messages } from '../messages.ts'
import type { HistoryGetListEvents, OrdersGetCardEffect } from '../methods.ts'
import { useMethod } from '../server/query.ts'
import type { FileOwner } from './add-files.ts'
import type { CardTab } from './card-page.tsx'
import { addedUp, effectParts } from './effect-text.ts'
import changes from './history-change.module.css'
import { HistoryChange } from './history-change.tsx'
import { LoadError } from './load-error.tsx'
import { filesTab } from './record-files.tsx'
import { Skeletons } from './skeletons.tsx'

const texts = messages.kit.card

/** `record` is its name in events; `nameOf` returns the names of items that the card has already loaded. */
export function HistoryTab(props: { record: string; id: number; nameOf?: (itemId: number) => string | undefined }) {
  const { record, id, nameOf = () => undefined } = props
  const history = useMethod('history/get_list', { record, record_id: id, limit: 100, offset: 0 })
  if (history.data === undefined)
    return history.error ? (
      <LoadError error={history.error} again={() => void history.refetch()} />
    ) : (
      <Skeletons rows={4} />
    )
  if (history.data.events.length === 0) return <Text c="dimmed">{texts.historyEmpty}</Text>
  return (
    <div>
      {history.data.events.map((event) => (
        <div key={event.seq} className={changes['event']}>
          <Group gap="xs">
            <Text size="sm" fw={500} title={event.method}>
              {verbOf(event)}
            </Text>
            <Text size="sm" c="dimmed">
              {event.user_name
                ? texts.by(event.user_name)
                : event.connection_name
                  ? texts.via(event.connection_name)
                  : texts.by(texts.system)}
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
          {messages.history.and(history.data.total - history.data.events.length)}
        </Text>
      )}
    </div>
  )
}

const verbOf = ({ method, action }: HistoryGetListEvents): string => {
  if (action !== null) return messages.history.action[action]
  const verb = method.slice(method.indexOf('/') + 1)
  return (messages.history.verb as Record<string, string>)[verb] ?? method
}

type EffectRow = OrdersGetCardEffect

/** Every stock movement of a document, and their sums. */
export function EffectTab({ effect }: { effect: readonly EffectRow[] }) {
  if (effect.length === 0) return <Text c="dimmed">{texts.effectEmpty}</Text>
  const parts = effectParts(addedUp(effect), 'adds')
  return (
    <>
      <Text size="sm" mb="xs">
        {parts.length === 0 ? texts.effectNone : texts.effectNow(parts)}
      </Text>
      <Table.ScrollContainer minWidth={560}>
        <Table fz="sm">
          <Table.Thead>
            <Table.Tr>
              <Table.Th>{texts.day}</Table.Th>
              <Table.Th>{texts.item}</Table.Th>
              <Table.Th>{texts.storage}</Table.Th>
              <Table.Th ta="right">{texts.onHand}</Table.Th>
              <Table.Th ta="right">{texts.reserved}</Table.Th>
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {effect.map((row, at) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: an item may occur twice, and rows keep their order
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
export const effectAndHistory = (
  record: FileOwner['record'],
  id: number,
  effect: readonly EffectRow[],
): readonly CardTab[] => [
  { name: 'effect', label: messages.documents.effectTab, show: () => <EffectTab effect={effect} /> },
  filesTab(record, id),
  {
    name: 'history',
    label: messages.documents.historyTab,
    role: 'manager',
    show: () => <HistoryTab record={record} id={id} />,
  },
]
