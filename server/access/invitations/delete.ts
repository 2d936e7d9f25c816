// invitations/delete: withdraw an invitation.

import { z } from 'zod'
import { id, required } from '../../kernel/field.ts'
import { write } from '../../kernel/method.ts'
import { refuse } from '../../kernel/refusal.ts'
import { statement } from '../../kernel/statement.ts'
import { securityEvent } from '../security-events.ts'

const missing = 'Invitation not found'

type Facts = { readonly email: string | null }
const facts = statement<Facts, { company_id: number; invitation_id: number }>(
  'invitations.find_email',
  `select (select i.email from invitations i where i.company_id = :company_id and i.id = :invitation_id) as email`,
)
const remove = statement<never, { company_id: number; invitation_id: number }>(
  'invitations.delete',
  'delete from invitations where company_id = :company_id and id = :invitation_id',
)

export const deleteInvitation = write({
  path: 'invitations/delete',
  whenFull: 'always',
  api: 'app',
  role: 'owner',
  summary: 'Withdraw an invitation: its link stops working.',
  input: {
    schema: z.object({ invitation_id: z.union([z.int(), z.string()]).describe('Id of the invitation.') }),
    read: (raw) => ({ id: id(required(raw, 'invitation_id')) }),
  },
  output: z.object({}),
  refusals: ['No invitation_id in input', missing],
  example: { request: { invitation_id: 1 }, response: { success: true } },
  facts: (input, context) => facts({ company_id: context.companyId, invitation_id: input.id }),
  plan: (input, { email }: Facts) => ({ id: input.id, email: email ?? refuse(missing, { code: 'invitation_gone' }) }),
  write: (plan, transaction) => ({
    statements: [
      remove({ company_id: transaction.context.companyId, invitation_id: plan.id }),
      securityEvent(transaction, 'invitation_withdrawn', { detail: plan.email }),
    ],
    event: { record: 'invitation', recordId: plan.id, change: { email: plan.email } },
  }),
  response: () => ({}),
})
