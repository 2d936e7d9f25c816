// Marking a purchase as unpaid, partially paid or paid. Informational only.

import { z } from 'zod'
import { planChange } from '../documents/document.ts'
import { idSchema } from '../documents/fields.ts'
import { paymentStatusTable } from '../kernel/document-statuses.ts'
import { code, required } from '../kernel/field.ts'
import { write } from '../kernel/method.ts'
import { refuse } from '../kernel/refusal.ts'
import { describeStatuses, settableCodes } from '../kernel/status.ts'
import { findByExternalId, readRecordKey, recordKeyRefusals, recordKeySchema } from '../platform/lists/record-key.ts'
import { missing } from '../platform/lists/record-methods.ts'
import { Items } from '../stock/items.ts'
import { purchaseKind, purchaseRules } from './purchase.ts'
import { factsOfPurchase, loadPurchase, writtenPurchase } from './store.ts'

const payments = settableCodes(paymentStatusTable)
const invalidPayment = `Invalid payment status value. Must be one of: ${payments.join(', ')}`

export const updatePayment = write({
  path: 'purchases/update_payment',
  summary: 'Change the payment status of a purchase.',
  notes: ['The payment status is informational.'],
  input: {
    schema: z.object({
      ...recordKeySchema('purchase_id', idSchema.describe('Id of the purchase.'), purchaseKind.noun),
      status: z.int().describe(describeStatuses(paymentStatusTable)),
    }),
    read: (raw) => ({
      ...readRecordKey(raw, 'purchase_id', purchaseKind.noun),
      payment: code(required(raw, 'status'), payments, invalidPayment),
    }),
  },
  output: z.object({}),
  refusals: [
    'No purchase_id in input',
    'No status in input',
    invalidPayment,
    missing(purchaseKind),
    ...recordKeyRefusals(purchaseKind.noun),
  ],
  example: { request: { purchase_id: 1, status: 2 }, response: { success: true } },
  find: findByExternalId(purchaseKind.noun),
  facts: ({ id }, context) => factsOfPurchase(context, id),
  plan: ({ payment }, facts, transaction) => {
    const present = loadPurchase(facts) ?? refuse(missing(purchaseKind), { code: 'record_not_found' })
    return planChange(purchaseRules, present, { ...present.document, payment }, new Items(facts), transaction)
  },
  write: writtenPurchase,
  response: () => ({}),
})
