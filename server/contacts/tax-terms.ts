// Whether a customer is charged tax, and why not. Sales copy it.

import { z } from 'zod'
import { nameLength, passed, text } from '../kernel/field.ts'
import type { Raw } from '../kernel/json.ts'
import { refuse } from '../kernel/refusal.ts'
import { type Fields, field, textField } from '../platform/lists/record-fields.ts'
import { text as jsonText } from '../platform/postgres/json-sql.ts'

/** Empty: tax is charged. */
export const taxTreatments = ['', 'exempt', 'reverse_charge'] as const
export type TaxTreatment = (typeof taxTreatments)[number]

export type TaxTerms = { readonly tax_treatment: TaxTreatment; readonly tax_reason: string }
export const taxFields = ['tax_treatment', 'tax_reason'] as const satisfies readonly (keyof TaxTerms)[]

export const wholeTaxTerms = ({ tax_treatment, tax_reason }: Partial<TaxTerms>): TaxTerms => ({
  tax_treatment: tax_treatment ?? '',
  tax_reason: tax_reason ?? '',
})

const invalidTreatment = 'Invalid tax_treatment value. Must be empty or one of: exempt, reverse_charge'
export const taxRefusals: readonly string[] = [invalidTreatment]

function treatment(raw: Raw): TaxTreatment | undefined {
  const value = passed(raw, 'tax_treatment')
  if (value === undefined) return undefined
  return (
    taxTreatments.find((one) => one === value) ??
    refuse(invalidTreatment, { code: 'not_a_choice', field: 'tax_treatment' })
  )
}

/** Those that are passed. */
export function readTaxTerms(raw: Raw): Partial<TaxTerms> {
  const given = { tax_treatment: treatment(raw), tax_reason: text(raw, 'tax_reason', { max: nameLength, trim: true }) }
  return Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined))
}

const meanings = {
  tax_treatment:
    'Empty: sales to the customer are taxed. `exempt`: they are not. `reverse_charge`: the customer owes the tax.',
  tax_reason: 'Why no tax is charged, as documents show it: the legal basis.',
} as const

export const taxSchema = {
  tax_treatment: z.enum(taxTreatments).optional().describe(meanings.tax_treatment),
  tax_reason: z.string().optional().describe(meanings.tax_reason),
}

export const taxRecordFields: Fields = {
  tax_treatment: field(
    jsonText('r.tax_treatment'),
    z.enum(taxTreatments).describe(meanings.tax_treatment),
    'reverse_charge',
  ),
  tax_reason: textField('r.tax_reason', meanings.tax_reason, 'Article 196 of Directive 2006/112/EC'),
}
