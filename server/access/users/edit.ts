// users/edit: the name and role of a user. A new role applies from the user's next request.

import { z } from 'zod'
import { id, nameLength, required, text, textRefusals } from '../../kernel/field.ts'
import { type Role, write } from '../../kernel/method.ts'
import { difference } from '../../kernel/patch.ts'
import { refuse } from '../../kernel/refusal.ts'
import { statement } from '../../kernel/statement.ts'
import { securityEvent } from '../security-events.ts'
import {
  needsOwner,
  readRole,
  roleRefusal,
  roleSchema,
  type UserFacts,
  userFacts,
  userIdSchema,
  userMissing,
} from '../users.ts'

const update = statement<never, { company_id: number; user_id: number; name: string; role: Role }>(
  'users.update',
  'update users set name = :name, role = :role where company_id = :company_id and id = :user_id',
)

type Edited = { readonly id: number; readonly name: string | undefined; readonly role: Role | undefined }

export const editUser = write({
  path: 'users/edit',
  whenFull: 'in reserve',
  api: 'app',
  role: 'owner',
  summary: 'Change the name or the role of a user.',
  input: {
    schema: z.object({ user_id: userIdSchema, name: z.string().optional(), role: roleSchema.optional() }),
    read: (raw): Edited => {
      const userId = id(required(raw, 'user_id'))
      const name = text(raw, 'name', { max: nameLength, trim: true })
      if (name === '') refuse('No name in input', { code: 'required', field: 'name' })
      return { id: userId, name, role: readRole(raw) }
    },
  },
  needsFreshSignIn: ({ role }) => role === 'owner',
  output: z.object({}),
  refusals: ['No user_id in input', 'No name in input', roleRefusal, userMissing, needsOwner, ...textRefusals],
  example: { request: { user_id: 2, role: 'manager' }, response: { success: true } },
  facts: (input, context) => userFacts({ company_id: context.companyId, user_id: input.id }),
  plan: (input, { user, other_owners: otherOwners }: UserFacts) => {
    const before = user ?? refuse(userMissing, { code: 'record_not_found' })
    const after = { name: input.name ?? before.name, role: input.role ?? before.role }
    if (before.role === 'owner' && after.role !== 'owner' && otherOwners === 0)
      refuse(needsOwner, { code: 'last_owner', field: 'role' })
    return { id: input.id, after, change: difference(before, after) }
  },
  write: ({ id: userId, after, change }, transaction) =>
    Object.keys(change).length === 0
      ? undefined
      : {
          statements: [
            update({ company_id: transaction.context.companyId, user_id: userId, ...after }),
            ...('role' in change
              ? [securityEvent(transaction, 'role_changed', { aboutUserId: userId, detail: after.role })]
              : []),
          ],
          event: { record: 'user', recordId: userId, change },
        },
  response: () => ({}),
})
