// users/delete: remove a user from the company. Their sessions end immediately; their name stays in the history.

import { z } from 'zod'
import { id, required } from '../../kernel/field.ts'
import { write } from '../../kernel/method.ts'
import { refuse } from '../../kernel/refusal.ts'
import { statement } from '../../kernel/statement.ts'
import { forgetDevices } from '../devices.ts'
import { securityEvent } from '../security-events.ts'
import { endSessions } from '../sessions.ts'
import { forgetIdentity } from '../single-sign-on/identities.ts'
import { deleteSignIns, needsOwner, type UserFacts, userFacts, userIdSchema, userMissing } from '../users.ts'

const remove = statement<never, { company_id: number; user_id: number; deleted_at: string }>(
  'users.delete',
  'update users set deleted_at = :deleted_at where company_id = :company_id and id = :user_id',
)

export const deleteUser = write({
  path: 'users/delete',
  whenFull: 'always',
  api: 'app',
  role: 'owner',
  summary: 'Remove a user from the company.',
  input: { schema: z.object({ user_id: userIdSchema }), read: (raw) => ({ id: id(required(raw, 'user_id')) }) },
  output: z.object({}),
  refusals: ['No user_id in input', userMissing, needsOwner],
  example: { request: { user_id: 2 }, response: { success: true } },
  facts: (input, context) => userFacts({ company_id: context.companyId, user_id: input.id }),
  plan: (input, { user, other_owners: otherOwners }: UserFacts) => {
    const before = user ?? refuse(userMissing, { code: 'record_not_found' })
    if (before.role === 'owner' && otherOwners === 0) refuse(needsOwner, { code: 'last_owner' })
    return { id: input.id, before }
  },
  write: ({ id: userId, before }, transaction) => {
    const {
      at,
      context: { companyId },
    } = transaction
    return {
      statements: [
        securityEvent(transaction, 'user_removed', { aboutUserId: userId }),
        endSessions({ company_id: companyId, user_id: userId }),
        forgetDevices({ company_id: companyId, user_id: userId }),
        ...deleteSignIns({ company_id: companyId, user_id: userId }),
        forgetIdentity({ company_id: companyId, user_id: userId }),
        remove({ company_id: companyId, user_id: userId, deleted_at: at }),
      ],
      event: { record: 'user', recordId: userId, change: before },
    }
  },
  response: () => ({}),
})
