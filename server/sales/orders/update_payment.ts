// Marking a sale as unpaid, partially paid or paid. Informational only.

import { z } from 'zod'
import { paymentStatusTable } from '../../kernel/document-statuses.ts'
import { code, required, requiredId } from '../../kernel/field.ts'
import { write } from '../../kernel/method.ts'
import { describeStatuses } from '../../kernel/status.ts'
import { readVersion, versionRefusal, versionSchema } from '../../platform/lists/external-ids.ts'
import { Items } from '../../stock/items.ts'
import { saleIdSchema } from '../input.ts'
import { planSale } from '../plan.ts'
import { changedRefusal, factsOfSale, identityOfSale, loadPresent, writtenSale } from '../store.ts'

export const updatePayment = write({
  path: 'orders/update_payment',
  summary: 'Change the payment status of a sale.',
  notes: ['The payment status is informational: it does not change stock, amounts or the status of the sale.'],
  input: {
    schema: z.object({
      order_id: saleIdSchema,
      status: z.union([z.literal(0), z.literal(1), z.literal(2)]).describe(describeStatuses(paymentStatusTable)),
      ...versionSchema,
    }),
    read: (raw) => ({
      saleId: requiredId(raw, 'order_id'),
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
  ],
  conflicts: [changedRefusal],
  example: { request: { order_id: 1, status: 2 }, response: { success: true } },
  facts: (input, context) => factsOfSale(context, input.saleId),
  moreFacts: (input, context) => identityOfSale(context, input.saleId, input),
  plan: (input, facts, transaction) => {
    const present = loadPresent(facts, input.version)
    const after = { ...present.document, payment: input.payment }
    return planSale(present, after, new Items(facts), transaction)
  },
  write: (change, transaction) => writtenSale(change, transaction),
  response: () => ({}),
})
