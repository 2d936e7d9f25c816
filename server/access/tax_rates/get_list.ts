// tax_rates/get_list: the tax rates of the company.

import { z } from 'zod'
import { JsonText, read } from '../../kernel/method.ts'
import { statement } from '../../kernel/statement.ts'
import { array, boolean, integer, number, object, text } from '../../platform/postgres/json-sql.ts'
import { maxRates } from './rate.ts'

const list = statement<{ rows: string; prices_include_tax: boolean }, { company_id: number }>(
  'tax_rates.list',
  `select ${array(
    object([
      ['id', integer('t.id')],
      ['name', text('t.name')],
      ['percent', number('t.percent')],
      ['is_default', boolean('t.id is not distinct from c.default_tax_rate_id')],
      ['is_archived', boolean('t.is_archived')],
      ['is_used', boolean('exists (select from items i where i.company_id = :company_id and i.tax_rate_id = t.id)')],
    ]),
    'from tax_rates t where t.company_id = :company_id',
    't.is_archived, t.percent desc, t.id',
  )} as rows, c.prices_include_tax from companies c where c.company_id = :company_id`,
)

export const listTaxRates = read({
  path: 'tax_rates/get_list',
  api: 'app',
  role: 'manager',
  summary: 'List the tax rates of the company.',
  notes: ['A company without a default rate charges no tax.'],
  input: { schema: z.object({}), read: () => ({}) },
  output: z.object({
    tax_rates: z.array(
      z.object({
        id: z.int(),
        name: z.string(),
        percent: z.number(),
        is_default: z.boolean().describe('Whether items without a rate of their own have it.'),
        is_archived: z.boolean(),
        is_used: z.boolean().describe('Whether an item has it: then it cannot be deleted.'),
      }),
    ),
    prices_include_tax: z.boolean().describe('Whether the prices of sales contain the tax.'),
    limit: z.int().describe('How many rates a company may have.'),
  }),
  refusals: [],
  example: {
    request: {},
    response: {
      success: true,
      tax_rates: [{ id: 1, name: 'VAT', percent: 19, is_default: true, is_archived: false, is_used: false }],
      prices_include_tax: false,
      limit: maxRates,
    },
  },
  query: (_input, context) => list({ company_id: context.companyId }),
  response: ([row]) => ({
    tax_rates: new JsonText(row?.rows ?? '[]'),
    prices_include_tax: row?.prices_include_tax ?? false,
    limit: maxRates,
  }),
})
