// second_factors/delete_authenticator: the user signs in without the authenticator app from now on.

import { z } from 'zod'
import { write } from '../../kernel/method.ts'
import { refuse } from '../../kernel/refusal.ts'
import {
  type Authenticator,
  deleteAuthenticator,
  deleteUnusedCodes,
  findAuthenticator,
} from '../second-factor/store.ts'
import { securityEvent } from '../security-events.ts'
import { noSecondFactor } from './renew_recovery_codes.ts'

export const removeAuthenticator = write({
  path: 'second_factors/delete_authenticator',
  whenFull: 'always',
  api: 'app',
  role: 'worker',
  needsFreshSignIn: true,
  summary: 'Remove the authenticator app from your second factors.',
  notes: ['Without another second factor the recovery codes stop working, too.'],
  input: { schema: z.object({}), read: () => ({}) },
  output: z.object({}),
  refusals: [noSecondFactor],
  example: { request: {}, response: { success: true } },
  facts: (_input, { companyId, userId }) => findAuthenticator({ company_id: companyId, user_id: userId ?? 0 }),
  plan: (_input, { secret }: Authenticator, { context: { userId } }) => {
    if (userId === null || secret === null) return refuse(noSecondFactor, { code: 'second_factor_missing' })
    return { userId }
  },
  write: ({ userId }, transaction) => {
    const user = { company_id: transaction.context.companyId, user_id: userId }
    return {
      statements: [
        securityEvent(transaction, 'second_factor_removed'),
        deleteAuthenticator(user),
        deleteUnusedCodes(user),
      ],
      event: { record: 'user', recordId: userId, change: { authenticator: 'off' }, action: 'updated' },
    }
  },
  response: () => ({}),
})
