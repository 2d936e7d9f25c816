// second_factors/renew_recovery_codes: ten new recovery codes. The earlier ones stop working.

import { z } from 'zod'
import { write } from '../../kernel/method.ts'
import { refuse } from '../../kernel/refusal.ts'
import { statement } from '../../kernel/statement.ts'
import { hasSecondFactor } from '../second-factor/has-second-factor.ts'
import { newRecoveryCodes } from '../second-factor/recovery-codes.ts'
import { securityEvent } from '../security-events.ts'
import { newCodes, recoveryCodesSchema, shownCodes } from './new-codes.ts'

export const noSecondFactor = 'There is no second factor'

type Facts = { readonly has_second_factor: boolean }
const facts = statement<Facts, { company_id: number; user_id: number | null }>(
  'second_factors.facts',
  `select ${hasSecondFactor(':user_id::bigint')} as has_second_factor from company_clock k where k.company_id = :company_id`,
)

export const renewRecoveryCodes = write({
  path: 'second_factors/renew_recovery_codes',
  whenFull: 'in reserve',
  api: 'app',
  role: 'worker',
  needsFreshSignIn: true,
  showsSecret: true,
  summary: 'Get new recovery codes; the earlier ones stop working.',
  // The codes are generated before the plan, which must be deterministic.
  input: { schema: z.object({}), read: () => ({ codes: newRecoveryCodes() }) },
  output: z.object({ recovery_codes: recoveryCodesSchema }),
  refusals: [noSecondFactor],
  example: { request: {}, response: { success: true, recovery_codes: ['abcd-efgh-jkmn-pqrs-tuvw-xyz2'] } },
  facts: (_input, { companyId, userId }) => facts({ company_id: companyId, user_id: userId }),
  plan: ({ codes }, { has_second_factor: hasOne }: Facts, { context: { userId } }) => {
    if (userId === null || !hasOne) return refuse(noSecondFactor, { code: 'second_factor_missing' })
    return { codes, userId }
  },
  write: ({ codes, userId }, transaction) => ({
    statements: [
      securityEvent(transaction, 'recovery_codes_renewed'),
      ...newCodes({ company_id: transaction.context.companyId, user_id: userId }, codes, transaction.at),
    ],
    event: { record: 'user', recordId: userId, change: { recovery_codes: 'renewed' } },
  }),
  response: ({ codes }) => shownCodes(codes),
})
