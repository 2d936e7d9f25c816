// invitations/delete: take an invitation back.

import { z } from 'zod'
import { id, required } from '../../kernel/field.ts'
import { write } from '../../kernel/method.ts'
import { refuse } from '../../kernel/refusal.ts'
import { statement } from '../../kernel/statement.ts'

const missing = 'Invitation not found'

type Facts = { readonly email: string | null }
const facts = statement<Facts>(
  'invitations.find_email',
  `select (select i.email from invitations i where i.company_id = $1 and i.id = $2) as email`,
)
const remove = statement('invitations.delete', 'delete from invitations where company_id = $1 and id = $2')

export const deleteInvitation = write({
  path: 'invitations/delete',
  door: 'screens',
  role: 'owner',
  summary: 'Take an invitation back: its link ends.',
  input: {
    wire: z.object({ invitation_id: z.union([z.int(), z.string()]).describe('Id of the invitation.') }),
    read: (raw) => ({ id: id(required(raw, 'invitation_id')) }),
  },
  output: z.object({}),
  refusals: ['No invitation_id in input', missing],
  example: { request: { invitation_id: 1 }, response: { success: true } },
  facts: (input, call) => facts(call.companyId, input.id),
  plan: (input, { email }: Facts) => ({ id: input.id, email: email ?? refuse(missing) }),
  write: (plan, { call: { companyId } }) => ({
    statements: [remove(companyId, plan.id)],
    event: { record: 'invitation', recordId: plan.id, change: { email: plan.email } },
  }),
  answer: () => ({}),
})
