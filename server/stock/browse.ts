// Browsing stock: by item and storage location, or by item over all of them; now, or at the end of a day.

import { z } from 'zod'
import { itemMatches, itemOfCategory, itemPicture, pictureMeaning } from '../catalog/view.ts'
import { browse, byKey, type Column, column } from '../platform/lists/browse.ts'
import { choiceFilter, dayFilter, type Filter, idFilter } from '../platform/lists/browse-filters.ts'
import { integer, nullable, number, text } from '../platform/postgres/json-sql.ts'
import { typeOf, types } from './filters.ts'
import { inTransitAt } from './in-transit.ts'
import { valuesAt } from './past-values.ts'

// The filters `by`, `date`, `only` and `storage_id` determine the rows.
const levels = `
  select l.item_id, l.storage_id, l.on_hand from stock_levels l where l.company_id = :company_id and :date::date is null
  union all
  select m.item_id, m.storage_id, m.on_hand from stock_movements m where m.company_id = :company_id and m.date <= :date::date`

// The cost and the value of a present level are null: it has the current average.
const valued = `
  select l.item_id, l.storage_id, l.on_hand, l.reserved, 0 as in_transit, 0 as transit_value, null::numeric as cost, null::numeric as value
  from stock_levels l where l.company_id = :company_id and :date::date is null
  union all
  select d.item_id, d.storage_id, d.on_hand, d.reserved, 0, 0, d.cost, d.value from (${valuesAt(':date')}) d
  union all
  select q.item_id, q.storage_id, 0, 0, q.amount, q.value, null, null from (${inTransitAt(':date')}) q`

// Items without movements are shown at the default storage location of their kind, by item and among low items.
const neverMoved = `
  select w.id, case w.kind when 'product' then c.products_storage_id else c.materials_storage_id end, 0, 0, 0, 0, null, null
  from items w join companies c on c.company_id = :company_id
  where w.company_id = :company_id and w.kind <> 'resource' and w.deleted_at is null
    and (:by::text = 'item' or (:only::text = 'low' and w.min_amount > 0))
    and w.id not in (select a.item_id from (${levels}) a)`

const rows = `(
  select x.item_id, case when :by::text = 'item' then 0 else x.storage_id end as storage_id, sum(x.on_hand) as on_hand, sum(x.reserved) as reserved,
    sum(x.in_transit) as in_transit, sum(x.transit_value) as transit_value,
    max(x.cost) as cost, sum(x.value) as value
  from (${valued} union all ${neverMoved}) x (item_id, storage_id, on_hand, reserved, in_transit, transit_value, cost, value)
  where :storage_id::bigint is null or x.storage_id = :storage_id
  group by 1, 2) v`

// An item is low by its total over the requested storage locations, not by each of them.
const allOfItem = `(
  select x.item_id, sum(x.on_hand) as on_hand from (${levels}) x where :storage_id::bigint is null or x.storage_id = :storage_id group by x.item_id) a`
const isLow = '(i.min_amount > 0 and coalesce(a.on_hand, 0) < i.min_amount)'

const cost = 'coalesce(v.cost, k.average, 0)'
const value = `(coalesce(v.value, v.on_hand * ${cost}) + v.transit_value)`
const worth = `round(${value}, 2)`
const available = '(v.on_hand - v.reserved)'

/** A filter applied inside the subselect of the rows. */
const madeBy = (filter: Filter): Filter => ({ ...filter, sql: 'true' })
const quantity = (sql: string, meaning: string, example: number): Column =>
  column(number(sql), z.number().describe(meaning), example, byKey(sql))

export const browseStock = browse({
  section: 'stock',
  title: 'stock levels',
  name: 'stock.browse',
  notes: [
    'By storage location, a row is an item at one of them; by item, it is the total over the requested ones. `cost` is the average, with `date` that of the day; the value of a day is what the ledger adds up to.',
    'An item is low when less than its minimum is on hand over all requested storage locations.',
  ],
  from: `${rows} join items i on i.company_id = :company_id and i.id = v.item_id
    left join storages t on t.company_id = :company_id and t.id = v.storage_id
    left join item_costs k on k.company_id = :company_id and k.item_id = i.id
    left join ${allOfItem} on a.item_id = i.id`,
  where: `i.company_id = :company_id and (v.on_hand <> 0 or v.reserved <> 0 or v.in_transit <> 0 or coalesce(v.value, 0) <> 0 or (i.deleted_at is null and t.deleted_at is null))`,
  keys: ['i.id', 'v.storage_id'],
  joins: 'join units n on n.company_id = :company_id and n.id = i.unit_id',
  sort: ['name', 'asc'],
  ties: 'i.name_key, i.id, t.name collate "C", v.storage_id',
  search: itemMatches(':search'),
  filters: [
    madeBy(choiceFilter('by', 'What a row is. Default: storage.', 'true', ['item', 'storage'])),
    madeBy(dayFilter('date', 'Levels at the end of this day, `YYYY-MM-DD`.', 'true')),
    choiceFilter(
      'only',
      'Only positive, negative or low stock.',
      `case :only when 'positive' then v.on_hand > 0 when 'negative' then v.on_hand < 0 when 'low' then ${isLow} else true end`,
      ['all', 'positive', 'negative', 'low'],
    ),
    madeBy(idFilter('storage_id', 'Only this storage location.', 'true')),
    choiceFilter('type', 'Only products or only materials.', `${typeOf} = :type`, types),
    idFilter('category_id', 'Only items of this category and its subcategories.', itemOfCategory(':category_id')),
  ],
  columns: {
    type: column(text(typeOf), z.enum(types).describe('products or materials.'), 'products', byKey('i.kind')),
    id: column(integer('i.id'), z.int().describe('Id of the item.'), 1),
    sku: column(text('i.sku'), z.string().describe('SKU.'), 'TABLE-1', byKey('i.sku collate "C"')),
    name: column(text('i.name'), z.string().describe('Name.'), 'Oak table', byKey('i.name_key')),
    picture: column(nullable(text(itemPicture)), z.string().nullable().describe(pictureMeaning), null),
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
    available: quantity(available, 'On hand minus reserved.', 1),
    in_transit: quantity('v.in_transit', 'On its way here from another storage location; not on hand yet.', 0),
    min_amount: column(number('i.min_amount'), z.number().describe('The item is low when less is on hand.'), 2),
    cost: quantity(cost, 'Average cost of one unit.', 150.7),
    total_cost: quantity(worth, 'amount × cost, and the value of what is in transit.', 150.7),
    is_low: column(
      `${isLow}::text`,
      z.boolean().describe('Whether less than the minimum of the item is on hand.'),
      true,
    ),
    is_deleted: column(
      '(i.deleted_at is not null)::text',
      z.boolean().describe('Whether the item is deleted: such stock is shown until it is corrected.'),
      false,
    ),
    is_storage_deleted: column(
      '(t.deleted_at is not null)::text',
      z.boolean().describe('Whether the storage location is deleted; false by item.'),
      false,
    ),
  },
  totals: { total_cost: { sum: value, decimals: 2, meaning: 'Sum of the values, rounded once.', example: 150.7 } },
})
