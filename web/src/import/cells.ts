// The fields of a row as the cells of a table, and back: to correct a cell, and to download rows as a file.

import type { DecimalMark } from './decimal-mark.ts'
import type { Choice, FieldName } from './fields.ts'
import { type Component, componentsText, type RowFields, rowsFrom } from './rows.ts'

export type { FieldName }

type Supplier = { readonly name: string; readonly sku?: string; readonly price?: string }
type Fields = Readonly<Record<string, unknown>>

const suppliersOf = (fields: Fields): readonly Supplier[] => (fields['suppliers'] ?? []) as readonly Supplier[]

/** Numbers are written with a point. */
export function cellText(fields: Fields, name: FieldName): string {
  if (name === 'suppliers')
    return suppliersOf(fields)
      .map((one) => one.name)
      .join('; ')
  if (name === 'supplier_skus') return trimmedList(suppliersOf(fields).map((one) => one.sku ?? ''))
  if (name === 'supplier_prices') return trimmedList(suppliersOf(fields).map((one) => one.price ?? ''))
  const value = fields[name]
  if (name === 'components') return componentsText((value ?? []) as readonly Component[])
  return Array.isArray(value) ? value.join('; ') : value === undefined || value === null ? '' : String(value)
}

/** Empty places count only before others. */
const trimmedList = (texts: readonly string[]): string => texts.join('; ').replace(/(?:;\s*)+$/, '')

/** Columns that are read together. */
const together: readonly FieldName[] = ['suppliers', 'supplier_skus', 'supplier_prices']

/** The fields with another text in a cell. A cell that was emptied is left out. */
export function withCell(choice: Choice, fields: Fields, name: FieldName, text: string, mark: DecimalMark): RowFields {
  const columns = together.includes(name) ? together : [name]
  const cells = columns.map((column) => {
    if (column === name) return text.trim()
    // Prices that were read are written with a point.
    return column === 'supplier_prices' ? cellText(fields, column).replaceAll('.', mark) : cellText(fields, column)
  })
  const [row] = rowsFrom(choice, [{ line: 1, cells }], columns, mark)
  const field = together.includes(name) ? 'suppliers' : name
  const { [field]: _before, ...others } = fields
  const own = row?.fields[field]
  return (own === undefined ? others : { ...others, [field]: own }) as RowFields
}
