// Shipping part of a sale. Only the screens do this; it is how a sale becomes Partially shipped.

import { z } from 'zod'
import { leftOf, type PartWords, partInput, partRefusals, withPart } from '../../documents/parts.ts'
import { write } from '../../kernel/method.ts'
import { Items } from '../../stock/items.ts'
import { planSale } from '../plan.ts'
import { type Sale, saleKind, status } from '../sale.ts'
import { factsOfSale, loadPresent, writtenSale } from '../store.ts'

const words: PartWords = { of: saleKind, verb: 'ship', done: 'shipped' }

export const shipPart = write({
  path: 'orders/ship_part',
  door: 'screens',
  role: 'worker',
  summary: 'Ship part of a sale.',
  notes: [
    'What leaves is dated to its shipment; the rest stays reserved, and the sale becomes Partially shipped.',
    'When nothing is left the sale is Shipped; a `date` that was given then becomes its `date_shipped`.',
  ],
  input: partInput(words),
  output: z.object({ status: z.int().describe('2, or 3 when nothing is left.') }),
  refusals: partRefusals(words),
  example: { request: { order_id: 1, lines: [{ id: 1, amount: 1 }] }, response: { success: true, status: 2 } },
  facts: (input, call) => factsOfSale(call, input.id),
  plan: (input, facts, moment) => {
    const present = loadPresent(facts)
    const items = new Items(facts)
    const day = input.date ?? facts.company.today
    const shipments = withPart(words, present.document, present.document.shipments, input.goods, day, items)
    const after = shipped({ ...present.document, shipments }, input.date, day)
    return planSale(present, after, items, moment)
  },
  write: (change, moment) => writtenSale(change, moment),
  answer: (change) => ({ status: change.after?.status }),
})

function shipped(sale: Sale, given: string | undefined, day: string): Sale {
  if (leftOf(sale.lines, sale.shipments).size > 0) return { ...sale, status: status.partlyShipped }
  return { ...sale, status: status.shipped, dateShipped: given ?? sale.dateShipped, dateDeducted: day }
}
