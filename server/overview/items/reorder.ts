// Items that have to be bought or made: the missing quantity, the supplier, and whether it is made here.

import { z } from 'zod'
import { idsRefusals, idsSchema, readIds } from '../../kernel/filters.ts'
import { JsonText, read } from '../../kernel/method.ts'
import { statement } from '../../kernel/statement.ts'
import { array, integer, nullable, number, object, text } from '../../platform/postgres/json-sql.ts'
import { expectedStock } from '../../stock/expected.ts'

const maxItems = 500

// Low as in the stock list and the dashboard: less on hand than the minimum, over all storage locations.
const wanted = `wanted as materialized (
  select i.id, i.kind, i.name, i.name_key, i.sku, i.unit_id, i.price, i.min_amount, coalesce(v.on_hand, 0) as on_hand,
    coalesce(v.on_hand - v.reserved, 0) as available
  from items i left join (
    select l.item_id, sum(l.on_hand) as on_hand, sum(l.reserved) as reserved from stock_levels l where l.company_id = :company_id group by l.item_id) v
    on v.item_id = i.id
  where i.company_id = :company_id and i.deleted_at is null and i.kind <> 'resource'
    and case when :ids::bigint[] is null then i.min_amount > 0 and coalesce(v.on_hand, 0) < i.min_amount else i.id = any(:ids) end
  order by i.name_key, i.id limit ${maxItems})`

const expected = `expected as materialized (
  select x.item_id, sum(x.amount) as amount from (${expectedStock('select w.id from wanted w')}) x group by x.item_id)`

// Last known cost of one unit: the supplier's price, else the average, else the reference price.
const price = `case when coalesce(p.price, 0) > 0 then p.price when coalesce(k.average, 0) > 0 then round(k.average, 2)
  when w.kind = 'material' then w.price else 0 end`

const find = statement<{ items: string }, { readonly company_id: number; readonly ids: readonly number[] | null }>(
  'items.reorder',
  `with ${wanted}, ${expected}
   select ${array(
     object([
       ['type', text('w.kind')],
       ['id', integer('w.id')],
       ['sku', text('w.sku')],
       ['name', text('w.name')],
       ['unit', text('n.name')],
       ['on_hand', number('w.on_hand')],
       ['available', number('w.available')],
       ['expected', number('coalesce(x.amount, 0)')],
       ['min_amount', number('w.min_amount')],
       ['short', number('greatest(w.min_amount - w.available - coalesce(x.amount, 0), 0)')],
       ['price', number(`(${price})`)],
       [
         'is_made',
         '(exists (select from components c where c.company_id = :company_id and c.product_id = w.id))::text',
       ],
       ['supplier_id', nullable(integer('p.id'))],
       ['supplier_name', nullable(text('p.name'))],
     ]),
     `from wanted w
      join units n on n.company_id = :company_id and n.id = w.unit_id
      left join item_costs k on k.company_id = :company_id and k.item_id = w.id
      left join expected x on x.item_id = w.id
      left join lateral (
        select u.id, u.name, s.price from item_suppliers s
        join suppliers u on u.company_id = :company_id and u.id = s.supplier_id and u.deleted_at is null
        where s.company_id = :company_id and s.item_id = w.id order by s.position limit 1) p on true`,
     'w.name_key, w.id',
   )} as items`,
)

export const reorderItems = read({
  path: 'items/reorder',
  api: 'app',
  summary: 'List the items that have to be bought or made.',
  notes: [
    `With \`ids\` those items, otherwise all low ones: less on hand than their minimum. At most ${maxItems}, by name.`,
    'The supplier is the first one of the item that is not deleted.',
  ],
  input: {
    schema: z.object({ ids: idsSchema.optional().describe('Only these products and materials.') }),
    read: (raw) => ({ ids: readIds(raw) }),
  },
  output: z.object({
    items: z
      .array(
        z.object({
          type: z.enum(['product', 'material']).describe('Type of the item.'),
          id: z.int().describe('Id of the item.'),
          sku: z.string().describe('SKU.'),
          name: z.string().describe('Name.'),
          unit: z.string().describe('Unit of measure.'),
          on_hand: z.number().describe('On hand, over all storage locations.'),
          available: z.number().describe('On hand minus reserved.'),
          expected: z.number().describe('Expected: ordered but not received, or planned but not made.'),
          min_amount: z.number().describe('Minimum on hand.'),
          short: z.number().describe('min_amount - available - expected, at least 0.'),
          price: z
            .number()
            .describe('Cost of one unit: the price of the supplier, else the average cost, else the reference price.'),
          is_made: z.boolean().describe('Whether it has components and is therefore made, not bought.'),
          supplier_id: z.int().nullable().describe('Id of the supplier; null when there is none.'),
          supplier_name: z.string().nullable().describe('Name of the supplier.'),
        }),
      )
      .describe('The items.'),
  }),
  refusals: idsRefusals,
  example: {
    request: {},
    response: {
      success: true,
      items: [
        {
          type: 'material',
          id: 2,
          sku: 'BOARD-1',
          name: 'Oak board',
          unit: 'pcs',
          on_hand: 5,
          available: 1,
          expected: 0,
          min_amount: 20,
          short: 19,
          price: 18.5,
          is_made: false,
          supplier_id: 1,
          supplier_name: 'Sawmill',
        },
      ],
    },
  },
  query: ({ ids }, { companyId }) => find({ company_id: companyId, ids }),
  response: ([row]) => ({ items: new JsonText(row?.items ?? '[]') }),
})
