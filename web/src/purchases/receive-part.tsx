// Receiving part of a purchase: the quantities received out of those outstanding, and the day.

import { Alert, Button, Group, Stack, Table, Text } from '@mantine/core'
import { modals } from '@mantine/modals'
import { useState } from 'react'
import { plain } from '../documents/lines.ts'
import classes from '../documents/part-lines.module.css'
import { quantity } from '../format.ts'
import { DayField } from '../kit/day-field.tsx'
import { EffectPreview } from '../kit/effect-preview.tsx'
import { saveKey, useKey } from '../kit/keys.tsx'
import { notify } from '../kit/notify.tsx'
import { NumberCell } from '../kit/number-cell.tsx'
import { hasOpenText } from '../kit/open-text.ts'
import { messages } from '../messages.ts'
import { textOf } from '../server/call.ts'
import { mutate } from '../server/query.ts'
import { purchaseStatus } from '../statuses.ts'
import { type PurchaseCard, receivedOf } from './purchase.ts'
import { nextReceipt } from './receipts-tab.tsx'

const texts = messages.purchases

export function receivePart(card: PurchaseCard, today: string): void {
  const id = modals.open({
    title: texts.part.title(card.purchase.num),
    size: 'lg',
    children: <ReceivePartForm card={card} today={today} close={() => modals.close(id)} />,
  })
}

type Open = {
  readonly id: number
  readonly name: string
  readonly sku: string
  readonly unit: string
  readonly left: number
}

/** The items with an outstanding quantity. */
function openOf(card: PurchaseCard): Open[] {
  const { products, materials } = card.purchase
  const known = receivedOf(card)
  const items = [...new Map([...products, ...materials].map((line) => [line.id, line])).values()]
  return items.map((line) => ({ ...line, left: known.get(line.id)?.left ?? 0 })).filter(({ left }) => left > 0)
}

/** The outstanding quantities as defaults, because most deliveries are complete. */
const allOf = (open: readonly Open[]): Record<number, number> =>
  Object.fromEntries(open.map(({ id, left }) => [id, left]))

function ReceivePartForm({ card, today, close }: { card: PurchaseCard; today: string; close: () => void }) {
  const { purchase } = card
  const open = openOf(card)
  const [amounts, setAmounts] = useState<Readonly<Record<number, number>>>(() => allOf(open))
  const [date, setDate] = useState(today)
  const [error, setError] = useState<string>()
  const [isSaving, setSaving] = useState(false)
  const lines = open.filter(({ id }) => (amounts[id] ?? 0) > 0).map(({ id }) => plain({ id, amount: amounts[id] ?? 0 }))

  const set = (id: number, amount: number): void => setAmounts((former) => ({ ...former, [id]: amount }))
  const submit = async (): Promise<void> => {
    if (hasOpenText()) return
    if (lines.length === 0) return setError(texts.part.nothing)
    setSaving(true)
    setError(undefined)
    try {
      const { status } = await mutate('purchases/receive_part', { purchase_id: purchase.id, date, lines })
      close()
      const { received, partlyReceived } = purchaseStatus
      notify(texts.done[status === received ? received : partlyReceived](purchase.num), {
        undo: () => mutate('purchases/undo_receipt', { purchase_id: purchase.id, receipt: nextReceipt(card.receipts) }),
      })
    } catch (reason) {
      setError(textOf(reason))
    } finally {
      setSaving(false)
    }
  }
  useKey('mod+Enter', texts.part.submit, () => void submit(), true)

  return (
    <Stack gap="md">
      <Text size="sm">{texts.part.lead}</Text>
      {error !== undefined && <Alert color="red" variant="outline" role="alert" title={error} />}
      <Items open={open} amounts={amounts} set={set} submit={submit} />
      <Group gap="xs">
        <Button variant="default" size="compact-xs" onClick={() => setAmounts(allOf(open))}>
          {texts.part.all}
        </Button>
        <Button variant="default" size="compact-xs" onClick={() => setAmounts({})}>
          {texts.part.none}
        </Button>
      </Group>
      <EffectPreview
        path="purchases/receive_part"
        input={{ purchase_id: purchase.id, date, lines }}
        lead={texts.part.does(purchase.num)}
        reason={lines.length === 0 ? texts.part.nothing : undefined}
        incoming="adds"
      />
      <Group justify="space-between" align="end">
        <DayField label={texts.dayOfReceipt} value={date} max={today} onChange={setDate} />
        <Group gap="xs">
          <Button variant="default" onClick={close}>
            {messages.kit.card.cancel}
          </Button>
          <Button loading={isSaving} onClick={() => void submit()} title={saveKey}>
            {texts.part.submit}
          </Button>
        </Group>
      </Group>
    </Stack>
  )
}

type ItemsProps = {
  readonly open: readonly Open[]
  readonly amounts: Readonly<Record<number, number>>
  readonly set: (id: number, amount: number) => void
  readonly submit: () => Promise<void>
}

function Items({ open, amounts, set, submit }: ItemsProps) {
  return (
    <Table.ScrollContainer minWidth={300} className={classes['items'] ?? ''}>
      <Table fz="sm" verticalSpacing={6} stickyHeader>
        <Table.Thead>
          <Table.Tr>
            <Table.Th>{texts.part.item}</Table.Th>
            <Table.Th ta="right">{texts.part.left}</Table.Th>
            <Table.Th ta="right">{texts.part.now}</Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {open.map((line) => (
            <Table.Tr key={line.id}>
              <Table.Td>
                {line.name}{' '}
                <Text span size="xs" c="dimmed">
                  {line.sku}
                </Text>
              </Table.Td>
              <Table.Td ta="right" style={{ whiteSpace: 'nowrap' }}>
                {quantity(line.left, line.unit)}
              </Table.Td>
              <Table.Td ta="right">
                <NumberCell
                  name="part"
                  label={`${texts.part.now}: ${line.name}`}
                  value={amounts[line.id] ?? 0}
                  decimals={3}
                  isWrong={(amounts[line.id] ?? 0) > line.left}
                  onChange={(amount) => set(line.id, amount)}
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
