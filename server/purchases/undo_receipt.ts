// Undoing one receipt of a purchase: its goods leave stock as if they had not been received; other receipts are unaffected. App API only.

import { z } from 'zod'
import { planChange } from '../documents/document.ts'
import { undoInput, undoRefusals, withoutPart } from '../documents/parts.ts'
import { write } from '../kernel/method.ts'
import { refuse } from '../kernel/refusal.ts'
import { missing } from '../platform/lists/record-methods.ts'
import { Items } from '../stock/items.ts'
import { hasReceivedGoods, ordered, partlyReceived, purchaseKind, purchaseRules, received } from './purchase.ts'
import { factsOfPurchase, loadPurchase, writtenPurchase } from './store.ts'

export const undoReceipt = write({
  path: 'purchases/undo_receipt',
  api: 'app',
  role: 'worker',
  summary: 'Undo one receipt of a purchase.',
  notes: [
    'Its goods leave stock on the day of the receipt. Other receipts keep their dates: the purchase becomes Partially received, or Ordered when none remains.',
  ],
  input: undoInput(purchaseKind, 'receipt'),
  output: z.object({ status: z.int().describe('2, or 1 when no receipt is left.') }),
  refusals: undoRefusals(purchaseKind, 'receipt'),
  example: { request: { purchase_id: 1, receipt: 1 }, response: { success: true, status: 1 } },
  facts: (input, context) => factsOfPurchase(context, input.id),
  plan: (input, facts, transaction) => {
    const present = loadPurchase(facts) ?? refuse(missing(purchaseKind), { code: 'record_not_found' })
    const purchase = present.document
    const parts = hasReceivedGoods(purchase) ? purchase.receipts : []
    const lastDay = purchase.status === received ? purchase.dateEffective : null
    const receipts = withoutPart('receipt', purchase, parts, lastDay, input.part)
    const to = receipts.length > 0 ? partlyReceived : ordered
    const after = { ...purchase, status: to, dateEffective: null, receipts }
    return planChange(purchaseRules, present, after, new Items(facts), transaction)
  },
  write: writtenPurchase,
  response: (change) => ({ status: change.after?.status }),
})
