// Tabs of a sale: its shipments, its productions, and the API requests that changed it.

import { Anchor, Button, Code, Group, Stack, Table, Text } from '@mantine/core'
import { useState } from 'react'
import { Link } from 'react-router'
import { day, quantity, time, timeWithZone } from '../format.ts'
import { confirmEffect } from '../kit/confirm-effect.tsx'
import { roundAmount } from '../kit/line.ts'
import { LoadError } from '../kit/load-error.tsx'
import { notify, notifyError } from '../kit/notify.tsx'
import { Skeletons } from '../kit/skeletons.tsx'
import { StateBadge } from '../kit/state-badge.tsx'
import { messages } from '../messages.ts'
import { Refusal } from '../server/call.ts'
import { mutate, useMethod } from '../server/query.ts'
import { saleStatus } from '../statuses.ts'
import type { SaleCard } from './sale-values.ts'

const texts = messages.sales

type Shipment = {
  readonly number: number
  readonly title: string
  readonly date: string
  readonly lines: SaleCard['shipments'][number]['lines']
}

/** The recorded shipments; what was shipped by setting the status to "Shipped" is shown as one more. */
export function shipmentsOf({ order: sale, lines, shipments, effect }: SaleCard): Shipment[] {
  const parts = shipments.map(({ shipment, date, lines: of }) => ({
    number: shipment,
    title: texts.shipments.shipment(shipment),
    date,
    lines: of,
  }))
  if (sale.status !== saleStatus.shipped) return parts
  const items = [...Map.groupBy(lines, ({ id }) => id).values()]
  const rest = items.flatMap((of) => {
    const [line] = of
    if (line === undefined) return []
    const gone = parts.flatMap((part) => part.lines.filter(({ id }) => id === line.id))
    const sum = (all: readonly { amount: number }[]): number => all.reduce((so, { amount }) => so + amount, 0)
    const amount = roundAmount(sum(of) - sum(gone))
    return amount > 0 ? [{ id: line.id, sku: line.sku, name: line.name, unit: line.unit, amount }] : []
  })
  if (rest.length === 0) return parts
  const left = effect.findLast(({ on_hand }) => on_hand < 0)
  const number = 1 + parts.reduce((last, part) => Math.max(last, part.number), 0)
  const title = parts.length === 0 ? texts.shipments.whole : texts.shipments.shipment(number)
  return [...parts, { number, title, date: sale.date_shipped || (left?.date ?? ''), lines: rest }]
}

export function ShipmentsTab({ card }: { card: SaleCard }) {
  const shipments = shipmentsOf(card)
  if (shipments.length === 0)
    return (
      <Text c="dimmed">{card.order.status === saleStatus.canceled ? texts.shipments.back : texts.shipments.none}</Text>
    )
  return (
    <Stack gap="md">
      {shipments.map((shipment) => (
        <div key={shipment.title}>
          <Group gap="xs" mb={4}>
            <Text fw={500}>{shipment.title}</Text>
            <Text c="dimmed">{day(shipment.date)}</Text>
            <Button
              variant="default"
              size="compact-xs"
              aria-label={texts.shipments.undoOf(shipment.title)}
              onClick={() => void undoShipment(card, shipment.number).catch(notifyError)}
            >
              {messages.kit.undo}
            </Button>
          </Group>
          <Table fz="sm" maw={640}>
            <Table.Tbody>
              {shipment.lines.map((line) => (
                <Table.Tr key={line.id}>
                  <Table.Td>
                    {line.name}{' '}
                    <Text span fz="sm" c="dimmed">
                      {line.sku}
                    </Text>
                  </Table.Td>
                  <Table.Td ta="right">{quantity(line.amount, line.unit)}</Table.Td>
                </Table.Tr>
              ))}
            </Table.Tbody>
          </Table>
        </div>
      ))}
    </Stack>
  )
}

/** Undoes one shipment after showing what returns to stock. */
async function undoShipment({ order: sale, seq }: SaleCard, number: number): Promise<void> {
  const input = { order_id: sale.id, shipment: number }
  const isConfirmed = await confirmEffect({
    path: 'orders/undo_shipment',
    input,
    title: texts.shipments.undoTitle(number, sale.num),
    lead: texts.shipments.undoLead(number, sale.num),
    label: texts.shipments.undo,
    danger: true,
  })
  if (!isConfirmed) return
  await mutate('orders/undo_shipment', input, { expect: seq })
  notify(texts.shipments.undone(number, sale.num))
}

export function ProductionTab({ card, toOrder }: { card: SaleCard; toOrder: (() => void) | undefined }) {
  if (card.productions.length === 0)
    return (
      <Group gap="sm">
        <Text c="dimmed">
          {card.order.status === saleStatus.canceled ? texts.production.canceled : texts.production.none}
        </Text>
        {toOrder !== undefined && (
          <Button variant="default" onClick={toOrder}>
            {texts.act.toOrder}
          </Button>
        )}
      </Group>
    )
  return (
    <Stack gap={8}>
      {card.productions.map((production) => (
        <Group key={production.id} gap="sm">
          <Anchor component={Link} to={`/productions/${production.id}`}>
            {production.num}
          </Anchor>
          <StateBadge of="production" code={production.status} />
        </Group>
      ))}
    </Stack>
  )
}

export function RequestsTab({ card }: { card: SaleCard }) {
  const [opened, setOpened] = useState<string>()
  return (
    <Stack gap={8}>
      {card.requests.map(({ request_id: id, at, method, status }) => (
        <div key={id}>
          <Group gap="xs">
            <Text fz="sm" c="dimmed" title={timeWithZone(at)}>
              {time(at)}
            </Text>
            <Text fz="sm" ff="monospace">
              {method}
            </Text>
            <Text fz="sm" {...(status < 400 ? { c: 'dimmed' } : { c: 'var(--mantine-color-error)' })}>
              {status}
            </Text>
            <Anchor
              component="button"
              fz="sm"
              aria-expanded={opened === id}
              onClick={() => setOpened(opened === id ? undefined : id)}
            >
              {texts.requests.show}
            </Anchor>
          </Group>
          {opened === id && <Exchange id={id} />}
        </div>
      ))}
    </Stack>
  )
}

function Exchange({ id }: { id: string }) {
  const { data, error, refetch } = useMethod('requests/get_entry', { request_id: id })
  if (error instanceof Refusal && error.status === 400) return <Text c="dimmed">{texts.requests.gone}</Text>
  if (data === undefined)
    return error ? <LoadError error={error} again={() => void refetch()} /> : <Skeletons rows={3} />
  const parts = [
    [texts.requests.asked, data.request.request],
    [texts.requests.answered, data.request.answer],
  ] as const
  return (
    <Stack gap={4} my={4}>
      {parts.map(([title, text]) => (
        <div key={title}>
          <Text fz="xs" c="dimmed">
            {title}
          </Text>
          {data.request.bodies_left_out ? (
            <Text c="dimmed">{messages.settings.requests.leftOut}</Text>
          ) : (
            <Code block>{pretty(text)}</Code>
          )}
        </div>
      ))}
      <Anchor component={Link} to={`/settings/requests/${id}`} fz="sm">
        {texts.requests.log}
      </Anchor>
    </Stack>
  )
}

function pretty(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text), null, 2)
  } catch {
    return text
  }
}
