// users/end_sessions: sign a user out everywhere, when a device or a password may be in the wrong hands. The command line calls it too.

import { z } from 'zod'
import { id, required } from '../../kernel/field.ts'
import { write } from '../../kernel/method.ts'
import { refuse } from '../../kernel/refusal.ts'
import { forgetDevices } from '../devices.ts'
import { forgetPendingSignIns } from '../second-factor/pending-sign-in.ts'
import { securityEvent } from '../security-events.ts'
import { endSessions } from '../sessions.ts'
import { type UserFacts, userFacts, userIdSchema, userMissing } from '../users.ts'

export const endSessionsOfUser = write({
  path: 'users/end_sessions',
  whenFull: 'in reserve',
  api: 'app',
  role: 'owner',
  summary: 'Sign a user out everywhere.',
  input: { schema: z.object({ user_id: userIdSchema }), read: (raw) => ({ id: id(required(raw, 'user_id')) }) },
  output: z.object({}),
  refusals: ['No user_id in input', userMissing],
  example: { request: { user_id: 2 }, response: { success: true } },
  facts: (input, context) => userFacts({ company_id: context.companyId, user_id: input.id }),
  plan: (input, { user }: UserFacts) => {
    if (user === null) refuse(userMissing, { code: 'record_not_found' })
    return input
  },
  write: ({ id: userId }, transaction) => {
    const { companyId } = transaction.context
    return {
      statements: [
        securityEvent(transaction, 'sessions_ended', { aboutUserId: userId }),
        endSessions({ company_id: companyId, user_id: userId }),
        forgetDevices({ company_id: companyId, user_id: userId }),
        forgetPendingSignIns({ company_id: companyId, user_id: userId }),
      ],
      event: { record: 'user', recordId: userId, change: { sessions: 'ended' } },
    }
  },
  response: () => ({}),
})
