// Deleting a sale for good. Its movements are undone, its planned production goes with it.

import { z } from 'zod'
import { requiredId } from '../../kernel/field.ts'
import { write } from '../../kernel/method.ts'
import { Items } from '../../stock/items.ts'
import { factsOfSale, loadPresent, type SaleFacts } from '../facts.ts'
import { orderIdOnWire } from '../input.ts'
import { planChange } from '../plan.ts'
import { writeChange } from '../store.ts'
import { writtenSale } from './written.ts'

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
  plan: (_input, facts: SaleFacts, moment) =>
    planChange(loadPresent(facts), undefined, new Items(facts).costs, moment, facts.company.today),
  write: (change, moment) => writtenSale(change, writeChange(change, moment)),
  answer: () => ({}),
})
