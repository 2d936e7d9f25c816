// users/edit: the name of a user, and what they may do. A new role counts from the user's next request on.

import { z } from 'zod'
import { id, nameLength, required, text, textRefusals } from '../../kernel/field.ts'
import { type Role, write } from '../../kernel/method.ts'
import { difference } from '../../kernel/patch.ts'
import { refuse } from '../../kernel/refusal.ts'
import { statement } from '../../kernel/statement.ts'
import {
  needsOwner,
  readRole,
  roleRefusal,
  roleWire,
  type UserFacts,
  userFacts,
  userIdWire,
  userMissing,
} from '../users.ts'

const update = statement('users.update', 'update users set name = $3, role = $4 where company_id = $1 and id = $2')

type Edited = { readonly id: number; readonly name: string | undefined; readonly role: Role | undefined }

export const editUser = write({
  path: 'users/edit',
  door: 'screens',
  role: 'owner',
  summary: 'Change the name or the role of a user.',
  input: {
    wire: z.object({ user_id: userIdWire, name: z.string().optional(), role: roleWire.optional() }),
    read: (raw): Edited => {
      const userId = id(required(raw, 'user_id'))
      const name = text(raw, 'name', { max: nameLength, trim: true })
      if (name === '') refuse('No name in input')
      return { id: userId, name, role: readRole(raw) }
    },
  },
  output: z.object({}),
  refusals: ['No user_id in input', 'No name in input', roleRefusal, userMissing, needsOwner, ...textRefusals],
  example: { request: { user_id: 2, role: 'manager' }, response: { success: true } },
  facts: (input, call) => userFacts(call.companyId, input.id),
  plan: (input, { user, other_owners: otherOwners }: UserFacts) => {
    const before = user ?? refuse(userMissing)
    const after = { name: input.name ?? before.name, role: input.role ?? before.role }
    if (before.role === 'owner' && after.role !== 'owner' && otherOwners === 0) refuse(needsOwner)
    return { id: input.id, after, change: difference(before, after) }
  },
  write: ({ id: userId, after, change }, { call: { companyId } }) =>
    Object.keys(change).length === 0
      ? undefined
      : {
          statements: [update(companyId, userId, after.name, after.role)],
          event: { record: 'user', recordId: userId, change },
        },
  answer: () => ({}),
})
