// Finds the field that an error text of the server speaks of, so that the words stand where the mistake is.

/** Texts that do not carry their field's name as it is on the wire. */
const spoken: readonly (readonly [pattern: RegExp, fields: readonly string[]])[] = [
  [/\bname must\b|with this name already exists/i, ['name', 'customer_name', 'supplier_name', 'company']],
  [/^SKU "/, ['sku', 'alt_skus']],
  [/^Barcode "/, ['barcodes']],
  [/^Customer not found|^No customer_name or customer_id/, ['customer_id', 'customer_name']],
  [/^Supplier not found|^No supplier_name or supplier_id/, ['supplier_id', 'supplier_name']],
  [/^Unit not found/, ['unit_id']],
  [/^Category not found/, ['categories', 'category_id', 'parent_id']],
  [/^Storages must be different/, ['storage_to_id']],
  [/^Storage/, ['storage_id', 'products_storage_id', 'storage_from_id', 'materials_storage_id']],
  [/^Date is not/, ['date', 'date_placed', 'date_shipped', 'date_received', 'date_planned', 'date_done']],
  [/^Component|component/, ['components']],
  [/e-?mail/i, ['email']],
  [/password/i, ['new_password', 'password']],
  [/time ?zone/i, ['timezone']],
  [/token|invitation/i, ['token']],
]

/** The field among `fields` that the text is about; undefined when it is about none of them. */
export function fieldOf(error: string, fields: readonly string[]): string | undefined {
  const named = /^No (\w+) in input|^Invalid (\w+) value|^(\w+) is not an? /.exec(error)
  const name = (named?.[1] ?? named?.[2] ?? named?.[3])?.toLowerCase()
  if (name !== undefined && fields.includes(name)) return name
  for (const [pattern, candidates] of spoken) {
    const field = pattern.test(error) ? candidates.find((candidate) => fields.includes(candidate)) : undefined
    if (field !== undefined) return field
  }
  return undefined
}

type LineName = { readonly id: number; readonly sku: string }

/** The line of a document that the text is about, by its position; -1 when it is about none. */
export function lineOf(error: string, lines: readonly LineName[]): number {
  const sku = /SKU "([^"]*)"/.exec(error)?.[1]
  if (sku !== undefined) return lines.findIndex((line) => line.sku === sku)
  const id = / id (\d+)/.exec(error)?.[1]
  return id === undefined ? -1 : lines.findIndex((line) => line.id === Number(id))
}
