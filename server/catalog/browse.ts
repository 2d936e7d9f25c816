// Browsing products, materials and resources: one declaration for all three.

import { z } from 'zod'
import { browse, byKey, type Column, column } from '../platform/lists/browse.ts'
import { choiceFilter, idFilter } from '../platform/lists/browse-filters.ts'
import { array, integer, nullable, number, text } from '../platform/postgres/json-sql.ts'
import type { KindRules } from './item.ts'
import { itemMatches, itemOfCategory, itemPicture, knownPlanCost, pictureMeaning } from './view.ts'

const cost = 'coalesce(k.average, 0)'
const onHand = 'coalesce(v.on_hand, 0)'
const reserved = 'coalesce(v.reserved, 0)'
const available = `(${onHand} - ${reserved})`
const isLow = `(i.min_amount > 0 and ${onHand} < i.min_amount)`

const stock = `
  left join item_costs k on k.company_id = :company_id and k.item_id = i.id
  left join (
    select l.item_id, sum(l.on_hand) as on_hand, sum(l.reserved) as reserved from stock_levels l
    where l.company_id = :company_id group by l.item_id) v on v.item_id = i.id`

const codes = array(
  text('c.code'),
  `from item_codes c where c.company_id = :company_id and c.item_id = i.id and c.role = 'barcode'`,
  'c.position',
)
const categories = array(
  text('g.name'),
  `from item_categories t join categories g on g.company_id = :company_id and g.id = t.category_id where t.company_id = :company_id and t.item_id = i.id`,
  'g.name, g.id',
)

function columnsOf(rules: KindRules): Readonly<Record<string, Column>> {
  const ifCodes = (columns: Record<string, Column>) => (rules.hasCodes ? columns : {})
  const quantity = (sql: string, meaning: string, example: number): Column =>
    column(number(sql), z.number().describe(meaning), example, byKey(sql))
  return {
    id: column(integer('i.id'), z.int().describe(`Id of the ${rules.noun}.`), 1),
    name: column(text('i.name'), z.string().describe('Name.'), 'Oak table', byKey('i.name_key')),
    ...ifCodes({ sku: column(text('i.sku'), z.string().describe('SKU.'), 'TABLE-1', byKey('i.sku collate "C"')) }),
    picture: column(nullable(text(itemPicture)), z.string().nullable().describe(pictureMeaning), null),
    unit: column(text('n.name'), z.string().describe('Unit of measure.'), 'pcs'),
    price: column(number('i.price'), z.number().describe(rules.price), 249, byKey('i.price')),
    ...ifCodes({ cost: column(number(cost), z.number().describe('Current average cost.'), 150.7, byKey(cost)) }),
    ...(rules.hasComponents
      ? {
          plan_cost: column(
            nullable(number(knownPlanCost)),
            z
              .number()
              .nullable()
              .describe('Cost by components; null without components, and when that of one is unknown.'),
            74,
          ),
        }
      : {}),
    ...ifCodes({
      amount: quantity(onHand, 'On hand, over all storage locations.', 5),
      reserved: quantity(reserved, 'Reserved, over all storage locations.', 2),
      available: quantity(available, 'On hand minus reserved.', 3),
      min_amount: column(number('i.min_amount'), z.number().describe('The item is low when less is on hand.'), 2),
    }),
    categories: column(categories, z.array(z.string()).describe('Names of the categories.'), ['Tables']),
    ...ifCodes({
      barcodes: column(codes, z.array(z.string()).describe('Barcodes.'), ['4006381333931']),
      is_low: column(`${isLow}::text`, z.boolean().describe('Whether less than the minimum is on hand.'), false),
    }),
  }
}

const only = choiceFilter(
  'only',
  'Only low items, or only items with negative stock.',
  `case :only when 'low' then ${isLow} when 'negative' then ${onHand} < 0 else true end`,
  ['all', 'low', 'negative'],
)

export const browseItems = (rules: KindRules) =>
  browse({
    section: rules.section,
    title: rules.section,
    name: `${rules.section}.browse`,
    from: `items i ${rules.hasCodes ? stock : ''}`,
    where: `i.company_id = :company_id and i.kind = '${rules.kind}' and i.deleted_at is null`,
    keys: ['i.id'],
    joins: 'join units n on n.company_id = :company_id and n.id = i.unit_id',
    sort: ['name', 'asc'],
    ties: 'i.name_key, i.id',
    search: itemMatches(':search'),
    filters: [
      idFilter('category_id', 'Only items of this category and its subcategories.', itemOfCategory(':category_id')),
      ...(rules.hasCodes ? [only] : []),
    ],
    columns: columnsOf(rules),
  })
