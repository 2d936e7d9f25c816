// Shipping part of a sale: the quantity of each item and the day; the effect on stock is updated while typing.

import { Alert, Button, Group, Stack, Table, Text } from '@mantine/core'
import { modals } from '@mantine/modals'
import { useState } from 'react'
import { plain } from '../documents/lines.ts'
import classes from '../documents/part-lines.module.css'
import { quantity } from '../format.ts'
import { DayField } from '../kit/day-field.tsx'
import { EffectPreview } from '../kit/effect-preview.tsx'
import { useKey } from '../kit/keys.tsx'
import { roundAmount } from '../kit/line.ts'
import { notify } from '../kit/notify.tsx'
import { NumberCell } from '../kit/number-cell.tsx'
import { hasOpenText } from '../kit/open-text.ts'
import { Quantity } from '../kit/state-badge.tsx'
import { messages } from '../messages.ts'
import { Refusal, textOf } from '../server/call.ts'
import { mutate } from '../server/query.ts'
import { saleStatus } from '../statuses.ts'
import type { SaleCard } from './sale-values.ts'

const texts = messages.sales.part

type Left = {
  readonly id: number
  readonly sku: string
  readonly name: string
  readonly unit: string
  readonly left: number
  readonly on_hand: number
  readonly now: number
}

/** The outstanding quantity of each item; the part of it that is in stock is the default. */
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

/** The number of the next shipment. */
const nextShipment = ({ shipments }: SaleCard): number =>
  1 + shipments.reduce((last, { shipment }) => Math.max(last, shipment), 0)

export function openShipPart(card: SaleCard, today: string): void {
  const id = modals.open({
    title: texts.title(card.order.num),
    size: 'lg',
    children: <ShipPart card={card} today={today} close={() => modals.close(id)} />,
  })
}

type Props = { readonly card: SaleCard; readonly today: string; readonly close: () => void }

function ShipPart({ card, today, close }: Props) {
  const part = useShipPart({ card, today, close })
  const { items, day, lines, tooMuch, error, submit, setAll } = part
  const isRest = items.every(({ now, left }) => now === left)
  const reason = tooMuch ? texts.more(quantity(tooMuch.left, tooMuch.unit)) : undefined
  useKey('mod+Enter', messages.sales.act.ship, () => void submit(), true)
  return (
    <Stack gap="sm">
      <Items part={part} />
      <Group justify="space-between" align="flex-end" gap="xs">
        <DayField label={messages.sales.ask.day} value={day} onChange={part.setDay} />
        <Group gap="xs">
          <Button variant="default" onClick={() => setAll(({ left }) => left)}>
            {texts.all}
          </Button>
          <Button variant="default" onClick={() => setAll(() => 0)}>
            {texts.none}
          </Button>
        </Group>
      </Group>
      {error !== undefined && <Alert color="red" variant="outline" role="alert" title={textOf(error)} />}
      <EffectPreview
        path="orders/ship_part"
        lead={isRest ? texts.leadRest(card.order.num) : texts.lead(card.order.num)}
        input={part.input}
        reason={lines.length === 0 ? texts.nothing : reason}
      />
      <Group justify="flex-end" gap="xs">
        <Button variant="default" onClick={close}>
          {messages.kit.effect.cancel}
        </Button>
        <Button
          data-autofocus
          loading={part.isRunning}
          disabled={lines.length === 0 || tooMuch !== undefined}
          onClick={() => void submit()}
        >
          {messages.sales.act.shipPart}
        </Button>
      </Group>
    </Stack>
  )
}

/** The quantities to ship, and sending them. */
function useShipPart({ card, today, close }: Props) {
  const [items, setItems] = useState(() => leftOf(card))
  const [day, setDay] = useState(today)
  const [error, setError] = useState<unknown>()
  const [isRunning, setRunning] = useState(false)
  const going = items.filter(({ now }) => now > 0)
  const lines = going.map(({ id, now }) => plain({ id, amount: now }))
  const input = { order_id: card.order.id, date: day, lines }
  const tooMuch = items.find(({ now, left }) => now > left)
  const wrong = error instanceof Refusal ? going[error.line ?? -1] : undefined

  const setAll = (now: (item: Left) => number): void => {
    setError(undefined)
    setItems((all) => all.map((item) => ({ ...item, now: now(item) })))
  }
  const set = (id: number, now: number): void => setAll((item) => (item.id === id ? now : item.now))
  const submit = async (): Promise<void> => {
    if (hasOpenText() || lines.length === 0 || tooMuch !== undefined || isRunning) return
    setRunning(true)
    try {
      const { status } = await mutate('orders/ship_part', input, { expect: card.seq })
      const { num, id } = card.order
      notify(status === saleStatus.shipped ? messages.sales.done.rest(num) : messages.sales.done.part(num), {
        to: `/sales/${id}`,
        undo: () => mutate('orders/undo_shipment', { order_id: id, shipment: nextShipment(card) }),
      })
      close()
    } catch (failure) {
      setError(failure)
      setRunning(false)
    }
  }
  return { items, set, setAll, day, setDay, lines, input, tooMuch, wrong, error, isRunning, submit }
}

function Items({ part: { items, wrong, set, submit } }: { part: ReturnType<typeof useShipPart> }) {
  return (
    <Table.ScrollContainer minWidth={300} className={classes['items'] ?? ''}>
      <Table fz="sm" stickyHeader>
        <Table.Thead>
          <Table.Tr>
            <Table.Th>{texts.item}</Table.Th>
            <Table.Th ta="right">{texts.left}</Table.Th>
            <Table.Th ta="right" visibleFrom="xs">
              {texts.onHand}
            </Table.Th>
            <Table.Th ta="right">{texts.now}</Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {items.map((item) => (
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
                  label={texts.nowOf(item.name)}
                  value={item.now}
                  decimals={3}
                  isWrong={item.now > item.left || item.now < 0 || wrong === item}
                  onChange={(now) => set(item.id, now)}
                  onEnter={() => void submit()}
                />
              </Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </Table.ScrollContainer>
  )
}
