// Levels by item and storage location, now or at the end of a day.

import { z } from 'zod'
import { array, date, id, nameLength, text as textField, textRefusals } from '../kernel/field.ts'
import { pageOnWire } from '../kernel/filters.ts'
import { read } from '../kernel/method.ts'
import { page, pageRefusals } from '../kernel/page.ts'
import { integer, number, object, text } from '../platform/json-sql.ts'
import { declareList } from '../platform/listing.ts'
import {
  dateRefusal,
  idOnWire,
  oneOf,
  optionalId,
  skuOnWire,
  typeOf,
  typeOnWire,
  typeRefusal,
  types,
  type Wanted,
} from './filters.ts'

const cuts = ['all', 'positive', 'negative', 'low'] as const

// $2 type, $3 storage location, $4 category, $5 ids, $6 SKU, $7 day, $8 cut
const levels = declareList({
  name: 'stock.list',
  field: 'stock',
  filters: 8,
  json: object([
    ['type', text(typeOf)],
    ['id', integer('i.id')],
    ['sku', text('i.sku')],
    ['name', text('i.name')],
    ['unit', text('n.name')],
    ['storage_id', integer('t.id')],
    ['storage_name', text('t.name')],
    ['amount', number('v.on_hand')],
    ['reserved', number('v.reserved')],
    ['available', number('(v.on_hand - v.reserved)')],
    ['min_amount', number('i.min_amount')],
    ['cost', number('coalesce(k.average, 0)')],
    ['total_cost', number('round(v.on_hand * coalesce(k.average, 0), 2)')],
  ]),
  from: `(
      select l.company_id, l.item_id, l.storage_id, l.on_hand, l.reserved from stock_levels l where l.company_id = $1 and $7::date is null
      union all
      select m.company_id, m.item_id, m.storage_id, sum(m.on_hand), sum(m.reserved) from stock_movements m
      where m.company_id = $1 and m.date <= $7::date group by m.company_id, m.item_id, m.storage_id) v
    join items i on i.company_id = $1 and i.id = v.item_id
    join units n on n.company_id = $1 and n.id = i.unit_id
    join storages t on t.company_id = $1 and t.id = v.storage_id
    left join item_costs k on k.company_id = $1 and k.item_id = i.id`,
  where: `(i.deleted_at is null or v.on_hand <> 0 or v.reserved <> 0) and (t.deleted_at is null or v.on_hand <> 0 or v.reserved <> 0)
    and ($2::text is null or ${typeOf} = $2) and ($3::bigint is null or t.id = $3)
    and ($4::bigint is null or exists (
      select from item_categories g where g.company_id = $1 and g.item_id = i.id and g.category_id = $4))
    and ($5::bigint[] is null or i.id = any($5))
    and ($6::text is null or exists (
      select from item_codes c where c.company_id = $1 and c.space = i.kind and c.code = $6 and c.item_id = i.id))
    and ($8::text is null or $8 = 'all' or ($8 = 'positive' and v.on_hand > 0) or ($8 = 'negative' and v.on_hand < 0)
      or ($8 = 'low' and v.on_hand < i.min_amount))`,
  order: `i.kind, i.name_key, i.id, t.name collate "C", t.id`,
})

export const getLevels = read({
  path: 'stock/get_list',
  summary: 'List stock levels by item and storage location.',
  notes: [
    'Ordered by type, name and storage location.',
    'With `date` the levels are those of the end of that day, by the effective dates of the movements. `cost` is the present average.',
  ],
  input: {
    wire: z.object({
      type: typeOnWire,
      storage_id: idOnWire.describe('Only this storage location.'),
      category_id: idOnWire.describe('Only items of this category.'),
      ids: z.array(z.int()).optional().describe('Only the items with these ids.'),
      sku: skuOnWire,
      date: z.string().optional().describe('Levels at the end of this day, `YYYY-MM-DD`.'),
      only: z.enum(cuts).optional().describe('Only what is there, what is negative, or what is below its minimum.'),
      ...pageOnWire,
    }),
    read: (raw): Wanted => ({
      filters: [
        oneOf(raw, 'type', types),
        optionalId(raw, 'storage_id'),
        optionalId(raw, 'category_id'),
        array(raw, 'ids')?.map(id) ?? null,
        textField(raw, 'sku', { max: nameLength, trim: true }) ?? null,
        date(raw, 'date') ?? null,
        oneOf(raw, 'only', cuts),
      ],
      page: page(raw),
    }),
  },
  output: z.object({
    stock: z
      .array(
        z.object({
          type: z.string().describe('products or materials.'),
          id: z.int().describe('Id of the item.'),
          sku: z.string().describe('SKU.'),
          name: z.string().describe('Name.'),
          unit: z.string().describe('Unit of measure.'),
          storage_id: z.int().describe('Id of the storage location.'),
          storage_name: z.string().describe('Its name.'),
          amount: z.number().describe('On hand.'),
          reserved: z.number().describe('Reserved.'),
          available: z.number().describe('On hand less reserved.'),
          min_amount: z.number().describe('Below it the item counts as low.'),
          cost: z.number().describe('Average cost of one, up to 6 decimals.'),
          total_cost: z.number().describe('amount × cost.'),
        }),
      )
      .describe('Levels.'),
    total: z.int().describe('Number of rows that match.'),
  }),
  refusals: [
    typeRefusal,
    'Ids is not an array',
    ...textRefusals,
    dateRefusal,
    `Invalid only value. Must be one of: ${cuts.join(', ')}`,
    ...pageRefusals,
  ],
  example: {
    request: { only: 'low', limit: 50 },
    response: {
      success: true,
      stock: [
        {
          type: 'products',
          id: 1,
          sku: 'TABLE-1',
          name: 'Oak table',
          unit: 'pcs',
          storage_id: 1,
          storage_name: 'Finished goods',
          amount: 1,
          reserved: 0,
          available: 1,
          min_amount: 2,
          cost: 150.7,
          total_cost: 150.7,
        },
      ],
      total: 1,
    },
  },
  query: (wanted, { companyId }) => levels.query([companyId, ...wanted.filters], wanted.page),
  answer: levels.answer,
  stream: (wanted, { companyId }) => levels.stream([companyId, ...wanted.filters], wanted.page),
})
