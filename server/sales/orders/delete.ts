// Deleting a sale permanently. Its movements are reversed, and its planned production is deleted.

import { z } from 'zod'
import { tooLargeRefusal } from '../../documents/limits.ts'
import { write } from '../../kernel/method.ts'
import { readVersion, versionRefusal, versionSchema } from '../../platform/lists/external-ids.ts'
import { Items } from '../../stock/items.ts'
import { readSaleKey, saleKeyRefusals, saleKeySchema } from '../input.ts'
import { planSale } from '../plan.ts'
import { changedRefusal, factsOfSale, findSaleByKey, identityOfSale, loadPresent, writtenSale } from '../store.ts'

export const deleteSale = write({
  path: 'orders/delete',
  whenFull: 'always',
  summary: 'Delete a sale.',
  notes: ['This cannot be undone. Reservations and deductions of the sale are reversed.'],
  input: {
    schema: z.object({ ...saleKeySchema, ...versionSchema }),
    read: (raw) => ({ ...readSaleKey(raw), version: readVersion(raw) }),
  },
  output: z.object({}),
  refusals: [
    'No order_id in input',
    'Order not found or access denied',
    tooLargeRefusal,
    versionRefusal,
    ...saleKeyRefusals,
  ],
  conflicts: [changedRefusal],
  example: { request: { order_id: 1 }, response: { success: true } },
  find: findSaleByKey,
  facts: ({ id }, context) => factsOfSale(context, id),
  moreFacts: ({ id, version }, context) => identityOfSale(context, id, { version }),
  plan: ({ version }, facts, transaction) =>
    planSale(loadPresent(facts, version), undefined, new Items(facts), transaction),
  write: (change, transaction) => writtenSale(change, transaction),
  response: () => ({}),
})
