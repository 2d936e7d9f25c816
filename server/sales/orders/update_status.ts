// Changing the status of a sale and, with it, its effect on stock.

import { z } from 'zod'
import { tooLargeRefusal } from '../../documents/limits.ts'
import { saleStatus, saleStatusTable } from '../../kernel/document-statuses.ts'
import { clearableDate, code, required } from '../../kernel/field.ts'
import { write } from '../../kernel/method.ts'
import { saleStatuses } from '../../kernel/settings.ts'
import { describeSettable } from '../../kernel/status.ts'
import { readVersion, versionRefusal, versionSchema } from '../../platform/lists/external-ids.ts'
import { Items } from '../../stock/items.ts'
import { readSaleKey, saleKeyRefusals, saleKeySchema } from '../input.ts'
import { planSale } from '../plan.ts'
import { withStatus } from '../sale.ts'
import {
  changedRefusal,
  factsOfSale,
  findSaleByKey,
  identityOfSale,
  loadPresent,
  skipTakenProductionNumbers,
  writtenSale,
} from '../store.ts'

export const updateStatus = write({
  path: 'orders/update_status',
  role: 'worker',
  summary: 'Change the status of a sale.',
  notes: [
    'Any status may follow any other. New and Packed reserve the goods, Shipped deducts them, Canceled releases or returns them.',
    '`date_shipped` is used with status 3 only: it is stored in the sale and dates the deduction. Without it the deduction is dated with the existing date_shipped of the sale, else today.',
    'Status 2 (Partially shipped) results only from shipping part of a sale, with `orders/ship` or in the screens.',
  ],
  input: {
    schema: z.object({
      ...saleKeySchema,
      status: z
        .union([z.literal(0), z.literal(1), z.literal(3), z.literal(4)])
        .describe(describeSettable(saleStatusTable)),
      date_shipped: z.string().optional().describe('Day of shipping, `YYYY-MM-DD`; used with status 3 only.'),
      ...versionSchema,
    }),
    read: (raw) => {
      const key = readSaleKey(raw)
      const wanted = code(required(raw, 'status'), saleStatuses, 'Invalid status value. Must be one of: 0, 1, 3, 4')
      const given = wanted === saleStatus.shipped ? clearableDate(raw, 'date_shipped') : undefined
      return { ...key, wanted, dateShipped: given === '' ? undefined : given, version: readVersion(raw) }
    },
  },
  output: z.object({}),
  refusals: [
    'No order_id in input',
    'No status in input',
    'Invalid status value. Must be one of: 0, 1, 3, 4',
    'Date is not a valid date in format YYYY-MM-DD',
    'Order not found or access denied',
    tooLargeRefusal,
    versionRefusal,
    ...saleKeyRefusals,
  ],
  conflicts: [changedRefusal],
  example: { request: { order_id: 1, status: 3, date_shipped: '2026-03-14' }, response: { success: true } },
  find: findSaleByKey,
  // When a made-to-order sale is reopened, its former production is linked again or a new one is created.
  facts: (input, context) => factsOfSale(context, input.id, input.wanted !== saleStatus.canceled),
  moreFacts: ({ id, version }, context) => identityOfSale(context, id, { version }),
  plan: (input, facts, transaction) => {
    const present = loadPresent(facts, input.version)
    const { today } = facts.company
    skipTakenProductionNumbers(facts, transaction)
    const after = withStatus(present.document, input.wanted, input.dateShipped, today)
    return { change: planSale(present, after, new Items(facts), transaction), runs: facts }
  },
  write: ({ change, runs }, transaction) => writtenSale(change, transaction, undefined, runs),
  response: () => ({}),
})
