// Undoing one shipment of a sale: its goods return to stock as if they had not been shipped; other shipments are unaffected. App API only.

import { z } from 'zod'
import { undoInput, undoRefusals, withoutPart } from '../../documents/parts.ts'
import { saleStatus } from '../../kernel/document-statuses.ts'
import { write } from '../../kernel/method.ts'
import { Items } from '../../stock/items.ts'
import { planSale } from '../plan.ts'
import { hasShippedGoods, saleKind } from '../sale.ts'
import { factsOfSale, loadPresent, skipTakenProductionNumbers, writtenSale } from '../store.ts'

export const undoShipment = write({
  path: 'orders/undo_shipment',
  api: 'app',
  role: 'worker',
  summary: 'Undo one shipment of a sale.',
  notes: [
    'Its goods return to stock on the day of the shipment and are reserved. Other shipments keep their dates: the sale becomes Partially shipped, or New when none remains.',
  ],
  input: undoInput(saleKind, 'shipment'),
  output: z.object({ status: z.int().describe('2, or 0 when no shipment is left.') }),
  refusals: undoRefusals(saleKind, 'shipment'),
  example: { request: { order_id: 1, shipment: 1 }, response: { success: true, status: 0 } },
  // A sale that was shipped at once may order its production now.
  facts: (input, context) => factsOfSale(context, input.id, true),
  plan: (input, facts, transaction) => {
    const present = loadPresent(facts)
    skipTakenProductionNumbers(facts, transaction)
    const sale = present.document
    const parts = hasShippedGoods(sale) ? sale.shipments : []
    const lastDay = sale.status === saleStatus.shipped ? sale.dateDeducted : null
    const shipments = withoutPart('shipment', sale, parts, lastDay, input.part)
    const to = shipments.length > 0 ? saleStatus.partlyShipped : saleStatus.new
    const after = { ...sale, status: to, dateDeducted: null, shipments }
    return { change: planSale(present, after, new Items(facts), transaction), runs: facts }
  },
  write: ({ change, runs }, transaction) => writtenSale(change, transaction, undefined, runs),
  response: ({ change }) => ({ status: change.after?.status }),
})
