// Marking a sale as unpaid, partially paid or paid. Informational only.

import { z } from 'zod'
import { paymentStatusTable } from '../../kernel/document-statuses.ts'
import { code, required } from '../../kernel/field.ts'
import { write } from '../../kernel/method.ts'
import { describeStatuses } from '../../kernel/status.ts'
import { readVersion, versionRefusal, versionSchema } from '../../platform/lists/external-ids.ts'
import { Items } from '../../stock/items.ts'
import { readSaleKey, saleKeyRefusals, saleKeySchema } from '../input.ts'
import { planSale } from '../plan.ts'
import { changedRefusal, factsOfSale, findSaleByKey, identityOfSale, loadPresent, writtenSale } from '../store.ts'

export const updatePayment = write({
  path: 'orders/update_payment',
  summary: 'Change the payment status of a sale.',
  notes: ['The payment status is informational: it does not change stock, amounts or the status of the sale.'],
  input: {
    schema: z.object({
      ...saleKeySchema,
      status: z.union([z.literal(0), z.literal(1), z.literal(2)]).describe(describeStatuses(paymentStatusTable)),
      ...versionSchema,
    }),
    read: (raw) => ({
      ...readSaleKey(raw),
      payment: code(required(raw, 'status'), [0, 1, 2], 'Invalid payment status value. Must be one of: 0, 1, 2'),
      version: readVersion(raw),
    }),
  },
  output: z.object({}),
  refusals: [
    'No order_id in input',
    'No status in input',
    'Invalid payment status value. Must be one of: 0, 1, 2',
    'Order not found or access denied',
    versionRefusal,
    ...saleKeyRefusals,
  ],
  conflicts: [changedRefusal],
  example: { request: { order_id: 1, status: 2 }, response: { success: true } },
  find: findSaleByKey,
  facts: ({ id }, context) => factsOfSale(context, id),
  moreFacts: ({ id, version }, context) => identityOfSale(context, id, { version }),
  plan: (input, facts, transaction) => {
    const present = loadPresent(facts, input.version)
    const after = { ...present.document, payment: input.payment }
    return planSale(present, after, new Items(facts), transaction)
  },
  write: (change, transaction) => writtenSale(change, transaction),
  response: () => ({}),
})
