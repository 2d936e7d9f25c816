// A company's settings as every section reads them: one SQL fragment for the facts of a request, one statement for the settings alone.

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

/** A subselect for the facts statement of a section: company $1, connection $2. */
export const companyFacts = `(
  select json_build_object(
    ${settingColumns.map((name) => `'${name}', c.${name}`).join(', ')},
    'today', to_char(now() at time zone c.timezone, 'YYYY-MM-DD'),
    'number_prefix', coalesce((select k.number_prefix from api_connections k where k.company_id = $1 and k.id = $2::bigint), '')
  ) from companies c where c.company_id = $1
)`

export type { CompanyFacts }

export const findSettings = statement<Settings>(
  'settings.find',
  `select ${settingColumns.join(', ')} from companies where company_id = $1`,
)
