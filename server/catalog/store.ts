// Writes items with their codes, categories, suppliers and components.

import type { TransactionContext } from '../kernel/clock.ts'
import { foldedText } from '../kernel/folded-text.ts'
import { declareInsert } from '../kernel/insert-rows.ts'
import { nameKey } from '../kernel/natural.ts'
import { type Statement, statement } from '../kernel/statement.ts'
import type { Item, ItemKind } from './item.ts'

type OfItem = { readonly company_id: number; readonly item_id: number }
type ItemValues = OfItem & ReturnType<typeof columns> & { readonly at: string }

const insertRow = statement<never, ItemValues & { kind: ItemKind }>(
  'items.insert',
  `insert into items (company_id, id, name, name_key, sku, codes, search_key, unit_id, price, tax_rate_id, min_amount, notes, updated_at, created_at, kind)
   values (:company_id, :item_id, :name, :name_key, :sku, :codes, :search_key, :unit_id, :price, :tax_rate_id, :min_amount, :notes, :at, :at, :kind)`,
)
const updateRow = statement<never, ItemValues>(
  'items.update',
  `update items set name = :name, name_key = :name_key, sku = :sku, codes = :codes, search_key = :search_key, unit_id = :unit_id, price = :price, tax_rate_id = :tax_rate_id, min_amount = :min_amount, notes = :notes, updated_at = :at,
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
const insertCodes = declareInsert<OfItem, Code & { readonly code_key: string }>({
  name: 'items.insert_codes',
  table: 'item_codes',
  shared: ['item_id'],
  columns: { space: 'text', code: 'text', role: 'text', code_key: 'text' },
  numbered: 'position',
})
const deleteCategories = statement<never, OfItem>(
  'items.delete_categories',
  'delete from item_categories where company_id = :company_id and item_id = :item_id',
)
const insertCategories = declareInsert<OfItem, { readonly category_id: number }>({
  name: 'items.insert_categories',
  table: 'item_categories',
  shared: ['item_id'],
  columns: { category_id: 'bigint' },
})
const deleteSuppliers = statement<never, OfItem>(
  'items.delete_suppliers',
  'delete from item_suppliers where company_id = :company_id and item_id = :item_id',
)
const insertSuppliers = declareInsert<OfItem, Item['suppliers'][number]>({
  name: 'items.insert_suppliers',
  table: 'item_suppliers',
  shared: ['item_id'],
  columns: { supplier_id: 'bigint', sku: 'text', price: 'numeric' },
  numbered: 'position',
})
const deleteComponents = statement<never, OfItem>(
  'items.delete_components',
  'delete from components where company_id = :company_id and product_id = :item_id',
)
const insertComponents = declareInsert<{ readonly product_id: number }, Item['components'][number]>({
  name: 'items.insert_components',
  table: 'components',
  shared: ['product_id'],
  columns: { item_id: 'bigint', amount: 'numeric' },
  numbered: 'position',
})

type Coded = Pick<Item, 'sku' | 'alt_skus' | 'barcodes'>

/** The codes as the search reads them: each after a control character, so that no search matches across two codes. */
const joinedCodes = ({ sku, alt_skus, barcodes }: Coded): string =>
  [sku, ...alt_skus, ...barcodes].map((code) => (code === '' ? '' : `\x1f${code}`)).join('')

/** What the search of items reads. */
export const searchKey = (name: string, codes: string): string => foldedText(name + codes)

const columns = (item: Item) => ({
  name: item.name,
  name_key: nameKey(item.name),
  sku: item.sku,
  codes: joinedCodes(item),
  search_key: searchKey(item.name, joinedCodes(item)),
  unit_id: item.unit_id,
  price: item.price,
  tax_rate_id: item.tax_rate_id,
  min_amount: item.min_amount,
  notes: item.notes,
})

type ChildRows = {
  readonly fields: readonly (keyof Item)[]
  readonly remove: (of: OfItem) => Statement
  readonly insert: (of: OfItem, kind: ItemKind, item: Item) => Statement[]
}

/** Child rows of an item, replaced as a whole when one of their fields changes. */
const childRows: readonly ChildRows[] = [
  {
    fields: ['sku', 'alt_skus', 'barcodes'],
    remove: deleteCodes,
    insert: (of, kind, item) =>
      insertCodes(
        of,
        codesOf(kind, item).map((one) => ({ ...one, code_key: foldedText(one.code) })),
      ),
  },
  {
    fields: ['categories'],
    remove: deleteCategories,
    insert: (of, _kind, { categories }) =>
      insertCategories(
        of,
        categories.map((category_id) => ({ category_id })),
      ),
  },
  {
    fields: ['suppliers'],
    remove: deleteSuppliers,
    insert: (of, _kind, { suppliers }) => insertSuppliers(of, suppliers),
  },
  {
    fields: ['components'],
    remove: deleteComponents,
    insert: ({ company_id, item_id }, _kind, { components }) =>
      insertComponents({ company_id, product_id: item_id }, components),
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
  return [insertRow({ ...of, ...columns(item), at, kind }), ...childRows.flatMap((rows) => rows.insert(of, kind, item))]
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
    .flatMap((rows) => [rows.remove(of), ...rows.insert(of, kind, item)])
  return [updateRow({ ...of, ...columns(item), at }), ...replaced]
}

/** Documents keep showing the item; its codes and categories are released. */
export function removeItem(id: number, { context: { companyId }, at }: TransactionContext): Statement[] {
  const of = { company_id: companyId, item_id: id }
  return [removeRow({ ...of, at }), deleteCodes(of), deleteCategories(of)]
}
