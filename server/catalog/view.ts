// An item as the API shows it.

import { z } from 'zod'
import { jsonWithParts, metaPart, type Parts } from '../platform/lists/list-filters.ts'
import { declareFinder, type RecordFinder } from '../platform/lists/record-entry.ts'
import {
  allShownOf,
  arrayField,
  type Field,
  type Fields,
  field,
  integerField,
  jsonOf,
  nullableInteger,
  numberField,
  shownOf,
  textField,
  timeFields,
} from '../platform/lists/record-fields.ts'
import { type CommonFilters, declareList, type Listing } from '../platform/lists/record-list.ts'
import { array, text } from '../platform/postgres/json-sql.ts'
import { codesFound } from './code-lookup.ts'
import { itemKinds, type KindRules, kinds } from './item.ts'

const codes = (role: string, meaning: string, example: string): Field =>
  field(
    array(
      text('c.code'),
      `from item_codes c where c.company_id = :company_id and c.item_id = i.id and c.role = '${role}'`,
      'c.position',
    ),
    z.array(z.string()).describe(meaning),
    [example],
  )

const categories = arrayField(
  'ItemCategory',
  { id: integerField('g.id', 'Id of the category.'), name: shownOf(['category'], textField('g.name', 'Its name.')) },
  `from item_categories t join categories g on g.company_id = :company_id and g.id = t.category_id
   where t.company_id = :company_id and t.item_id = i.id`,
  'g.id',
  'Categories.',
  [{ id: 1, name: 'Tables' }],
)

const suppliers = arrayField(
  'ItemSupplier',
  {
    supplier_id: integerField('s.supplier_id', 'Id of the supplier.'),
    sku: textField('s.sku', "The supplier's own SKU."),
    price: numberField('s.price', "The supplier's price.", 0),
  },
  'from item_suppliers s where s.company_id = :company_id and s.item_id = i.id',
  's.position',
  'Suppliers.',
  [],
)

const components = arrayField(
  'Component',
  {
    type: field(text('x.kind'), z.enum(itemKinds).describe('Type of the component.'), 'material'),
    id: integerField('x.id', 'Its id.'),
    sku: shownOf(itemKinds, textField('x.sku', 'Its SKU.')),
    name: shownOf(itemKinds, textField('x.name', 'Its name.')),
    unit: shownOf([...itemKinds, 'unit'], textField('y.name', 'Its unit of measure.')),
    amount: numberField('p.amount', 'Quantity for one product.', 4),
    position: integerField('p.position', 'Position among the components, from 0.', 0),
  },
  `from components p join items x on x.company_id = :company_id and x.id = p.item_id
   join units y on y.company_id = :company_id and y.id = x.unit_id
   where p.company_id = :company_id and p.product_id = i.id`,
  'p.position',
  'Components of one product.',
  [{ type: 'material', id: 2, sku: 'BOARD-1', name: 'Oak board', unit: 'pcs', amount: 4, position: 0 }],
)

// Cost of one product, down to purchased materials and resources: materials at their average (before the first receipt at their reference
// price), resources at their price, products without components at their average. `offset 0` makes PostgreSQL look up rows one by one: a plan that
// hashes the company's components did so for every row of a page, at 10 ms each.
const madeOf = (figure: string): string => `(
  with recursive made (id, kind, price, amount, leaf) as (
    select i.id, i.kind, i.price, 1::numeric, false
    union all
    select distinct x.id, x.kind, x.price, sum(m.amount * c.amount) over (partition by x.id),
      not exists (select from components d where d.company_id = :company_id and d.product_id = x.id offset 0)
    from made m
    cross join lateral (
      select c.item_id, c.amount from components c where c.company_id = :company_id and c.product_id = m.id offset 0) c
    cross join lateral (select x.id, x.kind, x.price from items x where x.company_id = :company_id and x.id = c.item_id offset 0) x)
  select ${figure}
  from made m
  left join lateral (select k.average from item_costs k where k.company_id = :company_id and k.item_id = m.id offset 0) k on true
  where m.leaf)`

const leafCost = `case when m.kind = 'resource' then m.price
  when coalesce(k.average, 0) > 0 or m.kind = 'product' then coalesce(k.average, 0) else m.price end`
const leafSum = `round(sum(m.amount * ${leafCost}), 2)`
export const planCost = madeOf(`coalesce(${leafSum}, 0)`)
/** For the screens: null without components, and when the cost of one is unknown. */
export const knownPlanCost = madeOf(`case when bool_and((${leafCost}) <> 0) then ${leafSum} end`)

const level = (column: string): string => `coalesce((
  select sum(l.${column}) from stock_levels l where l.company_id = :company_id and l.item_id = i.id), 0)`

const exampleNames = {
  product: ['Oak table', 'TABLE-1'],
  material: ['Oak board', 'BOARD-1'],
  resource: ['Carpenter', ''],
} as const

const averageCost =
  'coalesce((select k.average from item_costs k where k.company_id = :company_id and k.item_id = i.id), 0)'

/** `whole` adds the fields that lists show only when they are included. */
export function itemFields(rules: KindRules, whole: boolean): Fields {
  const ifCodes = (fields: Fields): Fields => (rules.hasCodes ? fields : {})
  const ifMade = (fields: Fields): Fields => (rules.hasComponents ? fields : {})
  const [name, sku] = exampleNames[rules.kind]
  return {
    id: integerField('i.id', `Id of the ${rules.noun}; products, materials and resources share one number space.`),
    name: textField('i.name', 'Name.', name),
    ...ifCodes({ sku: textField('i.sku', 'SKU.', sku) }),
    ...ifMade({ alt_skus: codes('alternative', 'Alternative SKUs.', 'T1') }),
    ...ifCodes({ barcodes: codes('barcode', 'Barcodes.', '4006381333931') }),
    unit_id: integerField('i.unit_id', 'Id of the unit of measure.'),
    unit: shownOf(['unit'], textField('n.name', 'Its name.', 'pcs')),
    price: numberField('i.price', rules.price, 249),
    ...ifCodes({
      tax_rate_id: nullableInteger('i.tax_rate_id', 'Id of its tax rate; null: the default rate of the company.'),
      min_amount: numberField('i.min_amount', 'The item is low when less is on hand.', 2),
    }),
    categories,
    ...(whole ? ifCodes({ suppliers }) : {}),
    ...(whole ? ifMade({ components }) : {}),
    notes: textField('i.notes', 'Notes.'),
    ...ifCodes({
      cost: shownOf(['stock'], numberField(averageCost, 'Current average cost, up to 6 decimals.', 150.7)),
    }),
    ...ifMade({ plan_cost: shownOf([...itemKinds, 'stock'], numberField(planCost, 'Cost by components.', 74)) }),
    ...ifCodes(
      allShownOf(['stock'], {
        amount: numberField(level('on_hand'), 'On hand, over all storage locations.', 5),
        reserved: numberField(level('reserved'), 'Reserved, over all storage locations.', 2),
        available: numberField(level('on_hand - l.reserved'), 'On hand minus reserved.', 3),
      }),
    ),
    ...timeFields('i'),
  }
}

/** What a list shows only when it is asked for. */
export const itemParts = (rules: KindRules): Parts => ({
  ...metaPart(rules.noun, 'i.id'),
  ...(rules.hasCodes ? { suppliers: { meaning: 'the suppliers.', fields: { suppliers } } } : {}),
  ...(rules.hasComponents ? { components: { meaning: 'the components.', fields: { components } } } : {}),
})

const unit = 'join units n on n.company_id = :company_id and n.id = i.unit_id'

/** SQL: part of the address of the picture of an item. */
export const itemPicture = `(select concat(f.id, '-', f.tag) from files f where f.company_id = :company_id and f.item_id = i.id and f.is_picture)`
export const pictureMeaning =
  '`<id>-<tag>` of the picture of the item, whose thumbnail is at `/screens/files/<id>-<tag>/small`; null without one.'

/** SQL: what the search reads of an item. */
export const searchedItem = (alias: string): string => `coalesce(${alias}.search_key, ${alias}.found_by)`

/** SQL: the name or a code of the item `i` contains the pattern, which is folded. */
export const itemMatches = (pattern: string): string => `${searchedItem('i')} like ${pattern}`

// Evaluated once for all items: the result is hashed, not looked up item by item.
export const itemOfCategory = (category: string): string => `i.id in (
  with recursive wanted as (
    select g.id from categories g where g.company_id = :company_id and g.id = ${category}
    union select g.id from wanted w join categories g on g.company_id = :company_id and g.parent_id = w.id)
  select t.item_id from item_categories t where t.company_id = :company_id and t.category_id in (select w.id from wanted w))`

/** Includes alternative SKUs; a product and a material may have the same SKU. `skus` are the SKU and its folded form. */
export const itemWithSku = (skus: string): string =>
  `(i.kind, i.id) in (select c.space, c.item_id from (${codesFound("in ('product', 'material')", `= any(${skus})`)}) c)`

export type OwnFilters = { readonly category_id: number | null; readonly skus: readonly string[] | null }
export type ItemFilters = CommonFilters & OwnFilters

function declareReads(rules: KindRules) {
  const { kind, section } = rules
  const notDeleted = `i.company_id = :company_id and i.kind = '${kind}' and i.deleted_at is null`
  return {
    find: declareFinder(
      `${section}.find`,
      kind,
      `select ${jsonOf(itemFields(rules, true))} as record from items i ${unit} where ${notDeleted} and i.id =`,
    ),
    list: declareList<ItemFilters>({
      name: `${section}.list`,
      field: section,
      json: jsonWithParts(itemFields(rules, false), itemParts(rules)),
      from: 'items i',
      where: `${notDeleted}
        and (:search::text is null or ${itemMatches(':search')})
        and (:category_id::bigint is null or ${itemOfCategory(':category_id')}) and (:skus::text[] is null or ${itemWithSku(':skus')})`,
      records: { record: kind, alias: 'i' },
      order: 'i.name_key, i.id',
      built: { columns: ['i.id'], joins: `join items i on i.company_id = :company_id and i.id = p.id ${unit}` },
    }),
  }
}

export const reads: Readonly<Record<KindRules['kind'], { find: RecordFinder; list: Listing<ItemFilters> }>> = {
  product: declareReads(kinds.product),
  material: declareReads(kinds.material),
  resource: declareReads(kinds.resource),
}
