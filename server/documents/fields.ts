// Fields that several kinds of documents share, with their schemas and error texts.

import { z } from 'zod'
import { charge, code, isPassed, nameLength, required, storageId, text } from '../kernel/field.ts'
import type { Raw } from '../kernel/json.ts'
import { named } from '../kernel/method.ts'
import { refuse } from '../kernel/refusal.ts'
import { maxLines } from './lines.ts'

export const storages = (raw: Raw) => ({
  productsStorageId: storageId(raw, 'products_storage_id'),
  materialsStorageId: storageId(raw, 'materials_storage_id'),
})

type Storages<Id> = { readonly productsStorageId: Id; readonly materialsStorageId: Id }

/** The values from the request, else those of the document, else those of the settings. */
export const settledStorages = (
  given: Storages<number | undefined>,
  before: Storages<number> | undefined,
  company: { readonly products_storage_id: number; readonly materials_storage_id: number },
): Storages<number> => ({
  productsStorageId: given.productsStorageId ?? before?.productsStorageId ?? company.products_storage_id,
  materialsStorageId: given.materialsStorageId ?? before?.materialsStorageId ?? company.materials_storage_id,
})

export const charges = (raw: Raw) => ({
  deliveryPrice: charge(raw, 'delivery_price'),
  discount: charge(raw, 'discount'),
})

/** `fields` are the request fields of `named`. */
export function refuseUnknownStorages(
  named: readonly (number | undefined)[],
  existing: readonly number[],
  fields: readonly string[] = ['products_storage_id', 'materials_storage_id'],
): void {
  const at = named.findIndex((id) => id !== undefined && !existing.includes(id))
  if (at >= 0) refuse('Storage ID not found', { code: 'storage_not_found', field: fields[at] ?? 'storage_id' })
}

/** An empty number is refused; without a number the document keeps its own or gets the next of the sequence. */
export function optionalNumber(raw: Raw): string | undefined {
  if (isPassed(raw, 'num')) required(raw, 'num')
  return text(raw, 'num', { max: nameLength, trim: true })
}

/** Error texts of a status in a request. */
export const statusRefusals = (settable: readonly number[]) =>
  ['No status in input', `Invalid status value. Must be one of: ${settable.join(', ')}`] as const

/** An optional status: one of the settable ones. An empty string counts as passed and is refused. */
export function statusOf(raw: Raw, settable: readonly number[]): number | undefined {
  if (!isPassed(raw, 'status')) return undefined
  return code(required(raw, 'status'), settable, statusRefusals(settable)[1])
}

export const amountSchema = z.union([z.number(), z.string()])
export const idSchema = z.union([z.int(), z.string()])

export const storagesSchema = {
  products_storage_id: idSchema
    .optional()
    .describe('Storage location of the product lines. Default of add: from the settings.'),
  materials_storage_id: idSchema
    .optional()
    .describe('Storage location of the material lines. Default of add: from the settings.'),
}

export const chargesSchema = {
  delivery_price: amountSchema.optional().describe('Price of delivery, 0 or greater. Default of add: 0.'),
  discount: amountSchema.optional().describe('Discount, 0 or greater. Default of add: 0.'),
}

export const storageRefusals: readonly string[] = ['Storage ID is not set', 'Storage ID not found']
export const dateRefusal = 'Date is not a valid date in format YYYY-MM-DD'
export const chargeRefusals: readonly string[] = [
  'Invalid delivery_price value. Must be a number, 0 or greater',
  'Invalid discount value. Must be a number, 0 or greater',
]

const item = {
  id: idSchema
    .optional()
    .describe(
      'Id of the product or material. `id`, `sku` or `external_id` is required; the first of these that is passed counts.',
    ),
  sku: z.string().optional().describe('SKU; a product is also found by its alternative SKUs.'),
  external_id: z.string().optional().describe('Id of the item in your system, as your API connection has set it.'),
}
const amount = amountSchema.describe('Quantity, above 0, up to 3 decimals.')

export const pricedLineSchema = named(
  'SentPricedLine',
  z.object({
    ...item,
    amount,
    total: amountSchema.describe('Total of the line (not the unit price), up to 2 decimals.'),
  }),
)
export const plainLineSchema = named('SentLine', z.object({ ...item, amount }))
export const countedLineSchema = named(
  'SentCountedLine',
  z.object({
    ...item,
    counted: amountSchema.describe('Counted quantity, 0 or greater.'),
    counted_at: z.string().optional().describe('In an edit, as it was read: the line is then not counted again.'),
    unit_cost: amountSchema
      .nullable()
      .optional()
      .describe(
        'Cost of one unit of a surplus, 0 or greater, up to 6 decimals. In an edit, a line without it keeps the one it had, and null removes it.',
      ),
  }),
)

export const lineArraysSchema = (line: z.ZodObject) => ({
  products: z.array(line).max(maxLines).optional().describe('Product lines.'),
  materials: z.array(line).max(maxLines).optional().describe('Material lines.'),
})
