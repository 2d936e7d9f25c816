// One production as its screen shows it, with what it lacks.

import { z } from 'zod'
import { viewCard } from '../documents/card.ts'
import { productionKind } from '../fulfilment/production.ts'
import { array, integer, number, object, text } from '../platform/json-sql.ts'
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
        ]),
        lackedBy,
        'i.name_key, i.id',
      ),
      onWire: z
        .array(
          z.object({
            item_id: z.int().describe('Id of the item.'),
            type: z.string().describe('material or product.'),
            name: z.string().describe('Name.'),
            sku: z.string().describe('SKU.'),
            unit: z.string().describe('Unit of measure.'),
            needed: z.number().describe('What the production uses of it.'),
            available: z.number().describe('What of that is there for it, after the productions before it.'),
            short: z.number().describe('needed - available.'),
          }),
        )
        .describe('What the production lacks while it is open.'),
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
        },
      ],
    },
  },
})
