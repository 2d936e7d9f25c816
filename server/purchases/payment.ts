// Marking a purchase as unpaid, partially paid or paid. Nothing else follows from it.

import { z } from 'zod'
import { planChange } from '../documents/document.ts'
import { idOnWire } from '../documents/fields.ts'
import { code, required, requiredId } from '../kernel/field.ts'
import { write } from '../kernel/method.ts'
import { refuse } from '../kernel/refusal.ts'
import { missing } from '../platform/records.ts'
import { Items } from '../stock/items.ts'
import { purchaseKind, purchaseRules } from './purchase.ts'
import { factsOfPurchase, loadPurchase, writtenPurchase } from './store.ts'

export const updatePayment = write({
  path: 'purchases/update_payment',
  summary: 'Change the payment status of a purchase.',
  notes: ['The payment status is only a mark.'],
  input: {
    wire: z.object({
      purchase_id: idOnWire.describe('Id of the purchase.'),
      status: z.int().describe('0 Unpaid, 1 Partially paid, 2 Paid.'),
    }),
    read: (raw) => ({
      id: requiredId(raw, 'purchase_id'),
      payment: code(required(raw, 'status'), [0, 1, 2], 'Invalid payment status value. Must be one of: 0, 1, 2'),
    }),
  },
  output: z.object({}),
  refusals: [
    'No purchase_id in input',
    'No status in input',
    'Invalid payment status value. Must be one of: 0, 1, 2',
    missing(purchaseKind),
  ],
  example: { request: { purchase_id: 1, status: 2 }, response: { success: true } },
  facts: ({ id }, call) => factsOfPurchase(call, id),
  plan: ({ payment }, facts, moment) => {
    const present = loadPurchase(facts) ?? refuse(missing(purchaseKind))
    return planChange(purchaseRules, present, { ...present.document, payment }, new Items(facts).costs, moment)
  },
  write: writtenPurchase,
  answer: () => ({}),
})
