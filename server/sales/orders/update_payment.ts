// Marking a sale as unpaid, partially paid or paid. Nothing else follows from it.

import { z } from 'zod'
import { code, required, requiredId } from '../../kernel/field.ts'
import { write } from '../../kernel/method.ts'
import { Items } from '../../stock/items.ts'
import { orderIdOnWire } from '../input.ts'
import { planSale } from '../plan.ts'
import { factsOfSale, loadPresent, writtenSale } from '../store.ts'

export const updatePayment = write({
  path: 'orders/update_payment',
  summary: 'Change the payment status of a sale.',
  notes: ['The payment status is only a mark: it changes neither stock nor amounts nor the status of the sale.'],
  input: {
    wire: z.object({
      order_id: orderIdOnWire,
      status: z.union([z.literal(0), z.literal(1), z.literal(2)]).describe('0 Unpaid, 1 Partially paid, 2 Paid.'),
    }),
    read: (raw) => ({
      orderId: requiredId(raw, 'order_id'),
      payment: code(required(raw, 'status'), [0, 1, 2], 'Invalid payment status value. Must be one of: 0, 1, 2'),
    }),
  },
  output: z.object({}),
  refusals: [
    'No order_id in input',
    'No status in input',
    'Invalid payment status value. Must be one of: 0, 1, 2',
    'Order not found or access denied',
  ],
  example: { request: { order_id: 1, status: 2 }, response: { success: true } },
  facts: (input, call) => factsOfSale(call, input.orderId),
  plan: (input, facts, moment) => {
    const present = loadPresent(facts)
    const after = { ...present.document, payment: input.payment }
    return planSale(present, after, new Items(facts), moment)
  },
  write: (change, moment) => writtenSale(change, moment),
  answer: () => ({}),
})
