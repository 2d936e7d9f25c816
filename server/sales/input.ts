// The input of orders/add and orders/edit. Checks follow the order of the error tables; checks that the tables do not list come last.

import { z } from 'zod'
import { customer } from '../contacts/contact.ts'
import {
  type PartyInput,
  partySchema,
  readParty,
  refuseEmptyPartyName,
  refuseNoParty,
  refusePartyNameOfOtherType,
} from '../contacts/party.ts'
import {
  charges,
  chargesSchema,
  idSchema,
  lineArraysSchema,
  optionalNumber,
  pricedLineSchema,
  storages,
  storagesSchema,
} from '../documents/fields.ts'
import { type LineInput, linesOf, refuseLineCount, replacesLines, sentLines } from '../documents/lines.ts'
import type { Money } from '../kernel/decimal.ts'
import { clearableDate, date, flag, nameLength, notesLength, required, text } from '../kernel/field.ts'
import type { Raw } from '../kernel/json.ts'
import type { Input } from '../kernel/method.ts'
import { refuse } from '../kernel/refusal.ts'
import type { Settings } from '../kernel/settings.ts'
import { externalIdSchema, readExternalId, readVersion, versionSchema } from '../platform/lists/external-ids.ts'
import {
  editedKeySchema,
  type RecordKey,
  readNewExternalId,
  readRecordKey,
  recordKeyRefusals,
  recordKeySchema,
} from '../platform/lists/record-key.ts'

export type SaleFields = {
  readonly datePlaced: string | undefined
  readonly dateShipped: string | undefined
  readonly productsStorageId: number | undefined
  readonly materialsStorageId: number | undefined
  readonly production: boolean | undefined
  readonly deliveryPrice: Money | undefined
  readonly discount: Money | undefined
  readonly notes: string | undefined
  readonly billingAddress: string | undefined
  readonly deliveryAddress: string | undefined
}

export type AddInput = SaleFields & {
  readonly num: string
  readonly lines: readonly LineInput[]
  readonly customer: PartyInput
  readonly externalId: string | undefined
}

export type EditInput = SaleFields &
  RecordKey & {
    readonly num: string | undefined
    /** Absent when neither `products` nor `materials` is passed: the lines are kept. */
    readonly lines: readonly LineInput[] | undefined
    readonly customer: PartyInput | undefined
    readonly externalId: string | undefined
    readonly version: number | undefined
  }

/** An empty array contains no line, so it is allowed regardless of the setting. */
export function refuseMaterials(count: number, settings: Settings | undefined): void {
  if (count > 0 && settings?.materials_in_sales === false)
    refuse('Materials in orders are disabled in company settings', { code: 'materials_disabled', field: 'materials' })
}

const dates = (raw: Raw) => ({ datePlaced: date(raw, 'date_placed'), dateShipped: clearableDate(raw, 'date_shipped') })

const productionAndTexts = (raw: Raw) => ({
  production: flag(raw, 'production'),
  notes: text(raw, 'notes', { max: notesLength }),
  billingAddress: text(raw, 'billing_address', { max: notesLength }),
  deliveryAddress: text(raw, 'delivery_address', { max: notesLength }),
})

function readAdd(raw: Raw, settings?: Settings): AddInput {
  required(raw, 'num')
  const sent = sentLines(raw)
  refuseLineCount(sent)
  refuseMaterials(sent.materials?.length ?? 0, settings)
  const storage = storages(raw)
  const date = dates(raw)
  const charge = charges(raw)
  const lines = linesOf(sent, 'priced')
  refuseNoParty(customer, raw)
  refuseEmptyPartyName(customer, raw)
  refusePartyNameOfOtherType(customer, raw)
  const num = text(raw, 'num', { max: nameLength, trim: true }) ?? ''
  const party =
    readParty(customer, raw) ??
    refuse('No customer_name or customer_id in input', { code: 'required', field: 'customer_id' })
  return {
    num,
    lines,
    customer: party,
    ...storage,
    ...date,
    ...charge,
    ...productionAndTexts(raw),
    externalId: readExternalId(raw),
  }
}

function readEdit(raw: Raw, settings?: Settings): EditInput {
  const key = readSaleKey(raw)
  const sent = sentLines(raw)
  const replaces = replacesLines(sent)
  if (replaces) refuseLineCount(sent)
  refuseMaterials(sent.materials?.length ?? 0, settings)
  const storage = storages(raw)
  const date = dates(raw)
  const charge = charges(raw)
  refuseEmptyPartyName(customer, raw)
  const num = optionalNumber(raw)
  const lines = replaces ? linesOf(sent, 'priced') : undefined
  refusePartyNameOfOtherType(customer, raw)
  return {
    ...key,
    num,
    lines,
    customer: readParty(customer, raw),
    ...storage,
    ...date,
    ...charge,
    ...productionAndTexts(raw),
    externalId: readNewExternalId(raw, key, 'sale'),
    version: readVersion(raw),
  }
}

const optionalSchema = {
  ...partySchema(customer),
  date_placed: z.string().optional().describe('Day of the sale, `YYYY-MM-DD`. Default of add: today.'),
  date_shipped: z.string().optional().describe('Day of shipping, `YYYY-MM-DD`; an empty string unsets it.'),
  ...storagesSchema,
  production: z
    .union([z.literal(0), z.literal(1)])
    .optional()
    .describe('1: fulfil by made-to-order production. Default of add: 0.'),
  ...chargesSchema,
  notes: z.string().optional().describe('Notes.'),
  billing_address: z
    .string()
    .optional()
    .describe('Billing address of this sale. Default: `address_legal` of the customer.'),
  delivery_address: z
    .string()
    .optional()
    .describe('Delivery address of this sale. Default: `address_real` of the customer.'),
}

export const addInput: Input<AddInput> = {
  schema: z.object({
    num: z.string().describe('Number of the sale, without the prefix.'),
    ...lineArraysSchema(pricedLineSchema),
    ...optionalSchema,
    ...externalIdSchema,
  }),
  read: readAdd,
}

export const saleIdSchema = idSchema.describe('Id of the sale.')

/** How a write names its sale. */
export const saleKeySchema = recordKeySchema('order_id', saleIdSchema, 'sale')
export const readSaleKey = (raw: Raw): RecordKey => readRecordKey(raw, 'order_id', 'sale')
export const saleKeyRefusals = recordKeyRefusals('sale')

export const editInput: Input<EditInput> = {
  schema: z.object({
    ...editedKeySchema('order_id', saleIdSchema, 'sale'),
    num: z.string().optional().describe('Number of the sale, without the prefix.'),
    ...lineArraysSchema(pricedLineSchema),
    ...optionalSchema,
    ...versionSchema,
  }),
  read: readEdit,
}
