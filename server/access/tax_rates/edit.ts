// tax_rates/edit: changes a tax rate, makes it the default, or archives it. Sales that exist keep their copies.

import { z } from 'zod'
import { write } from '../../kernel/method.ts'
import { difference } from '../../kernel/patch.ts'
import { refuse } from '../../kernel/refusal.ts'
import { statement } from '../../kernel/statement.ts'
import {
  archivedDefault,
  archivedSchema,
  factsOfRate,
  loadRate,
  noSuchRate,
  otherDefaultFirst,
  type Rate,
  type RateFacts,
  type RateInput,
  rateIdSchema,
  rateRefusals,
  rateSchema,
  readChangedRate,
  readRateId,
  refuseWithoutDefault,
  setDefault,
} from './rate.ts'

const update = statement<
  never,
  { company_id: number; tax_rate_id: number; name: string; percent: string; is_archived: boolean; at: string }
>(
  'tax_rates.update',
  `update tax_rates set name = :name, percent = :percent, is_archived = :is_archived, updated_at = :at
   where company_id = :company_id and id = :tax_rate_id`,
)

/** One becomes the default when it is asked for, and when there is none. An archived one is none. */
function settled(given: RateInput, before: Rate, facts: RateFacts): Rate {
  const { is_default: wanted, ...fields } = given
  const after = { ...before, ...fields }
  if (after.is_archived) {
    if (wanted === true) refuse(archivedDefault, { code: 'in_use', field: 'is_default' })
    refuseWithoutDefault(before, facts)
  }
  return {
    ...after,
    is_default: !after.is_archived && (wanted === true || before.is_default || facts.default_id === null),
  }
}

export const editTaxRate = write({
  path: 'tax_rates/edit',
  api: 'app',
  role: 'owner',
  summary: 'Change a tax rate.',
  notes: [
    'Only the fields that are passed change. Sales that exist keep the rates that they have.',
    'The default rate can be archived when no other is left: then the company charges no tax.',
  ],
  input: {
    schema: z.object({ tax_rate_id: rateIdSchema, ...z.object(rateSchema).partial().shape, ...archivedSchema }),
    read: (raw) => ({ id: readRateId(raw), given: readChangedRate(raw) }),
  },
  output: z.object({}),
  refusals: ['No tax_rate_id in input', noSuchRate, ...rateRefusals, otherDefaultFirst, archivedDefault],
  example: { request: { tax_rate_id: 1, is_archived: 1 }, response: { success: true } },
  facts: factsOfRate,
  plan: ({ id, given }, facts: RateFacts) => {
    const before = loadRate(facts)
    const after = settled(given, before, facts)
    return { id, after, change: difference(before, after), defaultBefore: facts.default_id }
  },
  write: ({ id, after, change, defaultBefore }, { context: { companyId }, at }) => {
    if (Object.keys(change).length === 0) return undefined
    const { name, percent, is_archived } = after
    const kept = defaultBefore === id ? null : defaultBefore
    return {
      statements: [
        update({ company_id: companyId, tax_rate_id: id, name, percent, is_archived, at }),
        ...setDefault(companyId, defaultBefore, after.is_default ? id : kept),
      ],
      event: { record: 'tax_rate', recordId: id, change },
    }
  },
  response: () => ({}),
})
