// Receiving part of a purchase. Only the screens do this; it is how a purchase becomes Partially received.

import { z } from 'zod'
import { planChange } from '../documents/document.ts'
import { leftOf, type PartWords, partInput, partRefusals, withPart } from '../documents/parts.ts'
import { write } from '../kernel/method.ts'
import { refuse } from '../kernel/refusal.ts'
import { missing } from '../platform/records.ts'
import { Items } from '../stock/items.ts'
import { type Purchase, partlyReceived, purchaseKind, purchaseRules, received } from './purchase.ts'
import { factsOfPurchase, loadPurchase, writtenPurchase } from './store.ts'

const words: PartWords = { of: purchaseKind, verb: 'receive', done: 'received' }

export const receivePart = write({
  path: 'purchases/receive_part',
  door: 'screens',
  role: 'worker',
  summary: 'Receive part of a purchase.',
  notes: [
    'What comes is dated to its receipt and costs its share of the line; the purchase becomes Partially received.',
    'When nothing is left the purchase is Received; a `date` that was given then becomes its `date_received`.',
  ],
  input: partInput(words),
  output: z.object({ status: z.int().describe('2, or 3 when nothing is left.') }),
  refusals: partRefusals(words),
  example: { request: { purchase_id: 1, lines: [{ id: 1, amount: 1 }] }, response: { success: true, status: 2 } },
  facts: (input, call) => factsOfPurchase(call, input.id),
  plan: (input, facts, moment) => {
    const present = loadPurchase(facts) ?? refuse(missing(purchaseKind))
    const items = new Items(facts)
    const day = input.date ?? facts.company.today
    const receipts = withPart(words, present.document, present.document.receipts, input.goods, day, items)
    const after = settled({ ...present.document, receipts }, input.date, day)
    return planChange(purchaseRules, present, after, items.costs, moment)
  },
  write: writtenPurchase,
  answer: (change) => ({ status: change.after?.status }),
})

function settled(purchase: Purchase, given: string | undefined, day: string): Purchase {
  if (leftOf(purchase.lines, purchase.receipts).size > 0) return { ...purchase, status: partlyReceived }
  return { ...purchase, status: received, dateReceived: given ?? purchase.dateReceived, dateEffective: day }
}
