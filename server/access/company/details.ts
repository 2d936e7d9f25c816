// What a company prints on its documents: its fields, how they are read, and how they are shown. The logo is in overview/company/.

import { z } from 'zod'
import { country } from '../../kernel/country.ts'
import { nameLength, passed, text } from '../../kernel/field.ts'
import type { Raw } from '../../kernel/json.ts'
import { refuse } from '../../kernel/refusal.ts'
import { companyLanguages } from '../first-records.ts'

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

/** How documents are printed; empty: as in the country of the company. */
const choices = { paper_size: ['', 'A4', 'Letter'], document_language: ['', ...companyLanguages] } as const
type ChoiceField = keyof typeof choices

export type CompanyDetails = Readonly<Record<TextField | 'country', string>> & {
  readonly [field in ChoiceField]: (typeof choices)[field][number]
}

const textFields = Object.keys(texts) as readonly TextField[]
const choiceFields = Object.keys(choices) as readonly ChoiceField[]
export const detailFields: readonly (keyof CompanyDetails)[] = [...textFields, 'country', ...choiceFields]

const invalidChoice = (field: ChoiceField): string =>
  `Invalid ${field} value. Must be empty or one of: ${choices[field].filter((one) => one !== '').join(', ')}`
export const choiceRefusals: readonly string[] = choiceFields.map(invalidChoice)

function choice<F extends ChoiceField>(raw: Raw, field: F): string | undefined {
  const value = passed(raw, field)
  if (value === undefined) return undefined
  return choices[field].find((one) => one === value) ?? refuse(invalidChoice(field), { code: 'not_a_choice', field })
}

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
  for (const field of choiceFields) {
    const value = choice(raw, field)
    if (value !== undefined) given[field] = value
  }
  return given as Partial<CompanyDetails>
}

export const detailsSchema = z.object({
  ...(Object.fromEntries(textFields.map((field) => [field, z.string().describe(texts[field])])) as Record<
    TextField,
    z.ZodString
  >),
  country: z.string().describe('Two letters, such as DE; empty without one.'),
  paper_size: z.enum(choices.paper_size).describe('Size of printed documents; empty: that of the country.'),
  document_language: z
    .enum(choices.document_language)
    .describe('Language of printed documents; empty: that of the country, otherwise English.'),
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
  paper_size: 'A4',
  document_language: '',
}
