// Levels by item and storage location, now or at the end of a day.

import { z } from 'zod'
import { itemMatches, itemOfCategory, itemWithSku } from '../catalog/view.ts'
import { date } from '../kernel/field.ts'
import { filterRefusals, filtersSchema, idsSchema, pageSchema, readFilters, readIds } from '../kernel/filters.ts'
import { named, read } from '../kernel/method.ts'
import { readSkuFilter } from '../kernel/named.ts'
import { declareList } from '../platform/lists/record-list.ts'
import { integer, number, object, text } from '../platform/postgres/json-sql.ts'
import {
  bookedSince,
  dateRefusal,
  idSchema,
  oneOf,
  optionalId,
  skuSchema,
  typeOf,
  typeRefusal,
  typeSchema,
  types,
  type Wanted,
} from './filters.ts'
import { inTransitAt } from './in-transit.ts'
import { valuesAt } from './past-values.ts'

const cuts = ['all', 'positive', 'negative', 'low'] as const

const levelsThen = `
  select l.company_id, l.item_id, l.storage_id, l.on_hand, l.reserved from stock_levels l where l.company_id = :company_id and :day::date is null
  union all
  select m.company_id, m.item_id, m.storage_id, sum(m.on_hand), sum(m.reserved) from stock_movements m
  where m.company_id = :company_id and m.date <= :day::date group by m.company_id, m.item_id, m.storage_id`

// With their cost and value, which are null for present levels: those have the current average.
const valuedThen = `
  select l.item_id, l.storage_id, l.on_hand, l.reserved, null::numeric as cost, null::numeric as value
  from stock_levels l where l.company_id = :company_id and :day::date is null
  union all ${valuesAt(':day')}`

// A level with what is in transit to it. Where nothing of the item was ever on hand there is no level yet.
const rowsThen = `
  select coalesce(l.item_id, q.item_id), coalesce(l.storage_id, q.storage_id), coalesce(l.on_hand, 0), coalesce(l.reserved, 0),
    coalesce(q.amount, 0), coalesce(q.value, 0), l.cost, l.value
  from (${valuedThen}) l full join (${inTransitAt(':day')}) q on q.item_id = l.item_id and q.storage_id = l.storage_id`

// An item is low by its total over the requested storage locations, not by each of them.
const lowItems = `
  select w.id from items w left join (${levelsThen}) a on a.item_id = w.id and (:storage_id::bigint is null or a.storage_id = :storage_id)
  where w.company_id = :company_id and w.min_amount > 0 group by w.id, w.min_amount having coalesce(sum(a.on_hand), 0) < w.min_amount`

// An item without movements may be low too: it is shown at the default storage location of its kind.
const neverMoved = `
  select w.id, case w.kind when 'product' then c.products_storage_id else c.materials_storage_id end, 0, 0, 0, 0, null, null
  from items w join companies c on c.company_id = :company_id
  where w.company_id = :company_id and :only = 'low' and w.kind <> 'resource' and w.min_amount > 0 and w.deleted_at is null
    and not exists (select from (${levelsThen}) a where a.item_id = w.id)`

type LevelFilters = {
  readonly type: string | null
  readonly storage_id: number | null
  readonly category_id: number | null
  readonly ids: readonly number[] | null
  readonly skus: readonly string[] | null
  readonly day: string | null
  readonly only: string | null
  readonly search: string | null
  readonly updated_after: string | null
}

/** A row, of the level `p`. */
export const levelJson = object([
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
  ['in_transit', number('p.in_transit')],
  ['min_amount', number('i.min_amount')],
  ['cost', number('coalesce(p.cost, k.average, 0)')],
  ['total_cost', number('round(coalesce(p.value, p.on_hand * coalesce(k.average, 0)) + p.transit_value, 2)')],
])

export const levelJoins = `join items i on i.company_id = :company_id and i.id = p.item_id
  join units n on n.company_id = :company_id and n.id = i.unit_id
  join storages t on t.company_id = :company_id and t.id = p.storage_id
  left join item_costs k on k.company_id = :company_id and k.item_id = i.id`

const levels = declareList<LevelFilters & { readonly company_id: number }>({
  name: 'stock.list',
  field: 'stock',
  json: levelJson,
  from: `(${rowsThen} union all ${neverMoved}) v (item_id, storage_id, on_hand, reserved, in_transit, transit_value, cost, value)
    join items i on i.company_id = :company_id and i.id = v.item_id
    join storages t on t.company_id = :company_id and t.id = v.storage_id`,
  // A single condition for the planner: it estimates that each of several conditions halves the rows, expects none to remain, and joins them one by one.
  where: `case when ((i.deleted_at is null and t.deleted_at is null) or v.on_hand <> 0 or v.reserved <> 0 or v.in_transit <> 0 or coalesce(v.value, 0) <> 0)
    and (:type::text is null or ${typeOf} = :type) and (:storage_id::bigint is null or t.id = :storage_id)
    and (:category_id::bigint is null or ${itemOfCategory(':category_id')}) and (:ids::bigint[] is null or i.id = any(:ids))
    and (:skus::text[] is null or ${itemWithSku(':skus')})
    and (:only::text is null or :only = 'all' or (:only = 'positive' and v.on_hand > 0) or (:only = 'negative' and v.on_hand < 0)
      or (:only = 'low' and i.id in (${lowItems})))
    and (:search::text is null or ${itemMatches(':search')})
    and (:updated_after::timestamptz is null or (v.storage_id, v.item_id) in (
      select m.storage_id, m.item_id from stock_movements m where m.company_id = :company_id and ${bookedSince('m', ':updated_after')}))
    then true else false end`,
  order: `i.kind, i.name_key, i.id, t.name collate "C", t.id`,
  built: {
    columns: [
      'v.item_id',
      'v.storage_id',
      'v.on_hand',
      'v.reserved',
      'v.in_transit',
      'v.transit_value',
      'v.cost',
      'v.value',
    ],
    joins: levelJoins,
  },
})

export const levelSchema = named(
  'StockLevel',
  z.object({
    type: z.enum(types).describe('products or materials.'),
    id: z.int().describe('Id of the item.'),
    sku: z.string().describe('SKU.'),
    name: z.string().describe('Name.'),
    unit: z.string().describe('Unit of measure.'),
    storage_id: z.int().describe('Id of the storage location.'),
    storage_name: z.string().describe('Its name.'),
    amount: z.number().describe('On hand.'),
    reserved: z.number().describe('Reserved.'),
    available: z.number().describe('On hand minus reserved.'),
    in_transit: z.number().describe('On its way here from another storage location; not on hand yet.'),
    min_amount: z.number().describe('The item is low when less is on hand.'),
    cost: z.number().describe('Average cost of one unit, up to 6 decimals; with `date`, that of the day.'),
    total_cost: z.number().describe('amount × cost, and the value of what is in transit.'),
  }),
)

export const levelExample = {
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
  in_transit: 0,
  min_amount: 2,
  cost: 150.7,
  total_cost: 150.7,
}

export const getLevels = read({
  path: 'stock/get_list',
  role: 'worker',
  summary: 'List stock levels by item and storage location.',
  notes: [
    'Ordered by type, name and storage location.',
    'With `date` the levels are those of the end of that day, by the effective dates of the movements. `cost` is the current average.',
    'An item is low when its stock over all storage locations (or at the requested one) is below its `min_amount`. An item with a minimum that never moved is low too: its row shows 0 at the default storage location.',
    'With `date`, the values are what the ledger adds up to at the end of that day, and `cost` is the average of that day. The value of an item is divided among its storage locations by quantity.',
    '`search` covers name, SKUs and barcodes; `updated_after` returns the levels with a movement recorded since.',
  ],
  input: {
    schema: z.object({
      type: typeSchema,
      storage_id: idSchema.describe('Only this storage location.'),
      category_id: idSchema.describe('Only items of this category and its subcategories.'),
      ids: idsSchema.optional().describe('Only the items with these ids.'),
      sku: skuSchema,
      date: z.string().optional().describe('Levels at the end of this day, `YYYY-MM-DD`.'),
      only: z.enum(cuts).optional().describe('Only positive stock, negative stock, or stock below the minimum.'),
      search: filtersSchema.search,
      updated_after: filtersSchema.updated_after,
      ...pageSchema,
    }),
    read: (raw): Wanted<LevelFilters> => {
      const own = {
        type: oneOf(raw, 'type', types),
        storage_id: optionalId(raw, 'storage_id'),
        category_id: optionalId(raw, 'category_id'),
        ids: readIds(raw),
        skus: readSkuFilter(raw),
        day: date(raw, 'date') ?? null,
        only: oneOf(raw, 'only', cuts),
      }
      const { filters, page } = readFilters(raw)
      return { filters: { ...own, search: filters.search, updated_after: filters.updatedAfter }, page }
    },
  },
  output: z.object({
    stock: z.array(levelSchema).describe('Levels.'),
    total: z.int().describe('Number of rows that match.'),
  }),
  refusals: [typeRefusal, dateRefusal, `Invalid only value. Must be one of: ${cuts.join(', ')}`, ...filterRefusals],
  example: {
    request: { only: 'low', limit: 50 },
    response: {
      success: true,
      stock: [levelExample],
      total: 1,
    },
  },
  query: (wanted, { companyId }) => levels.query({ company_id: companyId, ...wanted.filters }, wanted.page),
  response: levels.response,
  stream: (wanted, { companyId }) => levels.stream({ company_id: companyId, ...wanted.filters }, wanted.page),
  pageRows: (wanted, { companyId }) => levels.pageRows({ company_id: companyId, ...wanted.filters }, wanted.page),
})
