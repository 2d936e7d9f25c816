// Deleting a sale for good. Its movements are undone, its planned production goes with it.

import { z } from 'zod'
import { requiredId } from '../../kernel/field.ts'
import { write } from '../../kernel/method.ts'
import { Items } from '../../stock/items.ts'
import { orderIdOnWire } from '../input.ts'
import { planSale } from '../plan.ts'
import { factsOfSale, loadPresent, writtenSale } from '../store.ts'

export const deleteSale = write({
  path: 'orders/delete',
  summary: 'Delete a sale.',
  notes: ['This cannot be undone. What the sale had reserved or taken from stock is returned.'],
  input: {
    wire: z.object({ order_id: orderIdOnWire }),
    read: (raw) => ({ orderId: requiredId(raw, 'order_id') }),
  },
  output: z.object({}),
  refusals: ['No order_id in input', 'Order not found or access denied'],
  example: { request: { order_id: 1 }, response: { success: true } },
  facts: (input, call) => factsOfSale(call, input.orderId),
  plan: (_input, facts, moment) => planSale(loadPresent(facts), undefined, new Items(facts), moment),
  write: (change, moment) => writtenSale(change, moment),
  answer: () => ({}),
})
