// Tabs of a sale: what has been shipped, what is made for it, and the requests that touched it.

import { Anchor, Button, Code, Group, Stack, Table, Text } from '@mantine/core'
import { useState } from 'react'
import { Link } from 'react-router'
import { day, quantity, time, timeWithZone } from '../format.ts'
import { roundAmount } from '../kit/line.ts'
import { Skeletons } from '../kit/skeletons.tsx'
import { StateBadge } from '../kit/state-badge.tsx'
import { Trouble } from '../kit/trouble.tsx'
import { Refusal } from '../server/call.ts'
import { useMethod } from '../server/query.ts'
import { words } from '../words.ts'
import { saleState } from './sale-acts.tsx'
import type { SaleCard } from './sale-values.ts'

const said = words.sales

type Shipment = {
  readonly title: string
  readonly date: string
  readonly lines: SaleCard['shipments'][number]['lines']
}

/** The shipments there were; what went with the last word "Shipped" is one more. */
export function shipmentsOf({ order, lines, shipments, effect }: SaleCard): Shipment[] {
  const parts = shipments.map(({ shipment, date, lines: of }) => ({
    title: said.shipments.shipment(shipment),
    date,
    lines: of,
  }))
  if (order.status !== saleState.shipped) return parts
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
  const title = parts.length === 0 ? said.shipments.whole : said.shipments.shipment(parts.length + 1)
  return [...parts, { title, date: order.date_shipped || (left?.date ?? ''), lines: rest }]
}

export function ShipmentsTab({ card }: { card: SaleCard }) {
  const shipments = shipmentsOf(card)
  if (shipments.length === 0)
    return (
      <Text c="dimmed">{card.order.status === saleState.canceled ? said.shipments.back : said.shipments.none}</Text>
    )
  return (
    <Stack gap="md">
      {shipments.map((shipment) => (
        <div key={shipment.title}>
          <Group gap="xs" mb={4}>
            <Text fw={500}>{shipment.title}</Text>
            <Text c="dimmed">{day(shipment.date)}</Text>
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

export function ProductionTab({ card, toOrder }: { card: SaleCard; toOrder: (() => void) | undefined }) {
  if (card.productions.length === 0)
    return (
      <Group gap="sm">
        <Text c="dimmed">
          {card.order.status === saleState.canceled ? said.production.canceled : said.production.none}
        </Text>
        {toOrder !== undefined && (
          <Button variant="default" onClick={toOrder}>
            {said.act.toOrder}
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
  if (card.requests.length === 0) return <Text c="dimmed">{said.requests.none}</Text>
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
              {said.requests.show}
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
  if (error instanceof Refusal && error.status === 400) return <Text c="dimmed">{said.requests.gone}</Text>
  if (data === undefined) return error ? <Trouble error={error} again={() => void refetch()} /> : <Skeletons rows={3} />
  const parts = [
    [said.requests.asked, data.request.request],
    [said.requests.answered, data.request.answer],
  ] as const
  return (
    <Stack gap={4} my={4}>
      {parts.map(([title, text]) => (
        <div key={title}>
          <Text fz="xs" c="dimmed">
            {title}
          </Text>
          <Code block>{pretty(text)}</Code>
        </div>
      ))}
      <Anchor component={Link} to={`/settings/requests/${id}`} fz="sm">
        {said.requests.log}
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
