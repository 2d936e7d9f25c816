// Receiving part of a purchase, which makes it Partially received. App API only.

import { z } from 'zod'
import { planChange } from '../documents/document.ts'
import { partInput, partRefusals } from '../documents/part-input.ts'
import { leftOf, type PartTerms, withPart } from '../documents/parts.ts'
import { write } from '../kernel/method.ts'
import { refuse } from '../kernel/refusal.ts'
import { missing } from '../platform/lists/record-methods.ts'
import { Items } from '../stock/items.ts'
import { type Purchase, partlyReceived, purchaseKind, purchaseRules, received } from './purchase.ts'
import { factsOfPurchase, loadPurchase, writtenPurchase } from './store.ts'

const terms: PartTerms = { of: purchaseKind, verb: 'receive', done: 'received' }

export const receivePart = write({
  path: 'purchases/receive_part',
  api: 'app',
  role: 'worker',
  summary: 'Receive part of a purchase.',
  notes: [
    'The goods are received on the date of the receipt at their share of the cost of the line; the purchase becomes Partially received.',
    'When nothing remains the purchase becomes Received, and a passed `date` becomes its `date_received`.',
  ],
  input: partInput(terms),
  output: z.object({ status: z.int().describe('2, or 3 when nothing is left.') }),
  refusals: partRefusals(terms),
  example: { request: { purchase_id: 1, lines: [{ id: 1, amount: 1 }] }, response: { success: true, status: 2 } },
  facts: (input, context) => factsOfPurchase(context, input.id),
  plan: (input, facts, transaction) => {
    const present = loadPurchase(facts) ?? refuse(missing(purchaseKind), { code: 'record_not_found' })
    const items = new Items(facts)
    const date = input.date ?? facts.company.today
    const receipts = withPart(terms, present.document, present.document.receipts, input.goods, { date }, items)
    const after = settled({ ...present.document, receipts }, input.date, date)
    return planChange(purchaseRules, present, after, items, transaction)
  },
  write: writtenPurchase,
  response: (change) => ({ status: change.after?.status }),
})

function settled(purchase: Purchase, given: string | undefined, day: string): Purchase {
  if (leftOf(purchase.lines, purchase.receipts).size > 0) return { ...purchase, status: partlyReceived }
  return { ...purchase, status: received, dateReceived: given ?? purchase.dateReceived, dateEffective: day }
}
