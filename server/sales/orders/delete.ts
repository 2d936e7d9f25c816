// Deleting a sale permanently. Its movements are reversed, and its planned production is deleted.

import { z } from 'zod'
import { tooLargeRefusal } from '../../documents/limits.ts'
import { requiredId } from '../../kernel/field.ts'
import { write } from '../../kernel/method.ts'
import { Items } from '../../stock/items.ts'
import { saleIdSchema } from '../input.ts'
import { planSale } from '../plan.ts'
import { factsOfSale, loadPresent, writtenSale } from '../store.ts'

export const deleteSale = write({
  path: 'orders/delete',
  isAllowedWhenFull: true,
  summary: 'Delete a sale.',
  notes: ['This cannot be undone. Reservations and deductions of the sale are reversed.'],
  input: {
    schema: z.object({ order_id: saleIdSchema }),
    read: (raw) => ({ saleId: requiredId(raw, 'order_id') }),
  },
  output: z.object({}),
  refusals: ['No order_id in input', 'Order not found or access denied', tooLargeRefusal],
  example: { request: { order_id: 1 }, response: { success: true } },
  facts: (input, context) => factsOfSale(context, input.saleId),
  plan: (_input, facts, transaction) => planSale(loadPresent(facts), undefined, new Items(facts), transaction),
  write: (change, transaction) => writtenSale(change, transaction),
  response: () => ({}),
})
