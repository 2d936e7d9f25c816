// Receiving a part of a purchase: what came now of what is left, and on which day.

import { Alert, Button, Group, Stack, Table, Text } from '@mantine/core'
import { modals } from '@mantine/modals'
import { useState } from 'react'
import { quantity } from '../format.ts'
import { useKey } from '../frame/keys.tsx'
import { DayField } from '../kit/day-field.tsx'
import { EffectPreview } from '../kit/effect-preview.tsx'
import { NumberCell } from '../kit/number-cell.tsx'
import { told } from '../kit/told.tsx'
import { textOf } from '../server/call.ts'
import { act } from '../server/query.ts'
import { words } from '../words.ts'
import { type Card, receivedOf } from './purchase.ts'

const said = words.purchases

export function receivePart(card: Card, today: string): void {
  const id = modals.open({
    title: said.part.title(card.purchase.num),
    size: 'lg',
    children: <Part card={card} today={today} close={() => modals.close(id)} />,
  })
}

function Part({ card, today, close }: { card: Card; today: string; close: () => void }) {
  const { purchase } = card
  const known = receivedOf(card)
  const items = [...new Map([...purchase.products, ...purchase.materials].map((line) => [line.id, line])).values()]
  const open = items.map((line) => ({ ...line, left: known.get(line.id)?.left ?? 0 })).filter(({ left }) => left > 0)
  const [amounts, setAmounts] = useState<Readonly<Record<number, number>>>({})
  const [date, setDate] = useState(today)
  const [error, setError] = useState<string>()
  const [isSaving, setSaving] = useState(false)
  const lines = open.map(({ id }) => ({ id, amount: amounts[id] ?? 0 })).filter(({ amount }) => amount > 0)

  const submit = async (): Promise<void> => {
    if (lines.length === 0) return setError(said.part.nothing)
    setSaving(true)
    setError(undefined)
    try {
      const { status } = await act('purchases/receive_part', { purchase_id: purchase.id, date, lines })
      close()
      told(status === 3 ? said.done[3](purchase.num) : said.done[2](purchase.num))
    } catch (reason) {
      setError(textOf(reason))
    } finally {
      setSaving(false)
    }
  }
  useKey('mod+Enter', said.part.submit, () => void submit(), true)

  return (
    <Stack gap="md">
      <Text size="sm">{said.part.lead}</Text>
      {error !== undefined && <Alert color="red" variant="outline" role="alert" title={error} />}
      <Table fz="sm" verticalSpacing={6}>
        <Table.Thead>
          <Table.Tr>
            <Table.Th>{said.part.item}</Table.Th>
            <Table.Th ta="right">{said.part.left}</Table.Th>
            <Table.Th ta="right">{said.part.now}</Table.Th>
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
                  label={`${said.part.now}: ${line.name}`}
                  value={amounts[line.id] ?? 0}
                  decimals={3}
                  isWrong={(amounts[line.id] ?? 0) > line.left}
                  onChange={(amount) => setAmounts((former) => ({ ...former, [line.id]: amount }))}
                  onEnter={() => void submit()}
                />
              </Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
      <Group gap="xs">
        <Button
          variant="default"
          size="compact-xs"
          onClick={() => setAmounts(Object.fromEntries(open.map(({ id, left }) => [id, left])))}
        >
          {said.part.all}
        </Button>
        <Button variant="default" size="compact-xs" onClick={() => setAmounts({})}>
          {said.part.none}
        </Button>
      </Group>
      <EffectPreview
        path="purchases/receive_part"
        input={{ purchase_id: purchase.id, date, lines }}
        lead={said.part.does(purchase.num)}
        reason={lines.length === 0 ? said.part.nothing : undefined}
        comes="adds"
      />
      <Group justify="space-between" align="end">
        <DayField label={said.dayOfReceipt} value={date} max={today} onChange={setDate} />
        <Group gap="xs">
          <Button variant="default" onClick={close}>
            {words.kit.card.cancel}
          </Button>
          <Button loading={isSaving} onClick={() => void submit()} title="Ctrl+Enter">
            {said.part.submit}
          </Button>
        </Group>
      </Group>
    </Stack>
  )
}
