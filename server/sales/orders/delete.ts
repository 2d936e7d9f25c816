// Deleting a sale permanently. Its movements are reversed, and its planned production is deleted.

import { z } from 'zod'
import { tooLargeRefusal } from '../../documents/limits.ts'
import { requiredId } from '../../kernel/field.ts'
import { write } from '../../kernel/method.ts'
import { readVersion, versionRefusal, versionSchema } from '../../platform/lists/external-ids.ts'
import { Items } from '../../stock/items.ts'
import { saleIdSchema } from '../input.ts'
import { planSale } from '../plan.ts'
import { changedRefusal, factsOfSale, identityOfSale, loadPresent, writtenSale } from '../store.ts'

export const deleteSale = write({
  path: 'orders/delete',
  whenFull: 'always',
  summary: 'Delete a sale.',
  notes: ['This cannot be undone. Reservations and deductions of the sale are reversed.'],
  input: {
    schema: z.object({ order_id: saleIdSchema, ...versionSchema }),
    read: (raw) => ({ saleId: requiredId(raw, 'order_id'), version: readVersion(raw) }),
  },
  output: z.object({}),
  refusals: ['No order_id in input', 'Order not found or access denied', tooLargeRefusal, versionRefusal],
  conflicts: [changedRefusal],
  example: { request: { order_id: 1 }, response: { success: true } },
  facts: (input, context) => factsOfSale(context, input.saleId),
  moreFacts: (input, context) => identityOfSale(context, input.saleId, input),
  plan: ({ version }, facts, transaction) =>
    planSale(loadPresent(facts, version), undefined, new Items(facts), transaction),
  write: (change, transaction) => writtenSale(change, transaction),
  response: () => ({}),
})
