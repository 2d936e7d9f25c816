// The card of one production, with its missing components.

import { z } from 'zod'
import { viewCard } from '../documents/card.ts'
import { productionKind } from '../fulfilment/production.ts'
import { array, integer, number, object, text } from '../platform/postgres/json-sql.ts'
import { lackedBy, lackingCte } from './missing.ts'
import { productionView } from './view.ts'

export const productionCard = viewCard(productionKind, productionView, {
  ctes: [lackingCte],
  fields: {
    missing: {
      json: array(
        object([
          ['item_id', integer('k.item_id')],
          ['type', text('i.kind')],
          ['name', text('i.name')],
          ['sku', text('i.sku')],
          ['unit', text('n.name')],
          ['needed', number('k.needed')],
          ['available', number('k.available')],
          ['short', number('k.short')],
          [
            'is_made',
            '(exists (select from components c where c.company_id = :company_id and c.product_id = k.item_id))::text',
          ],
        ]),
        lackedBy,
        'i.name_key, i.id',
      ),
      schema: z
        .array(
          z.object({
            item_id: z.int().describe('Id of the item.'),
            type: z.string().describe('material or product.'),
            name: z.string().describe('Name.'),
            sku: z.string().describe('SKU.'),
            unit: z.string().describe('Unit of measure.'),
            needed: z.number().describe('Quantity that the production consumes.'),
            available: z.number().describe('Quantity available for it, after the productions before it.'),
            short: z.number().describe('needed - available.'),
            is_made: z.boolean().describe('Whether it has components, so it is made rather than bought.'),
          }),
        )
        .describe('Missing components, while the production is open.'),
      example: [
        {
          item_id: 2,
          type: 'material',
          name: 'Oak board',
          sku: 'BOARD-1',
          unit: 'pcs',
          needed: 8,
          available: 5,
          short: 3,
          is_made: false,
        },
      ],
    },
  },
})
