// Shipping part of a sale, which makes it Partially shipped. App API only.

import { z } from 'zod'
import { partInput, partRefusals } from '../../documents/part-input.ts'
import { withPart } from '../../documents/parts.ts'
import { write } from '../../kernel/method.ts'
import { Items } from '../../stock/items.ts'
import { planSale } from '../plan.ts'
import { afterShipment, shippingTerms } from '../sale.ts'
import { factsOfSale, loadPresent, writtenSale } from '../store.ts'

export const shipPart = write({
  path: 'orders/ship_part',
  api: 'app',
  role: 'worker',
  summary: 'Ship part of a sale.',
  notes: [
    'The goods leave on the date of the shipment; the rest stays reserved, and the sale becomes Partially shipped.',
    'When nothing remains the sale becomes Shipped, and a passed `date` becomes its `date_shipped`.',
  ],
  input: partInput(shippingTerms),
  output: z.object({ status: z.int().describe('2, or 3 when nothing is left.') }),
  refusals: partRefusals(shippingTerms),
  example: { request: { order_id: 1, lines: [{ id: 1, amount: 1 }] }, response: { success: true, status: 2 } },
  facts: (input, context) => factsOfSale(context, input.id),
  plan: (input, facts, transaction) => {
    const present = loadPresent(facts)
    const items = new Items(facts)
    const date = input.date ?? facts.company.today
    const shipments = withPart(
      shippingTerms,
      present.document,
      present.document.shipments,
      input.goods,
      { date },
      items,
    )
    const after = afterShipment({ ...present.document, shipments }, input.date, date)
    return planSale(present, after, items, transaction)
  },
  write: (change, transaction) => writtenSale(change, transaction),
  response: (change) => ({ status: change.after?.status }),
})
