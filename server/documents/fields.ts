// Fields that several kinds of documents have, read and documented once.

import { z } from 'zod'
import { charge, isPassed, nameLength, required, storageId, text } from '../kernel/field.ts'
import type { Raw } from '../kernel/json.ts'
import { refuse } from '../kernel/refusal.ts'

export const storages = (raw: Raw) => ({
  productsStorageId: storageId(raw, 'products_storage_id'),
  materialsStorageId: storageId(raw, 'materials_storage_id'),
})

type Storages<Id> = { readonly productsStorageId: Id; readonly materialsStorageId: Id }

/** Those that were given, else those that the document has, else those of the settings. */
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

export function refuseUnknownStorages(named: readonly (number | undefined)[], living: readonly number[]): void {
  if (named.some((id) => id !== undefined && !living.includes(id))) refuse('Storage ID not found')
}

/** An empty number is refused where it is passed; where none is passed, the document keeps or gets its own. */
export function optionalNumber(raw: Raw): string | undefined {
  if (isPassed(raw, 'num')) required(raw, 'num')
  return text(raw, 'num', { max: nameLength, trim: true })
}

export const amountOnWire = z.union([z.number(), z.string()])
export const idOnWire = z.union([z.int(), z.string()])

export const storagesOnWire = {
  products_storage_id: idOnWire
    .optional()
    .describe('Storage location of the product lines. Default of add: from the settings.'),
  materials_storage_id: idOnWire
    .optional()
    .describe('Storage location of the material lines. Default of add: from the settings.'),
}

export const chargesOnWire = {
  delivery_price: amountOnWire.optional().describe('Price of delivery, 0 or greater. Default of add: 0.'),
  discount: amountOnWire.optional().describe('Discount, 0 or greater. Default of add: 0.'),
}

export const storageRefusals: readonly string[] = ['Storage ID is not set', 'Storage ID not found']
export const dateRefusal = 'Date is not a valid date in format YYYY-MM-DD'
export const chargeRefusals: readonly string[] = [
  'Invalid delivery_price value. Must be a number, 0 or greater',
  'Invalid discount value. Must be a number, 0 or greater',
]

const item = {
  id: idOnWire.optional().describe('Id of the product or material. `id` or `sku` is required.'),
  sku: z.string().optional().describe('SKU; a product is also found by its alternative SKUs.'),
}
const amount = amountOnWire.describe('Quantity, above 0, up to 3 decimals.')

export const pricedLineOnWire = z.object({
  ...item,
  amount,
  total: amountOnWire.describe('Total of the line (not the price of one), up to 2 decimals.'),
})
export const plainLineOnWire = z.object({ ...item, amount })
export const countedLineOnWire = z.object({
  ...item,
  counted: amountOnWire.describe('What was counted, 0 or greater.'),
})

export const lineArraysOnWire = (line: z.ZodObject) => ({
  products: z.array(line).optional().describe('Product lines.'),
  materials: z.array(line).optional().describe('Material lines.'),
})
