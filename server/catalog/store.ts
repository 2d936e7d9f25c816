// Writing items and what hangs on them: codes, categories, suppliers, components.

import type { Moment } from '../kernel/clock.ts'
import { nameKey } from '../kernel/natural.ts'
import { type Statement, statement } from '../kernel/statement.ts'
import type { Item, ItemKind } from './item.ts'

const insertRow = statement(
  'items.insert',
  `insert into items (company_id, id, name, name_key, sku, codes, unit_id, price, min_amount, notes, updated_at, created_at, kind)
   values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $11, $12)`,
)
const updateRow = statement(
  'items.update',
  `update items set name = $3, name_key = $4, sku = $5, codes = $6, unit_id = $7, price = $8, min_amount = $9, notes = $10, updated_at = $11
   where company_id = $1 and id = $2`,
)
const removeRow = statement(
  'items.delete',
  'update items set deleted_at = $3, updated_at = $3 where company_id = $1 and id = $2',
)

const deleteCodes = statement('items.delete_codes', 'delete from item_codes where company_id = $1 and item_id = $2')
const insertCodes = statement(
  'items.insert_codes',
  `insert into item_codes (company_id, item_id, space, code, role, position)
   select c.company_id, $2, x.space, x.code, x.role, x.position - 1
   from company_clock c cross join unnest($3::text[], $4::text[], $5::text[]) with ordinality as x (space, code, role, position)
   where c.company_id = $1`,
)
const deleteCategories = statement(
  'items.delete_categories',
  'delete from item_categories where company_id = $1 and item_id = $2',
)
const insertCategories = statement(
  'items.insert_categories',
  `insert into item_categories (company_id, item_id, category_id)
   select c.company_id, $2, x.id from company_clock c cross join unnest($3::bigint[]) as x (id) where c.company_id = $1`,
)
const deleteSuppliers = statement(
  'items.delete_suppliers',
  'delete from item_suppliers where company_id = $1 and item_id = $2',
)
const insertSuppliers = statement(
  'items.insert_suppliers',
  `insert into item_suppliers (company_id, item_id, position, supplier_id, sku, price)
   select c.company_id, $2, x.position - 1, x.supplier_id, x.sku, x.price
   from company_clock c cross join unnest($3::bigint[], $4::text[], $5::numeric[]) with ordinality as x (supplier_id, sku, price, position)
   where c.company_id = $1`,
)
const deleteComponents = statement(
  'items.delete_components',
  'delete from components where company_id = $1 and product_id = $2',
)
const insertComponents = statement(
  'items.insert_components',
  `insert into components (company_id, product_id, position, item_id, amount)
   select c.company_id, $2, x.position - 1, x.item_id, x.amount
   from company_clock c cross join unnest($3::bigint[], $4::numeric[]) with ordinality as x (item_id, amount, position)
   where c.company_id = $1`,
)

type Coded = Pick<Item, 'sku' | 'alt_skus' | 'barcodes'>

/** The codes as the search reads them: each after a separator that nobody types, so that no search runs from one into the next. */
const joinedCodes = ({ sku, alt_skus, barcodes }: Coded): string =>
  [sku, ...alt_skus, ...barcodes].map((code) => (code === '' ? '' : `\x1f${code}`)).join('')

const columns = (item: Item) => [
  item.name,
  nameKey(item.name),
  item.sku,
  joinedCodes(item),
  item.unit_id,
  item.price,
  item.min_amount,
  item.notes,
]

type Part = {
  readonly fields: readonly (keyof Item)[]
  readonly remove: (companyId: number, id: number) => Statement
  readonly insert: (companyId: number, id: number, kind: ItemKind, item: Item) => Statement | undefined
}

/** What hangs on an item, replaced as a whole when one of its fields changes. */
const parts: readonly Part[] = [
  {
    fields: ['sku', 'alt_skus', 'barcodes'],
    remove: deleteCodes,
    insert: (companyId, id, kind, item) => {
      const codes = codesOf(kind, item)
      return codes.length === 0
        ? undefined
        : insertCodes(
            companyId,
            id,
            codes.map((one) => one.space),
            codes.map((one) => one.code),
            codes.map((one) => one.role),
          )
    },
  },
  {
    fields: ['categories'],
    remove: deleteCategories,
    insert: (companyId, id, _kind, { categories }) =>
      categories.length === 0 ? undefined : insertCategories(companyId, id, categories),
  },
  {
    fields: ['suppliers'],
    remove: deleteSuppliers,
    insert: (companyId, id, _kind, { suppliers }) =>
      suppliers.length === 0
        ? undefined
        : insertSuppliers(
            companyId,
            id,
            suppliers.map((one) => one.supplier_id),
            suppliers.map((one) => one.sku),
            suppliers.map((one) => one.price),
          ),
  },
  {
    fields: ['components'],
    remove: deleteComponents,
    insert: (companyId, id, _kind, { components }) =>
      components.length === 0
        ? undefined
        : insertComponents(
            companyId,
            id,
            components.map((one) => one.item_id),
            components.map((one) => one.amount),
          ),
  },
]

export type Code = { readonly space: ItemKind | 'barcode'; readonly code: string; readonly role: string }

/** Everything an item is found by. Products and materials have a space of SKUs each; barcodes have one for the company. */
export function codesOf(kind: ItemKind, item: Coded): Code[] {
  return [
    ...(item.sku === '' ? [] : [{ space: kind, code: item.sku, role: 'sku' }]),
    ...item.alt_skus.map((code) => ({ space: kind, code, role: 'alternative' })),
    ...item.barcodes.map((code) => ({ space: 'barcode' as const, code, role: 'barcode' })),
  ]
}

export function insertItem(id: number, kind: ItemKind, item: Item, { call: { companyId }, at }: Moment): Statement[] {
  const hanging = parts.map((part) => part.insert(companyId, id, kind, item))
  return [insertRow(companyId, id, ...columns(item), at, kind), ...hanging.filter((one) => one !== undefined)]
}

export function updateItem(
  id: number,
  kind: ItemKind,
  item: Item,
  before: Item,
  { call: { companyId }, at }: Moment,
): Statement[] {
  const replaced = parts
    .filter((part) => part.fields.some((field) => JSON.stringify(item[field]) !== JSON.stringify(before[field])))
    .flatMap((part) => [part.remove(companyId, id), part.insert(companyId, id, kind, item)])
  return [updateRow(companyId, id, ...columns(item), at), ...replaced.filter((one) => one !== undefined)]
}

/** Documents keep showing it; its codes and categories are free. */
export const removeItem = (id: number, { call: { companyId }, at }: Moment): Statement[] => [
  removeRow(companyId, id, at),
  deleteCodes(companyId, id),
  deleteCategories(companyId, id),
]
