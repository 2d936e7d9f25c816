// An item as the API shows it.

import { z } from 'zod'
import { statement } from '../kernel/statement.ts'
import { type CommonFilters, declareList, type Listing } from '../platform/lists/record-list.ts'
import { exampleTimes, timesSchema } from '../platform/lists/record-methods.ts'
import { array, integer, number, object, type Shape, text, time } from '../platform/postgres/json-sql.ts'
import { itemKinds, type KindRules, kinds } from './item.ts'

const codes = (role: string): string =>
  array(
    text('c.code'),
    `from item_codes c where c.company_id = :company_id and c.item_id = i.id and c.role = '${role}'`,
    'c.position',
  )

const categories = array(
  object([
    ['id', integer('g.id')],
    ['name', text('g.name')],
  ]),
  `from item_categories t join categories g on g.company_id = :company_id and g.id = t.category_id
   where t.company_id = :company_id and t.item_id = i.id`,
  'g.id',
)

const suppliers = array(
  object([
    ['supplier_id', integer('s.supplier_id')],
    ['sku', text('s.sku')],
    ['price', number('s.price')],
  ]),
  'from item_suppliers s where s.company_id = :company_id and s.item_id = i.id',
  's.position',
)

const components = array(
  object([
    ['type', text('x.kind')],
    ['id', integer('x.id')],
    ['sku', text('x.sku')],
    ['name', text('x.name')],
    ['unit', text('y.name')],
    ['amount', number('p.amount')],
    ['position', integer('p.position')],
  ]),
  `from components p join items x on x.company_id = :company_id and x.id = p.item_id
   join units y on y.company_id = :company_id and y.id = x.unit_id
   where p.company_id = :company_id and p.product_id = i.id`,
  'p.position',
)

// Cost of one product, down to purchased materials and resources: materials at their average (before the first receipt at their reference
// price), resources at their price, products without components at their average. `offset 0` makes PostgreSQL look up rows one by one: a plan that
// hashes the company's components did so for every row of a page, at 10 ms each.
export const planCost = `(
  with recursive made (id, kind, price, amount, leaf) as (
    select i.id, i.kind, i.price, 1::numeric, false
    union all
    select distinct x.id, x.kind, x.price, sum(m.amount * c.amount) over (partition by x.id),
      not exists (select from components d where d.company_id = :company_id and d.product_id = x.id offset 0)
    from made m
    cross join lateral (
      select c.item_id, c.amount from components c where c.company_id = :company_id and c.product_id = m.id offset 0) c
    cross join lateral (select x.id, x.kind, x.price from items x where x.company_id = :company_id and x.id = c.item_id offset 0) x)
  select coalesce(round(sum(m.amount * case when m.kind = 'resource' then m.price
      when coalesce(k.average, 0) > 0 or m.kind = 'product' then coalesce(k.average, 0) else m.price end), 2), 0)
  from made m
  left join lateral (select k.average from item_costs k where k.company_id = :company_id and k.item_id = m.id offset 0) k on true
  where m.leaf)`

const level = (column: string): string => `coalesce((
  select sum(l.${column}) from stock_levels l where l.company_id = :company_id and l.item_id = i.id), 0)`

/** `whole` adds the fields that lists omit. */
function shape(rules: KindRules, whole: boolean): Shape {
  const ifCodes = (fields: Shape): Shape => (rules.hasCodes ? fields : [])
  const ifMade = (fields: Shape): Shape => (rules.hasComponents ? fields : [])
  return [
    ['id', integer('i.id')],
    ['name', text('i.name')],
    ...ifCodes([['sku', text('i.sku')]]),
    ...ifMade([['alt_skus', codes('alternative')]]),
    ...ifCodes([['barcodes', codes('barcode')]]),
    ['unit_id', integer('i.unit_id')],
    ['unit', text('n.name')],
    ['price', number('i.price')],
    ...ifCodes([['min_amount', number('i.min_amount')]]),
    ['categories', categories],
    ...(whole ? ifCodes([['suppliers', suppliers]]) : []),
    ...(whole ? ifMade([['components', components]]) : []),
    ['notes', text('i.notes')],
    ...ifCodes([
      [
        'cost',
        number(
          'coalesce((select k.average from item_costs k where k.company_id = :company_id and k.item_id = i.id), 0)',
        ),
      ],
    ]),
    ...ifMade([['plan_cost', number(planCost)]]),
    ...ifCodes([
      ['amount', number(level('on_hand'))],
      ['reserved', number(level('reserved'))],
      ['available', number(level('on_hand - l.reserved'))],
    ]),
    ['created_at', time('i.created_at')],
    ['updated_at', time('i.updated_at')],
  ]
}

const unit = 'join units n on n.company_id = :company_id and n.id = i.unit_id'

/** SQL: the name or a code of the item `i` contains the pattern, ignoring case. */
export const itemMatches = (pattern: string): string => `i.found_by like lower(${pattern})`

// Evaluated once for all items: the result is hashed, not looked up item by item.
export const itemOfCategory = (category: string): string =>
  `i.id in (select t.item_id from item_categories t where t.company_id = :company_id and t.category_id = ${category})`

/** Includes alternative SKUs; a product and a material may have the same SKU. */
export const itemWithSku = (sku: string): string =>
  `(i.kind, i.id) in (select c.space, c.item_id from item_codes c where c.company_id = :company_id and c.space in ('product', 'material') and c.code = ${sku})`

export type OwnFilters = { readonly category_id: number | null; readonly sku: string | null }
export type ItemFilters = CommonFilters & OwnFilters

function declareReads(rules: KindRules) {
  const { kind, section } = rules
  const notDeleted = `i.company_id = :company_id and i.kind = '${kind}' and i.deleted_at is null`
  return {
    find: statement<{ record: string }, { readonly company_id: number; readonly id: number }>(
      `${section}.find`,
      `select ${object(shape(rules, true))} as record from items i ${unit} where ${notDeleted} and i.id = :id`,
    ),
    list: declareList<ItemFilters>({
      name: `${section}.list`,
      field: section,
      json: object(shape(rules, false)),
      from: 'items i',
      where: `${notDeleted}
        and (:search::text is null or ${itemMatches(':search')})
        and (:updated_after::timestamptz is null or i.updated_at > :updated_after) and (:ids::bigint[] is null or i.id = any(:ids))
        and (:category_id::bigint is null or ${itemOfCategory(':category_id')}) and (:sku::text is null or ${itemWithSku(':sku')})`,
      order: 'i.name_key, i.id',
      built: { columns: ['i.id'], joins: `join items i on i.company_id = :company_id and i.id = p.id ${unit}` },
    }),
  }
}

export const reads: Readonly<
  Record<KindRules['kind'], { find: ReturnType<typeof declareReads>['find']; list: Listing<ItemFilters> }>
> = {
  product: declareReads(kinds.product),
  material: declareReads(kinds.material),
  resource: declareReads(kinds.resource),
}

export function itemRecord(rules: KindRules, whole: boolean): z.ZodObject {
  const ifCodes = (fields: z.ZodRawShape): z.ZodRawShape => (rules.hasCodes ? fields : {})
  const ifMade = (fields: z.ZodRawShape): z.ZodRawShape => (rules.hasComponents ? fields : {})
  return z.object({
    id: z.int().describe(`Id of the ${rules.noun}; products, materials and resources share one number space.`),
    name: z.string().describe('Name.'),
    ...ifCodes({ sku: z.string().describe('SKU.') }),
    ...ifMade({ alt_skus: z.array(z.string()).describe('Alternative SKUs.') }),
    ...ifCodes({ barcodes: z.array(z.string()).describe('Barcodes.') }),
    unit_id: z.int().describe('Id of the unit of measure.'),
    unit: z.string().describe('Its name.'),
    price: z.number().describe(rules.price),
    ...ifCodes({ min_amount: z.number().describe('The item is low when less is on hand.') }),
    categories: z
      .array(z.object({ id: z.int().describe('Id of the category.'), name: z.string().describe('Its name.') }))
      .describe('Categories.'),
    ...(whole ? ifCodes({ suppliers: z.array(supplierRecord).describe('Suppliers.') }) : {}),
    ...(whole ? ifMade({ components: z.array(componentRecord).describe('Components of one product.') }) : {}),
    notes: z.string().describe('Notes.'),
    ...ifCodes({ cost: z.number().describe('Current average cost, up to 6 decimals.') }),
    ...ifMade({ plan_cost: z.number().describe('Cost by components.') }),
    ...ifCodes({
      amount: z.number().describe('On hand, over all storage locations.'),
      reserved: z.number().describe('Reserved, over all storage locations.'),
      available: z.number().describe('On hand minus reserved.'),
    }),
    ...timesSchema,
  })
}

const supplierRecord = z.object({
  supplier_id: z.int().describe('Id of the supplier.'),
  sku: z.string().describe("The supplier's own SKU."),
  price: z.number().describe("The supplier's price."),
})

const componentRecord = z.object({
  type: z.enum(itemKinds).describe('Type of the component.'),
  id: z.int().describe('Its id.'),
  sku: z.string().describe('Its SKU.'),
  name: z.string().describe('Its name.'),
  unit: z.string().describe('Its unit of measure.'),
  amount: z.number().describe('Quantity for one product.'),
  position: z.int().describe('Position among the components, from 0.'),
})

/** An example record that has the fields of its kind. */
export function itemExample(rules: KindRules, whole: boolean): object {
  const fields: Record<string, unknown> = {
    id: 1,
    name: rules.kind === 'product' ? 'Oak table' : rules.kind === 'material' ? 'Oak board' : 'Carpenter',
    sku: rules.kind === 'product' ? 'TABLE-1' : 'BOARD-1',
    alt_skus: ['T1'],
    barcodes: ['4006381333931'],
    unit_id: 1,
    unit: 'pcs',
    price: 249,
    min_amount: 2,
    categories: [{ id: 1, name: 'Tables' }],
    suppliers: [],
    components: [{ type: 'material', id: 2, sku: 'BOARD-1', name: 'Oak board', unit: 'pcs', amount: 4, position: 0 }],
    notes: '',
    cost: 150.7,
    plan_cost: 74,
    amount: 5,
    reserved: 2,
    available: 3,
    ...exampleTimes,
  }
  const shown = Object.keys(itemRecord(rules, whole).shape)
  return Object.fromEntries(shown.map((field) => [field, fields[field]]))
}
