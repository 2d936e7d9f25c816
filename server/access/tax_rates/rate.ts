// A tax rate of the company: its fields, how they are read, the facts about it, and what becomes of the default rate.

import { z } from 'zod'
import type { RequestContext } from '../../kernel/clock.ts'
import { formatDecimal } from '../../kernel/decimal.ts'
import { flag, nameLength, notBelowZero, passed, requiredId, text, textRefusals } from '../../kernel/field.ts'
import type { Raw } from '../../kernel/json.ts'
import { refuse } from '../../kernel/refusal.ts'
import { type Statement, statement } from '../../kernel/statement.ts'
import { maxPercent, percentPlaces } from '../../kernel/tax.ts'

/** The percentage as a decimal number. */
export type Rate = {
  readonly name: string
  readonly percent: string
  readonly is_default: boolean
  readonly is_archived: boolean
}
export type RateInput = Partial<Rate>

/** Each sale reads all of them. */
export const maxRates = 50

const invalidPercent = `Invalid percent value. Must be between 0 and ${formatDecimal(maxPercent, percentPlaces)}`
const noName = 'No name in input'
export const noPercent = 'No percent in input'
export const noSuchRate = 'Tax rate not found or access denied'
export const otherDefaultFirst = 'Make another tax rate the default first'
export const archivedDefault = 'An archived tax rate cannot be the default'
export const rateRefusals: readonly string[] = [
  noName,
  invalidPercent,
  'Invalid <field> value. Must be one of: 0, 1',
  ...textRefusals,
]

function percent(raw: Raw): string | undefined {
  const value = passed(raw, 'percent')
  if (value === undefined) return undefined
  const number =
    notBelowZero(value, percentPlaces, maxPercent) ??
    refuse(invalidPercent, { code: 'out_of_range', field: 'percent', value: 100 })
  return formatDecimal(number, percentPlaces)
}

const passedOf = (given: { readonly [F in keyof Rate]?: Rate[F] | undefined }): RateInput =>
  Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined))

/** The fields that are passed, of those that a new rate has. */
export function readRate(raw: Raw): RateInput {
  const name = text(raw, 'name', { max: nameLength, trim: true })
  if (name === '') refuse(noName, { code: 'required', field: 'name' })
  return passedOf({ name, percent: percent(raw), is_default: flag(raw, 'is_default') })
}

/** The fields that are passed. */
export const readChangedRate = (raw: Raw): RateInput => ({
  ...readRate(raw),
  ...passedOf({ is_archived: flag(raw, 'is_archived') }),
})

const bit = z.union([z.literal(0), z.literal(1)])
export const rateSchema = {
  name: z.string().describe('Name, as documents show it, such as VAT.'),
  percent: z.union([z.number(), z.string()]).describe('Percentage, from 0 to 100, up to 3 decimals.'),
  is_default: bit
    .optional()
    .describe(
      '1 makes it the rate of items that have none of their own; 0 changes nothing. The first rate becomes it.',
    ),
}
export const archivedSchema = {
  is_archived: bit.optional().describe('1: it is not offered any more; items that have it keep it.'),
}

export const rateIdSchema = z.union([z.int(), z.string()]).describe('Id of the tax rate.')
export const readRateId = (raw: Raw): number => requiredId(raw, 'tax_rate_id')

export type RateFacts = {
  readonly record: Rate | null
  readonly rates: number
  readonly default_id: number | null
  /** Whether there is another one that is not archived. */
  readonly has_others: boolean
  readonly is_used: boolean
}

const facts = statement<RateFacts, { company_id: number; tax_rate_id: number }>(
  'tax_rates.facts',
  `select (
     select json_build_object('name', t.name, 'percent', trim_scale(t.percent)::text, 'is_archived', t.is_archived,
       'is_default', c.default_tax_rate_id is not distinct from t.id)
     from tax_rates t where t.company_id = :company_id and t.id = :tax_rate_id) as record,
     (select count(*) from tax_rates t where t.company_id = :company_id) as rates,
     c.default_tax_rate_id as default_id,
     exists (select from tax_rates t where t.company_id = :company_id and t.id <> :tax_rate_id and not t.is_archived) as has_others,
     exists (select from items i where i.company_id = :company_id and i.tax_rate_id = :tax_rate_id) as is_used
   from companies c where c.company_id = :company_id`,
)
/** An id that no rate has, for a new one. */
export const factsOfRate = ({ id }: { readonly id: number }, { companyId }: RequestContext): Statement<RateFacts> =>
  facts({ company_id: companyId, tax_rate_id: id })

export const loadRate = ({ record }: RateFacts): Rate => record ?? refuse(noSuchRate, { code: 'record_not_found' })

const changeDefault = statement<never, { company_id: number; default_tax_rate_id: number | null }>(
  'tax_rates.set_default',
  'update companies set default_tax_rate_id = :default_tax_rate_id where company_id = :company_id',
)

/** `before` and `after` are the default rate of the company. */
export const setDefault = (companyId: number, before: number | null, after: number | null): Statement[] =>
  before === after ? [] : [changeDefault({ company_id: companyId, default_tax_rate_id: after })]

/** The last rate that is in use may go: then the company charges no tax. */
export function refuseWithoutDefault({ is_default: isDefault }: Rate, { has_others: hasOthers }: RateFacts): void {
  if (isDefault && hasOthers) refuse(otherDefaultFirst, { code: 'in_use', field: 'is_default' })
}
