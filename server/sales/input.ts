// What may be sent about a sale. The order of the checks is the order of the error tables; what the tables do not list comes last.

import { z } from 'zod'
import { customer } from '../contacts/contact.ts'
import {
  type PartyInput,
  partyOnWire,
  readParty,
  refuseEmptyPartyName,
  refuseNoParty,
  refusePartyNameOfOtherType,
} from '../contacts/party.ts'
import type { Money } from '../kernel/decimal.ts'
import {
  array,
  charge,
  clearableDate,
  date,
  flag,
  isPassed,
  nameLength,
  notesLength,
  required,
  requiredId,
  storageId,
  text,
} from '../kernel/field.ts'
import type { Raw } from '../kernel/json.ts'
import type { Input } from '../kernel/method.ts'
import { refuse } from '../kernel/refusal.ts'
import type { Settings } from '../kernel/settings.ts'
import { type LineInput, mostLines, readLines } from '../stock/lines.ts'

export type SaleFields = {
  readonly datePlaced: string | undefined
  readonly dateShipped: string | undefined
  readonly productsStorageId: number | undefined
  readonly materialsStorageId: number | undefined
  readonly production: boolean | undefined
  readonly deliveryPrice: Money | undefined
  readonly discount: Money | undefined
  readonly notes: string | undefined
}

export type AddInput = SaleFields & {
  readonly num: string
  readonly lines: readonly LineInput[]
  readonly customer: PartyInput
}

export type EditInput = SaleFields & {
  readonly orderId: number
  readonly num: string | undefined
  /** Absent when neither `products` nor `materials` is passed: the lines stay. */
  readonly lines: readonly LineInput[] | undefined
  readonly customer: PartyInput | undefined
}

type SentLines = {
  readonly products: readonly unknown[] | undefined
  readonly materials: readonly unknown[] | undefined
}

function sentLines(raw: Raw): SentLines {
  return { products: array(raw, 'products'), materials: array(raw, 'materials') }
}

function refuseLineCount({ products = [], materials = [] }: SentLines): void {
  const count = products.length + materials.length
  if (count === 0) refuse('No products or materials in input')
  if (count > mostLines) refuse(`Too many lines. Must be at most ${mostLines}`)
}

/** An empty array is no line, so it is allowed whatever the setting says. */
export function refuseMaterials(count: number, settings: Settings | undefined): void {
  if (count > 0 && settings?.materials_in_sales === false)
    refuse('Materials in orders are disabled in company settings')
}

const linesOf = ({ products = [], materials = [] }: SentLines): LineInput[] => [
  ...readLines('product', products),
  ...readLines('material', materials),
]

const storages = (raw: Raw) => ({
  productsStorageId: storageId(raw, 'products_storage_id'),
  materialsStorageId: storageId(raw, 'materials_storage_id'),
})

const dates = (raw: Raw) => ({ datePlaced: date(raw, 'date_placed'), dateShipped: clearableDate(raw, 'date_shipped') })

const charges = (raw: Raw) => ({ deliveryPrice: charge(raw, 'delivery_price'), discount: charge(raw, 'discount') })

const productionAndNotes = (raw: Raw) => ({
  production: flag(raw, 'production'),
  notes: text(raw, 'notes', { max: notesLength }),
})

function readAdd(raw: Raw, settings?: Settings): AddInput {
  required(raw, 'num')
  const sent = sentLines(raw)
  refuseLineCount(sent)
  refuseMaterials(sent.materials?.length ?? 0, settings)
  const storage = storages(raw)
  const date = dates(raw)
  const charge = charges(raw)
  const lines = linesOf(sent)
  refuseNoParty(customer, raw)
  refuseEmptyPartyName(customer, raw)
  refusePartyNameOfOtherType(customer, raw)
  const num = text(raw, 'num', { max: nameLength, trim: true }) ?? ''
  const party = readParty(customer, raw) ?? refuse('No customer_name or customer_id in input')
  return { num, lines, customer: party, ...storage, ...date, ...charge, ...productionAndNotes(raw) }
}

function readEdit(raw: Raw, settings?: Settings): EditInput {
  const orderId = requiredId(raw, 'order_id')
  const sent = sentLines(raw)
  const replaces = sent.products !== undefined || sent.materials !== undefined
  if (replaces) refuseLineCount(sent)
  refuseMaterials(sent.materials?.length ?? 0, settings)
  const storage = storages(raw)
  const date = dates(raw)
  const charge = charges(raw)
  refuseEmptyPartyName(customer, raw)
  if (isPassed(raw, 'num')) required(raw, 'num')
  const num = text(raw, 'num', { max: nameLength, trim: true })
  const lines = replaces ? linesOf(sent) : undefined
  refusePartyNameOfOtherType(customer, raw)
  return {
    orderId,
    num,
    lines,
    customer: readParty(customer, raw),
    ...storage,
    ...date,
    ...charge,
    ...productionAndNotes(raw),
  }
}

const amountOnWire = z.union([z.number(), z.string()])
const idOnWire = z.union([z.int(), z.string()])
const dateOnWire = z.string().describe('A day, `YYYY-MM-DD`.')

const lineOnWire = z.object({
  id: idOnWire.optional().describe('Id of the product or material. `id` or `sku` is required.'),
  sku: z.string().optional().describe('SKU; a product is also found by its alternative SKUs.'),
  amount: amountOnWire.describe('Quantity, above 0, up to 3 decimals.'),
  total: amountOnWire.describe('Total of the line (not the price of one), up to 2 decimals.'),
})

const optionalOnWire = {
  ...partyOnWire(customer),
  date_placed: dateOnWire.optional().describe('Day of the sale, `YYYY-MM-DD`. Default of add: today.'),
  date_shipped: z.string().optional().describe('Day of shipping, `YYYY-MM-DD`; an empty string unsets it.'),
  products_storage_id: idOnWire
    .optional()
    .describe('Storage location of the product lines. Default of add: from the settings.'),
  materials_storage_id: idOnWire
    .optional()
    .describe('Storage location of the material lines. Default of add: from the settings.'),
  production: z
    .union([z.literal(0), z.literal(1)])
    .optional()
    .describe('1: fulfil by made-to-order production. Default of add: 0.'),
  delivery_price: amountOnWire.optional().describe('Price of delivery, 0 or greater. Default of add: 0.'),
  discount: amountOnWire.optional().describe('Discount, 0 or greater. Default of add: 0.'),
  notes: z.string().optional().describe('Notes.'),
}

const productLines = z.array(lineOnWire).describe('Product lines.')
const materialLines = z.array(lineOnWire).describe('Material lines; only while materials are allowed in sales.')

export const addInput: Input<AddInput> = {
  wire: z.object({
    num: z.string().describe('Number of the sale, without the prefix.'),
    products: productLines.optional(),
    materials: materialLines.optional(),
    ...optionalOnWire,
  }),
  read: readAdd,
}

export const orderIdOnWire = idOnWire.describe('Id of the sale.')

export const editInput: Input<EditInput> = {
  wire: z.object({
    order_id: orderIdOnWire,
    num: z.string().optional().describe('Number of the sale, without the prefix.'),
    products: productLines.optional(),
    materials: materialLines.optional(),
    ...optionalOnWire,
  }),
  read: readEdit,
}
