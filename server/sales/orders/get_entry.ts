// Reading one sale with its lines, by its id or its external id.

import { z } from 'zod'
import { declareInclude } from '../../kernel/include.ts'
import { JsonText, read } from '../../kernel/method.ts'
import { refuse } from '../../kernel/refusal.ts'
import { connectionOf, externalIdRefusals } from '../../platform/lists/external-ids.ts'
import { externalKeySchema, readKey } from '../../platform/lists/record-entry.ts'
import { missing } from '../../platform/lists/record-methods.ts'
import { saleIdSchema } from '../input.ts'
import { saleKind } from '../sale.ts'
import { findSale, findShownSale, saleWithLinesExample, shownMeanings, shownSaleSchema } from '../view.ts'

const included = declareInclude(shownMeanings)

export const getEntry = read({
  path: 'orders/get_entry',
  role: 'worker',
  summary: 'Read one sale.',
  notes: [
    'The lines can be sent back to `orders/edit` as they are; unknown fields are ignored.',
    '`include: ["meta"]` adds `external_id`, `created_at`, `updated_at` and `version`.',
    '`include: ["addresses"]` adds `billing_address` and `delivery_address`.',
    '`include: ["shipments"]` adds `shipments`, and `shipped` to each line.',
  ],
  input: {
    schema: z.object({ order_id: saleIdSchema.optional(), ...externalKeySchema('order_id'), ...included.schema }),
    read: (raw) => ({ key: readKey(raw, 'order_id'), include: included.read(raw) }),
  },
  output: z.object({ order: shownSaleSchema.describe('The sale with its lines.') }),
  refusals: ['No order_id in input', missing(saleKind), ...externalIdRefusals, ...included.refusals],
  example: { request: { order_id: 1 }, response: { success: true, order: saleWithLinesExample } },
  query: ({ key, include }, context) => {
    const { companyId: company_id } = context
    if (
      'id' in key &&
      [include.with_meta, include.with_shipments, include.with_addresses].every((part) => part === null)
    )
      return findSale({ company_id, id: key.id })
    return findShownSale({
      company_id,
      connection_id: connectionOf(context),
      id: 'id' in key ? key.id : null,
      external_id: 'id' in key ? null : key.externalId,
      with_lines: true,
      with_meta: include.with_meta,
      with_shipments: include.with_shipments,
      with_addresses: include.with_addresses,
    })
  },
  response: ([row]) => ({
    order: new JsonText(row?.record ?? refuse(missing(saleKind), { code: 'record_not_found' })),
  }),
})
