// What came, receipt by receipt.

import { Stack, Text } from '@mantine/core'
import { day, quantity } from '../format.ts'
import { words } from '../words.ts'
import type { Card } from './purchase.ts'

const said = words.purchases

export function ReceiptsTab({ receipts }: { receipts: Card['receipts'] }) {
  if (receipts.length === 0) return <Text c="dimmed">{said.noReceipts}</Text>
  return (
    <Stack gap="sm">
      {receipts.map((receipt) => (
        <div key={receipt.receipt}>
          <Text size="sm" fw={500}>
            {said.receipt(receipt.receipt, day(receipt.date))}
          </Text>
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
