// Browsing stock: by item and storage location, or by item over all of them; now, or at the end of a day.

import { z } from 'zod'
import { itemMatches, itemOfCategory } from '../catalog/view.ts'
import { browse, byKey, type Column, column } from '../platform/browse.ts'
import { choiceFilter, dayFilter, type Filter, idFilter } from '../platform/browse-filters.ts'
import { integer, nullable, number, text } from '../platform/json-sql.ts'
import { typeOf, types } from './filters.ts'

// The filters that decide what a row is come first: $7 by, $8 day, $9 only, $10 storage location.
const levels = `
  select l.item_id, l.storage_id, l.on_hand, l.reserved from stock_levels l where l.company_id = $1 and $8::date is null
  union all
  select m.item_id, m.storage_id, m.on_hand, m.reserved from stock_movements m where m.company_id = $1 and m.date <= $8::date`

// What was never anywhere is shown where goods of its kind go, by item and among what is low.
const neverMoved = `
  select w.id, case w.kind when 'product' then c.products_storage_id else c.materials_storage_id end, 0, 0
  from items w join companies c on c.company_id = $1
  where w.company_id = $1 and w.kind <> 'resource' and w.deleted_at is null
    and ($7::text = 'item' or ($9::text = 'low' and w.min_amount > 0))
    and w.id not in (select a.item_id from (${levels}) a)`

const rows = `(
  select x.item_id, case when $7::text = 'item' then 0 else x.storage_id end as storage_id, sum(x.on_hand) as on_hand, sum(x.reserved) as reserved
  from (${levels} union all ${neverMoved}) x (item_id, storage_id, on_hand, reserved)
  where $10::bigint is null or x.storage_id = $10
  group by 1, 2) v`

// An item is low by what lies at all the storage locations that are asked for, not by each of them.
const allOfItem = `(
  select x.item_id, sum(x.on_hand) as on_hand from (${levels}) x where $10::bigint is null or x.storage_id = $10 group by x.item_id) a`
const isLow = '(i.min_amount > 0 and coalesce(a.on_hand, 0) < i.min_amount)'

const cost = 'coalesce(k.average, 0)'
const worth = `round(v.on_hand * ${cost}, 2)`
const available = '(v.on_hand - v.reserved)'

/** A filter that the rows themselves are made by. */
const madeBy = (filter: Filter, type: string): Filter => ({
  ...filter,
  sql: (parameter) => `(${parameter}::${type} is null or true)`,
})
const quantity = (sql: string, meaning: string, example: number): Column =>
  column(number(sql), z.number().describe(meaning), example, byKey(sql))

export const browseStock = browse({
  section: 'stock',
  title: 'stock levels',
  name: 'stock.browse',
  notes: [
    'By storage location a row is an item at one of them, by item it is an item over all that are asked for. `cost` is the present average.',
    'An item is low when less of it is on hand, over all storage locations that are asked for, than its minimum.',
  ],
  from: `${rows} join items i on i.company_id = $1 and i.id = v.item_id
    left join storages t on t.company_id = $1 and t.id = v.storage_id
    left join item_costs k on k.company_id = $1 and k.item_id = i.id
    left join ${allOfItem} on a.item_id = i.id`,
  where: `i.company_id = $1 and (v.on_hand <> 0 or v.reserved <> 0 or (i.deleted_at is null and t.deleted_at is null))`,
  keys: ['i.id', 'v.storage_id'],
  joins: 'join units n on n.company_id = $1 and n.id = i.unit_id',
  sort: ['name', 'asc'],
  ties: 'i.name_key, i.id, t.name collate "C", v.storage_id',
  search: itemMatches('$2'),
  filters: [
    madeBy(choiceFilter('by', 'What a row is. Default: storage.', 'true', ['item', 'storage']), 'text'),
    madeBy(dayFilter('date', 'Levels at the end of this day, `YYYY-MM-DD`.', 'true'), 'date'),
    choiceFilter(
      'only',
      'Only what is there, what is negative, or what is low.',
      `case ? when 'positive' then v.on_hand > 0 when 'negative' then v.on_hand < 0 when 'low' then ${isLow} else true end`,
      ['all', 'positive', 'negative', 'low'],
    ),
    madeBy(idFilter('storage_id', 'Only this storage location.', 'true'), 'bigint'),
    choiceFilter('type', 'Only products or only materials.', `${typeOf} = ?`, types),
    idFilter('category_id', 'Only items of this category.', itemOfCategory('?')),
  ],
  columns: {
    type: column(text(typeOf), z.enum(types).describe('products or materials.'), 'products', byKey('i.kind')),
    id: column(integer('i.id'), z.int().describe('Id of the item.'), 1),
    sku: column(text('i.sku'), z.string().describe('SKU.'), 'TABLE-1', byKey('i.sku collate "C"')),
    name: column(text('i.name'), z.string().describe('Name.'), 'Oak table', byKey('i.name_key')),
    unit: column(text('n.name'), z.string().describe('Unit of measure.'), 'pcs'),
    storage_id: column(
      nullable(integer('t.id')),
      z.int().nullable().describe('Id of the storage location; null by item.'),
      1,
    ),
    storage_name: column(
      nullable(text('t.name')),
      z.string().nullable().describe('Its name; null by item.'),
      'Finished goods',
      byKey('t.name collate "C"'),
    ),
    amount: quantity('v.on_hand', 'On hand.', 1),
    reserved: quantity('v.reserved', 'Reserved.', 0),
    available: quantity(available, 'On hand less reserved.', 1),
    min_amount: column(number('i.min_amount'), z.number().describe('Below it the item counts as low.'), 2),
    cost: quantity(cost, 'Average cost of one.', 150.7),
    total_cost: quantity(worth, 'amount × cost.', 150.7),
    is_low: column(
      `${isLow}::text`,
      z.boolean().describe('Whether less of the item is on hand than there should be.'),
      true,
    ),
  },
  totals: { total_cost: { sum: worth, meaning: 'Sum of amount × cost.', example: 150.7 } },
})
