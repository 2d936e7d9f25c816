// The rows of an import as the screens send them: the fields of a record as texts, with names in place of ids. Numbers stay texts, which the methods read.

import { z } from 'zod'
import { contactFields, fieldMeaning } from '../../contacts/contact.ts'
import { tradeFields, tradeSchema } from '../../contacts/trade-details.ts'
import { array, integer, isObject, nameLength, notesLength, passed, textValue, tooMany } from '../../kernel/field.ts'
import { foldedText } from '../../kernel/folded-text.ts'
import type { Raw } from '../../kernel/json.ts'
import { refuse } from '../../kernel/refusal.ts'

export const importKinds = ['products', 'materials', 'customers', 'suppliers', 'stock'] as const
export type ImportKind = (typeof importKinds)[number]

/** The most rows of a request, and of an import. */
export const maxRowsAtOnce = 500
export const maxRows = 20_000
const maxTexts = 100
const maxComponents = 1_000

export type NamedSupplier = { readonly name: string; readonly sku?: string; readonly price?: string }
export type ComponentRow = { readonly type?: string; readonly sku: string; readonly amount: string }

/** The fields of a row that are passed, each of the type that its reader returns. */
export type RowFields = Readonly<Record<string, unknown>> & {
  readonly name?: string
  readonly sku?: string
  readonly unit?: string
  readonly categories?: readonly string[]
  readonly suppliers?: readonly NamedSupplier[]
  readonly components?: readonly ComponentRow[]
  readonly type?: string
  readonly counted?: string
  readonly unit_cost?: string
}

export type ImportRow = { readonly position: number; readonly line: number; readonly fields: RowFields }

type Reader = (raw: Raw, field: string) => unknown

const oneText: Reader = (raw, field) => {
  const value = passed(raw, field)
  return value === undefined ? undefined : textValue(value, field, { max: notesLength, trim: field !== 'notes' })
}

const texts: Reader = (raw, field) =>
  array(raw, field, maxTexts)
    ?.map((value) => textValue(value, field, { max: nameLength, trim: true }))
    .filter((value) => value !== '')

const objectsOf =
  (max: number, fields: readonly string[], needed: string): Reader =>
  (raw, field) =>
    array(raw, field, max)?.map((value) => {
      if (!isObject(value)) refuse(`${field} of a row must be objects`, { code: 'malformed', field })
      const read = fields.map((name) => [name, oneText(value, name) ?? (name === needed ? '' : undefined)])
      return Object.fromEntries(read.filter(([, text]) => text !== undefined))
    })

const ofItems: Readonly<Record<string, Reader>> = {
  name: oneText,
  sku: oneText,
  alt_skus: texts,
  barcodes: texts,
  unit: oneText,
  price: oneText,
  min_amount: oneText,
  categories: texts,
  suppliers: objectsOf(maxTexts, ['name', 'sku', 'price'], 'name'),
  components: objectsOf(maxComponents, ['type', 'sku', 'amount'], 'sku'),
  notes: oneText,
}
const ofContacts: Readonly<Record<string, Reader>> = {
  name: oneText,
  ...Object.fromEntries([...contactFields, ...tradeFields].map((field) => [field, oneText])),
}

const readers: Readonly<Record<string, Reader>> = {
  ...ofItems,
  ...ofContacts,
  type: oneText,
  counted: oneText,
  unit_cost: oneText,
}

const fieldsOf: Readonly<Record<ImportKind, readonly string[]>> = {
  products: Object.keys(ofItems),
  materials: Object.keys(ofItems),
  customers: Object.keys(ofContacts),
  suppliers: Object.keys(ofContacts),
  stock: ['sku', 'type', 'counted', 'unit_cost'],
}

const textSchema = (meaning: string) => z.string().optional().describe(meaning)
const textsSchema = (meaning: string) => z.array(z.string()).max(maxTexts).optional().describe(meaning)

export const fieldsSchema = z.object({
  name: textSchema('Name.'),
  sku: textSchema('SKU.'),
  alt_skus: textsSchema('Alternative SKUs.'),
  barcodes: textsSchema('Barcodes.'),
  unit: textSchema('Name of the unit of measure.'),
  price: textSchema('Price.'),
  min_amount: textSchema('The item is low when less is on hand.'),
  categories: textsSchema('Names of categories; replaced as a whole.'),
  suppliers: z
    .array(
      z.object({
        name: z.string().describe('Name of the supplier.'),
        sku: textSchema("The supplier's own SKU."),
        price: textSchema("The supplier's price."),
      }),
    )
    .max(maxTexts)
    .optional()
    .describe('Suppliers; replaced as a whole.'),
  components: z
    .array(
      z.object({
        type: textSchema('Type of the component: product, material or resource.'),
        sku: z.string().describe('SKU of the component; the name of a resource.'),
        amount: textSchema('Quantity for one product.'),
      }),
    )
    .max(maxComponents)
    .optional()
    .describe('Components of one product; replaced as a whole.'),
  notes: textSchema('Notes.'),
  ...Object.fromEntries(
    contactFields.filter((field) => field !== 'notes').map((field) => [field, textSchema(fieldMeaning[field])]),
  ),
  ...Object.fromEntries(tradeFields.map((field) => [field, textSchema(tradeSchema[field].description ?? field)])),
  type: textSchema('Type of the counted item, when a product and a material have its SKU: product or material.'),
  counted: textSchema('Counted quantity.'),
  unit_cost: textSchema('What one costs, if more is counted than is on hand.'),
})

export const rowRefusals: readonly string[] = [
  'No rows in input',
  'Rows is not an array',
  tooMany('rows', maxRowsAtOnce),
  'Row <n> must have a line and fields',
  ...['alt_skus', 'barcodes', 'categories', 'suppliers'].map((field) => tooMany(field, maxTexts)),
  tooMany('components', maxComponents),
  ...['Alt_skus', 'Barcodes', 'Categories', 'Suppliers', 'Components'].map((field) => `${field} is not an array`),
  '<field> of a row must be objects',
]

/** Fields that the kind does not have are left out. */
export function readFields(kind: ImportKind, raw: Raw): RowFields {
  const read = Object.entries(readers).map(([field, reader]) => [field, reader(raw, field)] as const)
  return Object.fromEntries(read.filter(([field, value]) => value !== undefined && fieldsOf[kind].includes(field)))
}

export function readRows(kind: ImportKind, sent: readonly unknown[], from: number): ImportRow[] {
  return sent.map((value, at) => {
    const fields = isObject(value) ? passed(value, 'fields') : undefined
    const line = isObject(value) ? integer(passed(value, 'line')) : undefined
    if (!isObject(fields) || line === undefined || line < 1 || line > 10_000_000)
      refuse(`Row ${at} must have a line and fields`, { code: 'malformed', field: 'rows', line: at })
    return { position: from + at, line, fields: readFields(kind, fields) }
  })
}

/** What rows of the same record have in common; empty when nothing says so. */
export const keyOf = (kind: ImportKind, { sku, name, type }: RowFields): string =>
  kind === 'customers' || kind === 'suppliers'
    ? foldedText(name ?? '').slice(0, 512)
    : `${kind === 'stock' && (sku ?? '') !== '' ? `${type ?? ''} ` : ''}${foldedText(sku ?? '').slice(0, 512)}`
