// invitations/accept: whoever holds the link becomes a user, with a name and a password of their own, and is signed in.

import { z } from 'zod'
import { textRefusals } from '../../kernel/field.ts'
import { type Role, write } from '../../kernel/method.ts'
import { Refusal, refuse } from '../../kernel/refusal.ts'
import { statement } from '../../kernel/statement.ts'
import { entrance } from '../../platform/door.ts'
import { invitationMissing, loadInvitation, readToken, tokenRefusals } from '../invited.ts'
import { ownWrite } from '../own-write.ts'
import { hashPassword, newPassword, passwordRefusals } from '../passwords.ts'
import { emailHash, emailTaken, insertSignIn, insertUser, isEmailTaken, readName } from '../users.ts'
import { welcome } from '../welcome.ts'

type Facts = {
  readonly invitation: { readonly id: number; readonly email: string; readonly role: Role } | null
}
const facts = statement<Facts>(
  'invitations.accept_facts',
  `select (select json_build_object('id', i.id, 'email', i.email, 'role', i.role) from invitations i
     where i.company_id = $1 and i.token_hash = $2 and i.expires_at > now()) as invitation`,
)
const remove = statement('invitations.accepted', 'delete from invitations where company_id = $1 and id = $2')

const declared = {
  path: 'invitations/accept',
  summary: 'Become a user by an invitation.',
  output: z.object({}),
  refusals: [...tokenRefusals, 'No name in input', ...passwordRefusals('password'), emailTaken],
  example: {
    request: { token: '1029384756.9c1…', name: 'Ben Oak', password: 'a long password' },
    response: { success: true },
  },
}

type Accepted = { readonly tokenHash: Buffer; readonly name: string; readonly passwordHash: string }

/** The write itself, in the company's order and with its event. */
const acceptance = write({
  ...declared,
  door: 'screens',
  input: { wire: z.object({}), read: (): Accepted => refuse(invitationMissing) },
  facts: (input, call) => facts(call.companyId, input.tokenHash),
  plan: (input: Accepted, { invitation }: Facts, moment) => ({
    ...input,
    invitation: invitation ?? refuse(invitationMissing),
    userId: moment.ids.next('user_id'),
  }),
  write: ({ name, passwordHash, invitation, userId }, { call: { companyId }, at }) => ({
    statements: [
      insertUser(companyId, userId, name, invitation.email, invitation.role, passwordHash, at),
      insertSignIn(companyId, emailHash(invitation.email), userId),
      remove(companyId, invitation.id),
    ],
    event: { record: 'user', recordId: userId, change: { name, email: invitation.email, role: invitation.role } },
  }),
  answer: ({ userId }) => ({ user_id: userId }),
})

export const acceptInvitation = entrance({
  ...declared,
  needsSession: false,
  input: {
    wire: z.object({ token: z.string(), name: z.string(), password: z.string().describe('At least ten characters.') }),
    read: (raw) => ({ token: readToken(raw), name: readName(raw), password: newPassword(raw, 'password') }),
  },
  refusals: [...declared.refusals, ...textRefusals],
  enter: async ({ token, name, password }, { requestId }, inside) => {
    const { companyId, hash } = token
    await loadInvitation(inside.pool, token)
    const input = { tokenHash: hash, name, passwordHash: await hashPassword(password) }
    try {
      const { user_id: userId } = await ownWrite(inside, acceptance, input, { companyId, userId: null, requestId })
      return { answer: {}, ...(await welcome(inside.pool, companyId, Number(userId))) }
    } catch (error) {
      throw isEmailTaken(error) ? new Refusal(emailTaken) : error
    }
  },
})
