// The receipts of a purchase, each with an undo.

import { Button, Group, Stack, Text } from '@mantine/core'
import { day, quantity } from '../format.ts'
import { confirmEffect } from '../kit/confirm-effect.tsx'
import { roundAmount } from '../kit/line.ts'
import { notify, notifyError } from '../kit/notify.tsx'
import { messages } from '../messages.ts'
import { mutate } from '../server/query.ts'
import { purchaseStatus } from '../statuses.ts'
import type { PurchaseCard } from './purchase.ts'

const texts = messages.purchases

type Receipt = PurchaseCard['receipts'][number]

/** The recorded receipts; what was received by setting the status to "Received" is shown as one more. */
export function receiptsOf({ purchase, receipts, effect }: PurchaseCard): readonly Receipt[] {
  if (purchase.status !== purchaseStatus.received) return receipts
  const items = [...Map.groupBy([...purchase.products, ...purchase.materials], ({ id }) => id).values()]
  const sum = (all: readonly { amount: number }[]): number => all.reduce((so, { amount }) => so + amount, 0)
  const rest = items.flatMap((of) => {
    const [line] = of
    if (line === undefined) return []
    const came = receipts.flatMap((one) => one.lines.filter(({ id }) => id === line.id))
    const amount = roundAmount(sum(of) - sum(came))
    const { id, sku, name, unit } = line
    return amount > 0 ? [{ id, sku, name, unit, amount }] : []
  })
  if (rest.length === 0) return receipts
  const last = effect.findLast(({ on_hand }) => on_hand > 0)
  return [
    ...receipts,
    { receipt: nextReceipt(receipts), date: purchase.date_received || (last?.date ?? ''), lines: rest },
  ]
}

/** The number of the next receipt. */
export const nextReceipt = (receipts: PurchaseCard['receipts']): number =>
  1 + receipts.reduce((last, { receipt }) => Math.max(last, receipt), 0)

/** Undoes one receipt after showing what leaves stock. */
async function undoReceipt({ purchase, seq }: PurchaseCard, number: number): Promise<void> {
  const input = { purchase_id: purchase.id, receipt: number }
  const isConfirmed = await confirmEffect({
    path: 'purchases/undo_receipt',
    input,
    ...texts.undoingReceipt(number, purchase.num),
    danger: true,
  })
  if (!isConfirmed) return
  await mutate('purchases/undo_receipt', input, { expect: seq })
  notify(texts.receiptUndone(number, purchase.num))
}

export function ReceiptsTab({ card }: { card: PurchaseCard }) {
  const receipts = receiptsOf(card)
  if (receipts.length === 0) return <Text c="dimmed">{texts.noReceipts}</Text>
  return (
    <Stack gap="sm">
      {receipts.map((receipt) => (
        <div key={receipt.receipt}>
          <Group gap="xs">
            <Text size="sm" fw={500}>
              {texts.receipt(receipt.receipt, day(receipt.date))}
            </Text>
            <Button
              variant="default"
              size="compact-xs"
              aria-label={texts.undoReceiptOf(receipt.receipt)}
              onClick={() => void undoReceipt(card, receipt.receipt).catch(notifyError)}
            >
              {messages.kit.undo}
            </Button>
          </Group>
          {receipt.lines.map((line) => (
            <Text key={line.id} size="sm">
              {quantity(line.amount, line.unit)} {line.name}{' '}
              <Text span size="sm" c="dimmed">
                {line.sku}
              </Text>
            </Text>
          ))}
        </div>
      ))}
    </Stack>
  )
}
