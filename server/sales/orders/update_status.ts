// Changing the status of a sale; its effect on stock follows.

import { z } from 'zod'
import { clearableDate, code, required, requiredId } from '../../kernel/field.ts'
import { write } from '../../kernel/method.ts'
import { saleStatuses } from '../../kernel/settings.ts'
import { Items } from '../../stock/items.ts'
import { orderIdOnWire } from '../input.ts'
import { planSale } from '../plan.ts'
import { status, withStatus } from '../sale.ts'
import { factsOfSale, loadPresent, writtenSale } from '../store.ts'

export const updateStatus = write({
  path: 'orders/update_status',
  role: 'worker',
  summary: 'Change the status of a sale.',
  notes: [
    'Any status may follow any other. New and Packed reserve the goods, Shipped deducts them, Canceled gives them back.',
    '`date_shipped` is used with status 3 only: it is stored in the sale and dates the deduction. Without it the deduction is dated by the date_shipped that the sale has, else today.',
    'Status 2 (Partially shipped) arises only when part of a sale is shipped in the screens.',
  ],
  input: {
    wire: z.object({
      order_id: orderIdOnWire,
      status: z
        .union([z.literal(0), z.literal(1), z.literal(3), z.literal(4)])
        .describe('0 New, 1 Packed, 3 Shipped, 4 Canceled.'),
      date_shipped: z.string().optional().describe('Day of shipping, `YYYY-MM-DD`; used with status 3 only.'),
    }),
    read: (raw) => {
      const orderId = requiredId(raw, 'order_id')
      const wanted = code(required(raw, 'status'), saleStatuses, 'Invalid status value. Must be one of: 0, 1, 3, 4')
      const given = wanted === status.shipped ? clearableDate(raw, 'date_shipped') : undefined
      return { orderId, wanted, dateShipped: given === '' ? undefined : given }
    },
  },
  output: z.object({}),
  refusals: [
    'No order_id in input',
    'No status in input',
    'Invalid status value. Must be one of: 0, 1, 3, 4',
    'Date is not a valid date in format YYYY-MM-DD',
    'Order not found or access denied',
  ],
  example: { request: { order_id: 1, status: 3, date_shipped: '2026-03-14' }, response: { success: true } },
  // Leaving Canceled, a sale that is made to order gets a new production.
  facts: (input, call) => factsOfSale(call, input.orderId, input.wanted !== status.canceled),
  plan: (input, facts, moment) => {
    const present = loadPresent(facts)
    const { today } = facts.company
    const after = withStatus(present.document, input.wanted, input.dateShipped, today)
    return { change: planSale(present, after, new Items(facts), moment), runs: facts }
  },
  write: ({ change, runs }, moment) => writtenSale(change, moment, [], runs),
  answer: () => ({}),
})
