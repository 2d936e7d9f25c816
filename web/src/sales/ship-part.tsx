// Shipping part of a sale: how much of each item goes now, and on which day; what it does to stock is told while one types.

import { Alert, Button, Group, Stack, Table, Text } from '@mantine/core'
import { modals } from '@mantine/modals'
import { useState } from 'react'
import { quantity } from '../format.ts'
import { useKey } from '../frame/keys.tsx'
import { DayField } from '../kit/day-field.tsx'
import { EffectPreview } from '../kit/effect-preview.tsx'
import { lineOf } from '../kit/field-errors.ts'
import { roundAmount } from '../kit/line.ts'
import { NumberCell } from '../kit/number-cell.tsx'
import { Quantity } from '../kit/state-badge.tsx'
import { told } from '../kit/told.tsx'
import { textOf } from '../server/call.ts'
import { act } from '../server/query.ts'
import { words } from '../words.ts'
import { saleState } from './sale-acts.tsx'
import type { SaleCard } from './sale-values.ts'
import classes from './ship-part.module.css'

const said = words.sales.part

type Left = {
  readonly id: number
  readonly sku: string
  readonly name: string
  readonly unit: string
  readonly left: number
  readonly on_hand: number
  readonly now: number
}

/** What is left of each item; as much of it as is there is proposed. */
function leftOf({ lines }: SaleCard): Left[] {
  const items = Map.groupBy(lines, ({ id }) => id)
  return [...items.values()].flatMap((of) => {
    const [line] = of
    const left = roundAmount(of.reduce((sum, one) => sum + one.left, 0))
    if (line === undefined || left <= 0) return []
    const { id, sku, name, unit, on_hand } = line
    return [{ id, sku, name, unit, left, on_hand, now: Math.min(left, Math.max(on_hand, 0)) }]
  })
}

export function openShipPart(card: SaleCard, today: string): void {
  const id = modals.open({
    title: said.title(card.order.num),
    size: 'lg',
    children: <ShipPart card={card} today={today} close={() => modals.close(id)} />,
  })
}

function ShipPart({ card, today, close }: { card: SaleCard; today: string; close: () => void }) {
  const [items, setItems] = useState(() => leftOf(card))
  const [day, setDay] = useState(today)
  const [error, setError] = useState<string>()
  const [isRunning, setRunning] = useState(false)
  const lines = items.filter(({ now }) => now > 0).map(({ id, now }) => ({ id, amount: now }))
  const input = { order_id: card.order.id, date: day, lines }
  const isRest = items.every(({ now, left }) => now === left)
  const tooMuch = items.find(({ now, left }) => now > left)
  const reason = tooMuch ? words.sales.part.more(quantity(tooMuch.left, tooMuch.unit)) : undefined
  const wrong = error === undefined ? -1 : lineOf(error, items)

  const set = (id: number, now: number): void => {
    setError(undefined)
    setItems((all) => all.map((item) => (item.id === id ? { ...item, now } : item)))
  }
  const setAll = (now: (item: Left) => number): void => {
    setError(undefined)
    setItems((all) => all.map((item) => ({ ...item, now: now(item) })))
  }

  const submit = async (): Promise<void> => {
    if (lines.length === 0 || tooMuch !== undefined || isRunning) return
    setRunning(true)
    try {
      const { status } = await act('orders/ship_part', input, { expect: card.seq })
      const { num, id } = card.order
      told(status === saleState.shipped ? words.sales.done.rest(num) : words.sales.done.part(num), {
        to: `/sales/${id}`,
      })
      close()
    } catch (failure) {
      setError(textOf(failure))
      setRunning(false)
    }
  }
  useKey('mod+Enter', words.sales.act.ship, () => void submit(), true)

  return (
    <Stack gap="sm">
      <Table.ScrollContainer minWidth={300} className={classes['items'] ?? ''}>
        <Table fz="sm" stickyHeader>
          <Table.Thead>
            <Table.Tr>
              <Table.Th>{said.item}</Table.Th>
              <Table.Th ta="right">{said.left}</Table.Th>
              <Table.Th ta="right" visibleFrom="xs">
                {said.onHand}
              </Table.Th>
              <Table.Th ta="right">{said.now}</Table.Th>
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {items.map((item, at) => (
              <Table.Tr key={item.id}>
                <Table.Td>
                  <Text fz="sm" style={{ overflowWrap: 'anywhere' }}>
                    {item.name}
                  </Text>
                  <Text fz="xs" c="dimmed">
                    {item.sku}
                  </Text>
                </Table.Td>
                <Table.Td ta="right">{quantity(item.left, item.unit)}</Table.Td>
                <Table.Td ta="right" visibleFrom="xs">
                  <Quantity value={item.on_hand} unit={item.unit} />
                </Table.Td>
                <Table.Td ta="right">
                  <NumberCell
                    name="now"
                    label={said.nowOf(item.name)}
                    value={item.now}
                    decimals={3}
                    isWrong={item.now > item.left || item.now < 0 || wrong === at}
                    onChange={(now) => set(item.id, now)}
                    onEnter={() => void submit()}
                  />
                </Table.Td>
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
      </Table.ScrollContainer>
      <Group justify="space-between" align="flex-end" gap="xs">
        <DayField label={words.sales.ask.day} value={day} onChange={setDay} />
        <Group gap="xs">
          <Button variant="default" onClick={() => setAll(({ left }) => left)}>
            {said.all}
          </Button>
          <Button variant="default" onClick={() => setAll(() => 0)}>
            {said.none}
          </Button>
        </Group>
      </Group>
      {error !== undefined && <Alert color="red" variant="outline" role="alert" title={error} />}
      <EffectPreview
        path="orders/ship_part"
        lead={isRest ? said.leadRest(card.order.num) : said.lead(card.order.num)}
        input={input}
        reason={lines.length === 0 ? said.nothing : reason}
      />
      <Group justify="flex-end" gap="xs">
        <Button variant="default" onClick={close}>
          {words.kit.effect.cancel}
        </Button>
        <Button
          data-autofocus
          loading={isRunning}
          disabled={lines.length === 0 || tooMuch !== undefined}
          onClick={() => void submit()}
        >
          {words.sales.act.shipPart}
        </Button>
      </Group>
    </Stack>
  )
}
