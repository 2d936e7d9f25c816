// users/reset_second_factors: removes the second factors of a user who has lost them. The user signs in with the password alone, and can set up new ones.

import { z } from 'zod'
import { id, required } from '../../kernel/field.ts'
import { write } from '../../kernel/method.ts'
import { refuse } from '../../kernel/refusal.ts'
import { statement } from '../../kernel/statement.ts'
import { hasSecondFactor } from '../second-factor/has-second-factor.ts'
import { forgetPendingSignIns } from '../second-factor/pending-sign-in.ts'
import { deleteAuthenticator, deletePasskeys, deleteRecoveryCodes } from '../second-factor/store.ts'
import { securityEvent } from '../security-events.ts'
import { userIdSchema, userMissing } from '../users.ts'

const nothingToReset = 'The user has no second factor'

type Facts = { readonly user_exists: boolean; readonly has_second_factor: boolean }
const facts = statement<Facts, { company_id: number; user_id: number }>(
  'second_factors.reset_facts',
  `select exists (select from users u where u.company_id = :company_id and u.id = :user_id and u.deleted_at is null) as user_exists,
     ${hasSecondFactor(':user_id::bigint')} as has_second_factor
   from company_clock k where k.company_id = :company_id`,
)

export const resetSecondFactors = write({
  path: 'users/reset_second_factors',
  whenFull: 'always',
  api: 'app',
  role: 'owner',
  needsFreshSignIn: true,
  summary: 'Remove all second factors of a user who has lost them.',
  input: { schema: z.object({ user_id: userIdSchema }), read: (raw) => ({ id: id(required(raw, 'user_id')) }) },
  output: z.object({}),
  refusals: ['No user_id in input', userMissing, nothingToReset],
  example: { request: { user_id: 2 }, response: { success: true } },
  facts: (input, { companyId }) => facts({ company_id: companyId, user_id: input.id }),
  plan: (input, { user_exists: exists, has_second_factor: hasOne }: Facts) => {
    if (!exists) refuse(userMissing, { code: 'record_not_found' })
    if (!hasOne) refuse(nothingToReset, { code: 'second_factor_missing' })
    return input
  },
  write: ({ id: userId }, transaction) => {
    const user = { company_id: transaction.context.companyId, user_id: userId }
    return {
      statements: [
        securityEvent(transaction, 'second_factors_reset', { aboutUserId: userId }),
        forgetPendingSignIns(user),
        deletePasskeys(user),
        deleteAuthenticator(user),
        deleteRecoveryCodes(user),
      ],
      event: { record: 'user', recordId: userId, change: { second_factors: 'reset' } },
    }
  },
  response: () => ({}),
})
