// Levels by item and storage location, now or at the end of a day.

import { z } from 'zod'
import { itemMatches, itemOfCategory, itemWithSku } from '../catalog/view.ts'
import { array, date, id, nameLength, text as textField } from '../kernel/field.ts'
import { filterRefusals, filtersOnWire, pageOnWire, readFilters } from '../kernel/filters.ts'
import { read } from '../kernel/method.ts'
import { integer, number, object, text } from '../platform/json-sql.ts'
import { declareList } from '../platform/listing.ts'
import {
  bookedSince,
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

const levelsThen = `
  select l.company_id, l.item_id, l.storage_id, l.on_hand, l.reserved from stock_levels l where l.company_id = $1 and $7::date is null
  union all
  select m.company_id, m.item_id, m.storage_id, sum(m.on_hand), sum(m.reserved) from stock_movements m
  where m.company_id = $1 and m.date <= $7::date group by m.company_id, m.item_id, m.storage_id`

// An item is low by what lies at all the storage locations that are asked for, not by each of them.
const lowItems = `
  select w.id from items w left join (${levelsThen}) a on a.item_id = w.id and ($3::bigint is null or a.storage_id = $3)
  where w.company_id = $1 and w.min_amount > 0 group by w.id, w.min_amount having coalesce(sum(a.on_hand), 0) < w.min_amount`

// What was never anywhere is missing all the more: it is shown where goods of its kind go.
const neverMoved = `
  select w.company_id, w.id, case w.kind when 'product' then c.products_storage_id else c.materials_storage_id end, 0, 0
  from items w join companies c on c.company_id = $1
  where w.company_id = $1 and $8 = 'low' and w.kind <> 'resource' and w.min_amount > 0 and w.deleted_at is null
    and not exists (select from (${levelsThen}) a where a.item_id = w.id)`

// $2 type, $3 storage location, $4 category, $5 ids, $6 SKU, $7 day, $8 cut, $9 search, $10 updated after
const levels = declareList({
  name: 'stock.list',
  field: 'stock',
  filters: 10,
  json: object([
    ['type', text(typeOf)],
    ['id', integer('i.id')],
    ['sku', text('i.sku')],
    ['name', text('i.name')],
    ['unit', text('n.name')],
    ['storage_id', integer('p.storage_id')],
    ['storage_name', text('t.name')],
    ['amount', number('p.on_hand')],
    ['reserved', number('p.reserved')],
    ['available', number('(p.on_hand - p.reserved)')],
    ['min_amount', number('i.min_amount')],
    ['cost', number('coalesce(k.average, 0)')],
    ['total_cost', number('round(p.on_hand * coalesce(k.average, 0), 2)')],
  ]),
  from: `(${levelsThen} union all ${neverMoved}) v (company_id, item_id, storage_id, on_hand, reserved)
    join items i on i.company_id = $1 and i.id = v.item_id
    join storages t on t.company_id = $1 and t.id = v.storage_id`,
  // One condition as far as the planner sees: it guesses that each of so many halves the rows, expects none to be left, and joins them one by one.
  where: `case when (i.deleted_at is null or v.on_hand <> 0 or v.reserved <> 0) and (t.deleted_at is null or v.on_hand <> 0 or v.reserved <> 0)
    and ($2::text is null or ${typeOf} = $2) and ($3::bigint is null or t.id = $3)
    and ($4::bigint is null or ${itemOfCategory('$4')}) and ($5::bigint[] is null or i.id = any($5))
    and ($6::text is null or ${itemWithSku('$6')})
    and ($8::text is null or $8 = 'all' or ($8 = 'positive' and v.on_hand > 0) or ($8 = 'negative' and v.on_hand < 0)
      or ($8 = 'low' and i.id in (${lowItems})))
    and ($9::text is null or ${itemMatches('$9')})
    and ($10::timestamptz is null or (v.storage_id, v.item_id) in (
      select m.storage_id, m.item_id from stock_movements m where m.company_id = $1 and ${bookedSince('m', '$10')}))
    then true else false end`,
  order: `i.kind, i.name_key, i.id, t.name collate "C", t.id`,
  built: {
    columns: ['v.item_id', 'v.storage_id', 'v.on_hand', 'v.reserved'],
    joins: `join items i on i.company_id = $1 and i.id = p.item_id
      join units n on n.company_id = $1 and n.id = i.unit_id
      join storages t on t.company_id = $1 and t.id = p.storage_id
      left join item_costs k on k.company_id = $1 and k.item_id = i.id`,
  },
})

export const getLevels = read({
  path: 'stock/get_list',
  role: 'worker',
  summary: 'List stock levels by item and storage location.',
  notes: [
    'Ordered by type, name and storage location.',
    'With `date` the levels are those of the end of that day, by the effective dates of the movements. `cost` is the present average.',
    'An item is low when what lies at all storage locations (or at the one asked for) is below its `min_amount`. One that has a minimum and never moved is low too: its row shows nothing at the default storage location.',
    '`search` looks into name, SKUs and barcodes; `updated_after` keeps the levels that have a movement recorded since.',
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
      search: filtersOnWire.search,
      updated_after: filtersOnWire.updated_after,
      ...pageOnWire,
    }),
    read: (raw): Wanted => {
      const own = [
        oneOf(raw, 'type', types),
        optionalId(raw, 'storage_id'),
        optionalId(raw, 'category_id'),
        array(raw, 'ids')?.map(id) ?? null,
        textField(raw, 'sku', { max: nameLength, trim: true }) ?? null,
        date(raw, 'date') ?? null,
        oneOf(raw, 'only', cuts),
      ]
      const { filters, page } = readFilters(raw)
      return { filters: [...own, filters.search, filters.updatedAfter], page }
    },
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
  refusals: [typeRefusal, dateRefusal, `Invalid only value. Must be one of: ${cuts.join(', ')}`, ...filterRefusals],
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
