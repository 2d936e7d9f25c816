// Rows of a file as the fields that the server reads: numbers with a point, lists as lists, components as SKU and quantity. What cannot be read is sent as it is
// written, and refused by the server's own rules.

import { type DecimalMark, plainNumber } from './decimal-mark.ts'
import { type Choice, type FieldName, fieldsOf, type Mapping } from './fields.ts'
import type { Line } from './refusal.ts'

export type Component = { readonly type?: string; readonly sku: string; readonly amount: string }
export type RowFields = { readonly [field: string]: string | readonly string[] | readonly object[] }
export type ImportRow = { readonly line: number; readonly fields: RowFields }

type Cells = ReadonlyMap<FieldName, string>

const numberOr = (cell: string, mark: DecimalMark): string => plainNumber(cell, mark) ?? cell

const partsOf = (cell: string, separators: RegExp): string[] => cell.split(separators).map((part) => part.trim())
const names = (cell: string): string[] => partsOf(cell, /[;\n|]/)
/** Codes contain no commas. */
const codes = (cell: string): string[] => partsOf(cell, /[;,\n|]/).filter((code) => code !== '')

/** The words for kinds of items in files, in the languages of the screens and in French. */
const types: Readonly<Record<string, string>> = Object.fromEntries(
  Object.entries({
    product: 'product products produkt produkte produit товар продукт изделие p',
    material: 'material materials rohstoff materiau matiere материал сырье m',
    resource: 'resource resources ressource ressourcen ресурс r',
  }).flatMap(([type, words]) => words.split(' ').map((word) => [word, type])),
)

export const typeOf = (cell: string): string => types[cell.trim().toLowerCase()] ?? cell

/** `LEG x 4; product: TOP × 1.5`: the SKU, then the quantity. Without a quantity it is 1. */
export function readComponents(cell: string, mark: DecimalMark): Component[] {
  return partsOf(cell, /[;\n]/)
    .filter((part) => part !== '')
    .map((part) => {
      const [, prefix, rest = part] = /^(\p{L}+)\s*:\s*(.+)$/su.exec(part) ?? []
      const type = prefix === undefined ? undefined : types[prefix.toLowerCase()]
      const named = type === undefined ? part : rest
      const [, sku = named, amount = '1'] = /^(.*\S)\s*(?:[×*]|\s[xх])\s*([\d.,\s]+)$/su.exec(named) ?? []
      return { ...(type === undefined ? {} : { type }), sku, amount: componentAmount(amount, mark) }
    })
}

/** A single mark is the decimal one here: nobody uses thousands of a component in groups. */
const componentAmount = (amount: string, mark: DecimalMark): string =>
  (/[.,].*[.,]/s.test(amount) ? plainNumber(amount, mark) : plainNumber(amount.replace(',', '.'), '.')) ?? amount

export const componentsText = (components: readonly Component[]): string =>
  components.map(({ type, sku, amount }) => `${type === undefined ? '' : `${type}: `}${sku} × ${amount}`).join('; ')

/** Empty cells are left out: what they stand for stays as it is. */
function fieldsFrom(choice: Choice, cells: Cells, mark: DecimalMark): RowFields {
  const fields: Record<string, RowFields[string]> = {}
  for (const { name, reading } of fieldsOf[choice]) {
    const cell = cells.get(name) ?? ''
    if (cell === '' || name === 'supplier_skus' || name === 'supplier_prices') continue
    if (name === 'suppliers') fields[name] = suppliersFrom(cells, mark)
    else if (name === 'type' || name === 'component_type') fields[name] = typeOf(cell)
    else if (reading === 'components') fields[name] = readComponents(cell, mark)
    else if (reading === 'number') fields[name] = numberOr(cell, mark)
    else if (reading === 'names') fields[name] = names(cell).filter((one) => one !== '')
    else fields[name] = reading === 'codes' ? codes(cell) : cell
  }
  return fields
}

/** Suppliers, their SKUs and their prices are in three columns, in the same order. */
function suppliersFrom(cells: Cells, mark: DecimalMark): object[] {
  const [skus, prices] = [names(cells.get('supplier_skus') ?? ''), names(cells.get('supplier_prices') ?? '')]
  return names(cells.get('suppliers') ?? '').flatMap((name, at) => {
    const [sku = '', price = ''] = [skus[at], prices[at]]
    if (name === '') return []
    return [{ name, ...(sku === '' ? {} : { sku }), ...(price === '' ? {} : { price: numberOr(price, mark) }) }]
  })
}

/** The rows in the order in which they are written. */
export function rowsFrom(choice: Choice, lines: readonly Line[], mapping: Mapping, mark: DecimalMark): ImportRow[] {
  const rows = lines.flatMap(({ line, cells }): ImportRow[] => {
    const named: Cells = new Map(mapping.flatMap((name, at) => (name === undefined ? [] : [[name, cells[at] ?? '']])))
    const fields = fieldsFrom(choice, named, mark)
    return Object.keys(fields).length === 0 ? [] : [{ line, fields }]
  })
  if (choice === 'components') return inOrder(grouped(rows))
  return choice === 'products' ? inOrder(rows) : rows
}

const keyOf = (sku: unknown): string => String(sku ?? '').toLowerCase()

/** Lines of one component each become a row for each product. */
function grouped(rows: readonly ImportRow[]): ImportRow[] {
  const products = Map.groupBy(rows, ({ fields }) => keyOf(fields['sku']))
  return [...products.values()].map((group) => {
    const { line, fields } = group[0] as ImportRow
    const components = group.map(({ fields: own }) => ({
      ...(own['component_type'] === undefined ? {} : { type: own['component_type'] }),
      sku: String(own['component_sku'] ?? ''),
      amount: String(own['component_amount'] ?? ''),
    }))
    return { line, fields: { ...(fields['sku'] === undefined ? {} : { sku: fields['sku'] }), components } }
  })
}

/** Products after those of the file that they are made of. */
function inOrder(rows: readonly ImportRow[]): ImportRow[] {
  const bySku = new Map(rows.map((row) => [keyOf(row.fields['sku']), row]))
  const [ordered, begun] = [new Set<ImportRow>(), new Set<ImportRow>()]
  // With a stack of its own: chains of components may be as long as the file.
  for (const first of rows) {
    const stack = [first]
    while (stack.length > 0) {
      const row = stack.at(-1) as ImportRow
      const parts = (row.fields['components'] ?? []) as readonly Component[]
      const before = parts.flatMap(({ sku }) => bySku.get(keyOf(sku)) ?? []).filter((part) => !begun.has(part))
      const isNew = !begun.has(row)
      begun.add(row)
      if (isNew && before.length > 0) stack.push(...before.filter((part) => part !== row))
      else {
        ordered.add(row)
        stack.pop()
      }
    }
  }
  return [...ordered]
}
