// Writes items with their codes, categories, suppliers and components.

import type { TransactionContext } from '../kernel/clock.ts'
import { nameKey } from '../kernel/natural.ts'
import { type Statement, statement } from '../kernel/statement.ts'
import type { Item, ItemKind } from './item.ts'

type OfItem = { readonly company_id: number; readonly item_id: number }
type ItemValues = OfItem & ReturnType<typeof columns> & { readonly at: string }

const insertRow = statement<never, ItemValues & { kind: ItemKind }>(
  'items.insert',
  `insert into items (company_id, id, name, name_key, sku, codes, unit_id, price, min_amount, notes, updated_at, created_at, kind)
   values (:company_id, :item_id, :name, :name_key, :sku, :codes, :unit_id, :price, :min_amount, :notes, :at, :at, :kind)`,
)
const updateRow = statement<never, ItemValues>(
  'items.update',
  `update items set name = :name, name_key = :name_key, sku = :sku, codes = :codes, unit_id = :unit_id, price = :price, min_amount = :min_amount, notes = :notes, updated_at = :at,
     unit_changed = unit_changed or unit_id <> :unit_id
   where company_id = :company_id and id = :item_id`,
)
const removeRow = statement<never, OfItem & { at: string }>(
  'items.delete',
  'update items set deleted_at = :at, updated_at = :at where company_id = :company_id and id = :item_id',
)

const deleteCodes = statement<never, OfItem>(
  'items.delete_codes',
  'delete from item_codes where company_id = :company_id and item_id = :item_id',
)
const insertCodes = statement<
  never,
  OfItem & { spaces: readonly string[]; codes: readonly string[]; roles: readonly string[] }
>(
  'items.insert_codes',
  `insert into item_codes (company_id, item_id, space, code, role, position)
   select c.company_id, :item_id, x.space, x.code, x.role, x.position - 1
   from company_clock c cross join unnest(:spaces::text[], :codes::text[], :roles::text[]) with ordinality as x (space, code, role, position)
   where c.company_id = :company_id`,
)
const deleteCategories = statement<never, OfItem>(
  'items.delete_categories',
  'delete from item_categories where company_id = :company_id and item_id = :item_id',
)
const insertCategories = statement<never, OfItem & { category_ids: readonly number[] }>(
  'items.insert_categories',
  `insert into item_categories (company_id, item_id, category_id)
   select c.company_id, :item_id, x.id from company_clock c cross join unnest(:category_ids::bigint[]) as x (id) where c.company_id = :company_id`,
)
const deleteSuppliers = statement<never, OfItem>(
  'items.delete_suppliers',
  'delete from item_suppliers where company_id = :company_id and item_id = :item_id',
)
const insertSuppliers = statement<
  never,
  OfItem & { supplier_ids: readonly number[]; skus: readonly string[]; prices: readonly string[] }
>(
  'items.insert_suppliers',
  `insert into item_suppliers (company_id, item_id, position, supplier_id, sku, price)
   select c.company_id, :item_id, x.position - 1, x.supplier_id, x.sku, x.price
   from company_clock c cross join unnest(:supplier_ids::bigint[], :skus::text[], :prices::numeric[]) with ordinality as x (supplier_id, sku, price, position)
   where c.company_id = :company_id`,
)
const deleteComponents = statement<never, OfItem>(
  'items.delete_components',
  'delete from components where company_id = :company_id and product_id = :item_id',
)
const insertComponents = statement<never, OfItem & { component_ids: readonly number[]; amounts: readonly string[] }>(
  'items.insert_components',
  `insert into components (company_id, product_id, position, item_id, amount)
   select c.company_id, :item_id, x.position - 1, x.item_id, x.amount
   from company_clock c cross join unnest(:component_ids::bigint[], :amounts::numeric[]) with ordinality as x (item_id, amount, position)
   where c.company_id = :company_id`,
)

type Coded = Pick<Item, 'sku' | 'alt_skus' | 'barcodes'>

/** The codes as the search reads them: each after a control character, so that no search matches across two codes. */
const joinedCodes = ({ sku, alt_skus, barcodes }: Coded): string =>
  [sku, ...alt_skus, ...barcodes].map((code) => (code === '' ? '' : `\x1f${code}`)).join('')

const columns = (item: Item) => ({
  name: item.name,
  name_key: nameKey(item.name),
  sku: item.sku,
  codes: joinedCodes(item),
  unit_id: item.unit_id,
  price: item.price,
  min_amount: item.min_amount,
  notes: item.notes,
})

type ChildRows = {
  readonly fields: readonly (keyof Item)[]
  readonly remove: (of: OfItem) => Statement
  readonly insert: (of: OfItem, kind: ItemKind, item: Item) => Statement | undefined
}

/** Child rows of an item, replaced as a whole when one of their fields changes. */
const childRows: readonly ChildRows[] = [
  {
    fields: ['sku', 'alt_skus', 'barcodes'],
    remove: deleteCodes,
    insert: (of, kind, item) => {
      const codes = codesOf(kind, item)
      return codes.length === 0
        ? undefined
        : insertCodes({
            ...of,
            spaces: codes.map((one) => one.space),
            codes: codes.map((one) => one.code),
            roles: codes.map((one) => one.role),
          })
    },
  },
  {
    fields: ['categories'],
    remove: deleteCategories,
    insert: (of, _kind, { categories }) =>
      categories.length === 0 ? undefined : insertCategories({ ...of, category_ids: categories }),
  },
  {
    fields: ['suppliers'],
    remove: deleteSuppliers,
    insert: (of, _kind, { suppliers }) =>
      suppliers.length === 0
        ? undefined
        : insertSuppliers({
            ...of,
            supplier_ids: suppliers.map((one) => one.supplier_id),
            skus: suppliers.map((one) => one.sku),
            prices: suppliers.map((one) => one.price),
          }),
  },
  {
    fields: ['components'],
    remove: deleteComponents,
    insert: (of, _kind, { components }) =>
      components.length === 0
        ? undefined
        : insertComponents({
            ...of,
            component_ids: components.map((one) => one.item_id),
            amounts: components.map((one) => one.amount),
          }),
  },
]

export type Code = { readonly space: ItemKind | 'barcode'; readonly code: string; readonly role: string }

/** All codes an item is found by. Products and materials have separate SKU spaces; barcodes are unique in the company. */
export function codesOf(kind: ItemKind, item: Coded): Code[] {
  return [
    ...(item.sku === '' ? [] : [{ space: kind, code: item.sku, role: 'sku' }]),
    ...item.alt_skus.map((code) => ({ space: kind, code, role: 'alternative' })),
    ...item.barcodes.map((code) => ({ space: 'barcode' as const, code, role: 'barcode' })),
  ]
}

export function insertItem(
  id: number,
  kind: ItemKind,
  item: Item,
  { context: { companyId }, at }: TransactionContext,
): Statement[] {
  const of = { company_id: companyId, item_id: id }
  const inserts = childRows.map((rows) => rows.insert(of, kind, item))
  return [insertRow({ ...of, ...columns(item), at, kind }), ...inserts.filter((one) => one !== undefined)]
}

export function updateItem(
  id: number,
  kind: ItemKind,
  item: Item,
  before: Item,
  { context: { companyId }, at }: TransactionContext,
): Statement[] {
  const of = { company_id: companyId, item_id: id }
  const replaced = childRows
    .filter((rows) => rows.fields.some((field) => JSON.stringify(item[field]) !== JSON.stringify(before[field])))
    .flatMap((rows) => [rows.remove(of), rows.insert(of, kind, item)])
  return [updateRow({ ...of, ...columns(item), at }), ...replaced.filter((one) => one !== undefined)]
}

/** Documents keep showing the item; its codes and categories are released. */
export function removeItem(id: number, { context: { companyId }, at }: TransactionContext): Statement[] {
  const of = { company_id: companyId, item_id: id }
  return [removeRow({ ...of, at }), deleteCodes(of), deleteCategories(of)]
}
