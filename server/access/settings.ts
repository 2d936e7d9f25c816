// A company's settings as every section reads them: an SQL fragment for the facts of a request, and a statement for the settings alone.

import { z } from 'zod'
import type { CompanyFacts, Settings } from '../kernel/settings.ts'
import { statement } from '../kernel/statement.ts'

export const settingColumns = [
  'timezone',
  'default_sale_status',
  'materials_in_sales',
  'products_storage_id',
  'materials_storage_id',
  'default_fulfillment',
  'show_payment_status',
  'daily_limit',
] as const

/** SQL on companies `c`: how it charges tax. */
export const companyTax = `case when c.default_tax_rate_id is not null then json_build_object('included', c.prices_include_tax, 'default_id', c.default_tax_rate_id,
      'rates', (select json_agg(json_build_array(t.id, t.name, trim_scale(t.percent)::text)) from tax_rates t where t.company_id = :company_id)) end`

/** A subselect for the facts statement of a section. */
export const companyFacts = `(
  select json_build_object(
    ${settingColumns.map((name) => `'${name}', c.${name}`).join(', ')},
    'today', to_char(now() at time zone c.timezone, 'YYYY-MM-DD'),
    'number_prefix', coalesce((select k.number_prefix from api_connections k where k.company_id = :company_id and k.id = :connection_id::bigint), ''),
    'tax', ${companyTax}
  ) from companies c where c.company_id = :company_id
)`

/** The values of the parameters of `companyFacts`. */
export type CompanyFactsValues = { readonly company_id: number; readonly connection_id: number | null }

export type { CompanyFacts }

/** The settings that the screens show and change; SQL with `companies c` in scope. The daily limit is read-only. */
export type ShownSettings = Settings & {
  readonly name: string
  readonly currency: string
  readonly first_sale_number: string
  readonly prices_include_tax: boolean
  readonly default_tax_rate_id: number | null
  readonly requires_second_factor: boolean
}
export const shownSettings = [
  'name',
  'currency',
  'first_sale_number',
  ...settingColumns,
  'requires_second_factor',
  'prices_include_tax',
  'default_tax_rate_id',
] as const
export const settingsJson = `json_build_object(${shownSettings.map((name) => `'${name}', c.${name}`).join(', ')})`
export const settingsSchema = z.object({
  name: z.string(),
  currency: z.string().describe('Three letters, such as EUR.'),
  first_sale_number: z
    .string()
    .describe(
      'First number of the series that the screens propose for sales, such as 2026-0001. Empty: they continue the latest series.',
    ),
  timezone: z.string().describe('Time zone of the company, such as Europe/Berlin.'),
  default_sale_status: z.int().describe('Status of new sales: 0, 1, 3 or 4.'),
  materials_in_sales: z.boolean().describe('Whether materials may be sold.'),
  products_storage_id: z.int().describe('Default storage location of products.'),
  materials_storage_id: z.int().describe('Default storage location of materials.'),
  default_fulfillment: z.enum(['stock', 'production']).describe('How the screens fulfil new sales.'),
  show_payment_status: z.boolean().describe('Whether the screens show the payment status.'),
  daily_limit: z.int().describe('Requests per day.'),
  requires_second_factor: z.boolean().describe('Whether users must sign in with a second factor.'),
  prices_include_tax: z.boolean().describe('Whether the prices of sales contain the tax.'),
  default_tax_rate_id: z
    .int()
    .nullable()
    .describe('The tax rate of items that have none of their own; null: the company charges no tax.'),
})

export const settingsExample = {
  name: 'Oak Workshop',
  currency: 'EUR',
  first_sale_number: '',
  timezone: 'Europe/Berlin',
  default_sale_status: 0,
  materials_in_sales: false,
  products_storage_id: 1,
  materials_storage_id: 2,
  default_fulfillment: 'stock',
  show_payment_status: true,
  daily_limit: 10_000,
  requires_second_factor: false,
  prices_include_tax: false,
  default_tax_rate_id: null,
}

export const findSettings = statement<Settings, { company_id: number }>(
  'settings.find',
  `select ${settingColumns.join(', ')} from companies where company_id = :company_id`,
)
