// tax_rates/add: a new tax rate. The first one becomes the default.

import { z } from 'zod'
import { write } from '../../kernel/method.ts'
import { refuse } from '../../kernel/refusal.ts'
import { statement } from '../../kernel/statement.ts'
import {
  factsOfRate,
  maxRates,
  noPercent,
  type Rate,
  type RateFacts,
  rateRefusals,
  rateSchema,
  readRate,
  setDefault,
} from './rate.ts'

const insert = statement<never, { company_id: number; tax_rate_id: number; name: string; percent: string; at: string }>(
  'tax_rates.insert',
  `insert into tax_rates (company_id, id, name, percent, created_at, updated_at)
   values (:company_id, :tax_rate_id, :name, :percent, :at, :at)`,
)

const tooMany = `A company has at most ${maxRates} tax rates`

export const addTaxRate = write({
  path: 'tax_rates/add',
  api: 'app',
  role: 'owner',
  summary: 'Create a tax rate.',
  notes: ['With its first rate a company charges tax. Sales that exist already stay without.'],
  input: {
    schema: z.object(rateSchema),
    read: (raw) => {
      const { name, percent, is_default: isDefault } = readRate(raw)
      return {
        name: name ?? refuse('No name in input', { code: 'required', field: 'name' }),
        percent: percent ?? refuse(noPercent, { code: 'required', field: 'percent' }),
        isDefault: isDefault ?? false,
      }
    },
  },
  output: z.object({ tax_rate_id: z.int().describe('Id of the new tax rate.') }),
  refusals: [...rateRefusals, noPercent, tooMany],
  example: { request: { name: 'VAT', percent: 19 }, response: { success: true, tax_rate_id: 1 } },
  facts: (_input, context) => factsOfRate({ id: 0 }, context),
  plan: ({ name, percent, isDefault }, { rates, default_id: before }: RateFacts, transaction) => {
    if (rates >= maxRates) refuse(tooMany, { code: 'too_many', value: maxRates })
    const rate: Rate = { name, percent, is_default: isDefault || before === null, is_archived: false }
    return { id: transaction.ids.next('tax_rate_id'), rate, before }
  },
  write: ({ id, rate, before }, { context: { companyId }, at }) => ({
    statements: [
      insert({ company_id: companyId, tax_rate_id: id, name: rate.name, percent: rate.percent, at }),
      ...setDefault(companyId, before, rate.is_default ? id : before),
    ],
    event: { record: 'tax_rate', recordId: id, change: rate },
  }),
  response: ({ id }) => ({ tax_rate_id: id }),
})
