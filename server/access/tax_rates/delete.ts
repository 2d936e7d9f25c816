// tax_rates/delete: removes a tax rate that no item has.

import { z } from 'zod'
import { write } from '../../kernel/method.ts'
import { refuse } from '../../kernel/refusal.ts'
import { statement } from '../../kernel/statement.ts'
import {
  factsOfRate,
  loadRate,
  noSuchRate,
  otherDefaultFirst,
  type RateFacts,
  rateIdSchema,
  readRateId,
  refuseWithoutDefault,
  setDefault,
} from './rate.ts'

const remove = statement<never, { company_id: number; tax_rate_id: number }>(
  'tax_rates.delete',
  'delete from tax_rates where company_id = :company_id and id = :tax_rate_id',
)

const isUsed = 'Tax rate is in use and cannot be deleted'

export const deleteTaxRate = write({
  path: 'tax_rates/delete',
  whenFull: 'always',
  api: 'app',
  role: 'owner',
  summary: 'Delete a tax rate.',
  notes: ['A rate that an item has, even a deleted one, can only be archived.'],
  input: { schema: z.object({ tax_rate_id: rateIdSchema }), read: (raw) => ({ id: readRateId(raw) }) },
  output: z.object({}),
  refusals: ['No tax_rate_id in input', noSuchRate, isUsed, otherDefaultFirst],
  example: { request: { tax_rate_id: 1 }, response: { success: true } },
  facts: factsOfRate,
  plan: ({ id }, facts: RateFacts) => {
    const before = loadRate(facts)
    if (facts.is_used) refuse(isUsed, { code: 'in_use' })
    refuseWithoutDefault(before, facts)
    return { id, before, defaultId: facts.default_id }
  },
  write: ({ id, before, defaultId }, { context: { companyId } }) => ({
    statements: [
      remove({ company_id: companyId, tax_rate_id: id }),
      ...setDefault(companyId, defaultId, before.is_default ? null : defaultId),
    ],
    event: { record: 'tax_rate', recordId: id, change: before },
  }),
  response: () => ({}),
})
