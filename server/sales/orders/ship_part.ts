// Shipping part of a sale. Only the screens do this; it is how a sale becomes Partially shipped.

import { z } from 'zod'
import { maxQuantity, type Quantity, quantityPlaces } from '../../kernel/decimal.ts'
import { array, date, decimal, id, isObject, passed, requiredId } from '../../kernel/field.ts'
import type { Raw } from '../../kernel/json.ts'
import { write } from '../../kernel/method.ts'
import { refuse } from '../../kernel/refusal.ts'
import { Items } from '../../stock/items.ts'
import { orderIdOnWire } from '../input.ts'
import { planSale } from '../plan.ts'
import { type Sale, type Shipped, status, trimmedShipments } from '../sale.ts'
import { factsOfSale, loadPresent, writtenSale } from '../store.ts'

type Part = { readonly itemId: number; readonly amount: Quantity }
type ShipInput = { readonly orderId: number; readonly date: string | undefined; readonly parts: readonly Part[] }

export const shipPart = write({
  path: 'orders/ship_part',
  door: 'screens',
  summary: 'Ship part of a sale.',
  notes: ['The sale becomes Partially shipped. What has left is dated to its shipment; the rest stays reserved.'],
  input: {
    wire: z.object({
      order_id: orderIdOnWire,
      date: z.string().optional().describe('Day of the shipment, `YYYY-MM-DD`. Default: today.'),
      items: z
        .array(z.object({ id: z.int(), amount: z.union([z.number(), z.string()]) }))
        .describe('What leaves, by item.'),
    }),
    read: (raw): ShipInput => ({
      orderId: requiredId(raw, 'order_id'),
      date: date(raw, 'date'),
      parts: (array(raw, 'items') ?? refuse('No items in input')).map(readPart),
    }),
  },
  output: z.object({}),
  refusals: [
    'No order_id in input',
    'Date is not a valid date in format YYYY-MM-DD',
    'No items in input',
    'Items is not an array',
    'Item <n> must be an object',
    'Amount must be greater than 0 for item <n>',
    'Order not found or access denied',
    'Order is shipped or canceled and cannot be shipped in part',
    'Item <n> has less left to ship',
  ],
  example: { request: { order_id: 1, items: [{ id: 1, amount: 1 }] }, response: { success: true } },
  facts: (input, call) => factsOfSale(call, input.orderId),
  plan: (input, facts, moment) => {
    const present = loadPresent(facts)
    const { today } = facts.company
    const after = shippedInPart(present.document, input.parts, input.date ?? today)
    return planSale(present, after, new Items(facts).costs, moment)
  },
  write: (change, moment) => writtenSale(change, moment),
  answer: () => ({}),
})

function readPart(value: unknown, at: number): Part {
  if (!isObject(value)) refuse(`Item ${at} must be an object`)
  const raw: Raw = value
  const amount = decimal(passed(raw, 'amount'), quantityPlaces)
  if (amount === undefined || amount <= 0n || amount > maxQuantity)
    refuse(`Amount must be greater than 0 for item ${at}`)
  return { itemId: id(passed(raw, 'id')), amount }
}

function shippedInPart(sale: Sale, parts: readonly Part[], day: string): Sale {
  if (sale.status === status.shipped || sale.status === status.canceled) {
    refuse('Order is shipped or canceled and cannot be shipped in part')
  }
  const shipment = 1 + sale.shipments.reduce((last, one) => Math.max(last, one.shipment), 0)
  const added = new Map<number, Shipped>()
  for (const { itemId, amount } of parts) {
    added.set(itemId, { shipment, date: day, itemId, amount: (added.get(itemId)?.amount ?? 0n) + amount })
  }
  const shipments = [...sale.shipments, ...added.values()]
  const kept = trimmedShipments(shipments, sale.lines)
  const short = parts.findIndex(({ itemId }) => sumOf(kept, itemId) < sumOf(shipments, itemId))
  if (short !== -1) refuse(`Item ${short} has less left to ship`)
  return { ...sale, status: status.partlyShipped, shipments }
}

const sumOf = (shipments: readonly Shipped[], itemId: number): Quantity =>
  shipments.reduce((sum, one) => (one.itemId === itemId ? sum + one.amount : sum), 0n)
