// What a company prints on its documents: its fields, how they are read, and how they are shown. The logo is in overview/company/.

import { z } from 'zod'
import { country } from '../../kernel/country.ts'
import { nameLength, text } from '../../kernel/field.ts'
import type { Raw } from '../../kernel/json.ts'

const texts = {
  legal_name: 'Legal name, if it differs from the name.',
  address: 'Address, in lines. At most 1,000 characters.',
  vat_number: 'VAT number.',
  registration: 'Register and number, such as HRB 12345, Amtsgericht Berlin.',
  bank_name: 'Name of the bank.',
  bank_account: 'IBAN, or another number of an account.',
  bank_code: 'BIC, or another code of the bank.',
  email: 'E-mail.',
  phone: 'Telephone.',
} as const

type TextField = keyof typeof texts
export type CompanyDetails = Readonly<Record<TextField | 'country', string>>

const textFields = Object.keys(texts) as readonly TextField[]
export const detailFields: readonly (keyof CompanyDetails)[] = [...textFields, 'country']

const addressLength = 1_000

/** The details that are passed. An empty text removes one. */
export function readDetails(raw: Raw): Partial<CompanyDetails> {
  const given: Partial<Record<keyof CompanyDetails, string>> = {}
  for (const field of textFields) {
    const value = text(raw, field, { max: field === 'address' ? addressLength : nameLength, trim: true })
    if (value !== undefined) given[field] = value
  }
  const code = country(raw)
  if (code !== undefined) given.country = code
  return given
}

export const detailsSchema = z.object({
  ...(Object.fromEntries(textFields.map((field) => [field, z.string().describe(texts[field])])) as Record<
    TextField,
    z.ZodString
  >),
  country: z.string().describe('Two letters, such as DE; empty without one.'),
})

/** SQL with `companies c` in scope. */
export const detailsJson = `json_build_object(${detailFields.map((field) => `'${field}', c.${field}`).join(', ')})`

export const detailsExample: CompanyDetails = {
  legal_name: 'Oak Workshop GmbH',
  address: 'Lindenstraße 5\n10969 Berlin',
  vat_number: 'DE123456789',
  registration: 'HRB 12345, Amtsgericht Berlin',
  bank_name: 'Sparkasse Berlin',
  bank_account: 'DE02120300000000202051',
  bank_code: 'BYLADEM1001',
  email: 'office@oak.example',
  phone: '+49 30 1234567',
  country: 'DE',
}
