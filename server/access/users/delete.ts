// users/delete: somebody leaves the company. Their sessions end at once; their name stays in the history.

import { z } from 'zod'
import { id, required } from '../../kernel/field.ts'
import { write } from '../../kernel/method.ts'
import { refuse } from '../../kernel/refusal.ts'
import { statement } from '../../kernel/statement.ts'
import { forgetDevices } from '../devices.ts'
import { endSessions } from '../sessions.ts'
import { deleteSignIn, needsOwner, type UserFacts, userFacts, userIdWire, userMissing } from '../users.ts'

const remove = statement('users.delete', 'update users set deleted_at = $3 where company_id = $1 and id = $2')

export const deleteUser = write({
  path: 'users/delete',
  door: 'screens',
  role: 'owner',
  summary: 'Take a user out of the company.',
  input: { wire: z.object({ user_id: userIdWire }), read: (raw) => ({ id: id(required(raw, 'user_id')) }) },
  output: z.object({}),
  refusals: ['No user_id in input', userMissing, needsOwner],
  example: { request: { user_id: 2 }, response: { success: true } },
  facts: (input, call) => userFacts(call.companyId, input.id),
  plan: (input, { user, other_owners: otherOwners }: UserFacts) => {
    const before = user ?? refuse(userMissing)
    if (before.role === 'owner' && otherOwners === 0) refuse(needsOwner)
    return { id: input.id, before }
  },
  write: ({ id: userId, before }, { call: { companyId }, at }) => ({
    statements: [
      endSessions(companyId, userId),
      forgetDevices(companyId, userId),
      deleteSignIn(companyId, userId),
      remove(companyId, userId, at),
    ],
    event: { record: 'user', recordId: userId, change: before },
  }),
  answer: () => ({}),
})
