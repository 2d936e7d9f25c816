// What documents need to know of a customer or supplier besides the contact data: country, VAT number and payment terms. Documents do not show them as
// fields of their own, and a document that creates a contact sets none of them.

import { z } from 'zod'
import { country, invalidCountry } from '../kernel/country.ts'
import { integer, isBlank, nameLength, passed, text } from '../kernel/field.ts'
import type { Raw } from '../kernel/json.ts'
import { refuse } from '../kernel/refusal.ts'
import { type Fields, nullableInteger, textField } from '../platform/lists/record-fields.ts'

export type TradeDetails = {
  readonly country: string
  readonly vat_number: string
  /** Days until an invoice is due; null when nothing was agreed. */
  readonly payment_days: number | null
}
export const tradeFields = ['country', 'vat_number', 'payment_days'] as const satisfies readonly (keyof TradeDetails)[]

const noTradeDetails: TradeDetails = { country: '', vat_number: '', payment_days: null }

export const wholeTradeDetails = ({
  country: code,
  vat_number,
  payment_days,
}: Partial<TradeDetails> = noTradeDetails): TradeDetails => ({
  country: code ?? '',
  vat_number: vat_number ?? '',
  payment_days: payment_days ?? null,
})

const maxDays = 3650
const invalidDays = `Invalid payment_days value. Must be between 0 and ${maxDays}`

export const tradeRefusals: readonly string[] = [invalidCountry, invalidDays]

/** The empty string unsets the days. */
function paymentDays(raw: Raw): number | null | undefined {
  const value = passed(raw, 'payment_days')
  if (value === undefined) return undefined
  if (isBlank(value)) return null
  const days = integer(value)
  return days !== undefined && days >= 0 && days <= maxDays
    ? days
    : refuse(invalidDays, { code: 'out_of_range', field: 'payment_days' })
}

/** Those that are passed. */
export function readTradeDetails(raw: Raw): Partial<TradeDetails> {
  const given = {
    country: country(raw),
    vat_number: text(raw, 'vat_number', { max: nameLength, trim: true }),
    payment_days: paymentDays(raw),
  }
  return Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined))
}

const meanings = {
  country: 'Country of the legal address: two letters by ISO 3166-1, such as DE; empty when unset.',
  vat_number: 'VAT number.',
  payment_days: 'Days until an invoice is due',
} as const

export const tradeSchema = {
  country: z.string().optional().describe(meanings.country),
  vat_number: z.string().optional().describe(meanings.vat_number),
  payment_days: z
    .union([z.int(), z.string()])
    .optional()
    .describe(`${meanings.payment_days}, 0 to ${maxDays}; an empty string unsets it.`),
}

export const tradeRecordFields: Fields = {
  country: textField('r.country', meanings.country, 'DE'),
  vat_number: textField('r.vat_number', meanings.vat_number, 'DE123456789'),
  payment_days: nullableInteger('r.payment_days', `${meanings.payment_days}; null when unset.`, 14),
}
