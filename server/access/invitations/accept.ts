// invitations/accept: the holder of the link becomes a user, with their own name and password, and is signed in.

import { z } from 'zod'
import { textRefusals } from '../../kernel/field.ts'
import { type Role, write } from '../../kernel/method.ts'
import { refuse } from '../../kernel/refusal.ts'
import { statement } from '../../kernel/statement.ts'
import { sessionMethod } from '../../platform/requests/request.ts'
import { startBrowserSession } from '../browser-session.ts'
import { type CompanyLanguage, languageRefusal, languageSchema, readLanguage } from '../first-records.ts'
import { hasToken, invitationMissing, loadInvitation, readToken, tokenRefusals } from '../invited.ts'
import { hashPassword, newPassword, passwordRefusals, refuseCommon } from '../passwords.ts'
import { securityEvent } from '../security-events.ts'
import { runSessionWrite } from '../session-write.ts'
import {
  emailHash,
  emailTaken,
  insertSignIns,
  insertUser,
  isUser,
  readName,
  setLanguage,
  tooManyCompanies,
} from '../users.ts'
import { hashOfEmail, refuseTooManyCompanies } from '../users-of-email.ts'

type Facts = {
  readonly invitation: { readonly id: number; readonly email: string; readonly role: Role } | null
  readonly taken: boolean
}
const facts = statement<Facts, { company_id: number; token_hash: Buffer; email_hash: Buffer }>(
  'invitations.accept_facts',
  `select ${isUser} as taken, (select json_build_object('id', i.id, 'email', i.email, 'role', i.role) from invitations i
     where i.company_id = :company_id and ${hasToken} and i.expires_at > now()) as invitation`,
)
const remove = statement<never, { company_id: number; invitation_id: number }>(
  'invitations.accepted',
  'delete from invitations where company_id = :company_id and id = :invitation_id',
)

const declared = {
  path: 'invitations/accept',
  summary: 'Accept an invitation and become a user.',
  output: z.object({}),
  refusals: [...tokenRefusals, 'No name in input', ...passwordRefusals('password'), languageRefusal, emailTaken],
  example: {
    request: { token: '1029384756.9c1…', name: 'Ben Oak', password: 'a long password' },
    response: { success: true },
  },
}

type Accepted = {
  readonly tokenHash: Buffer
  /** Of the invitation. */
  readonly email: string
  readonly name: string
  readonly passwordHash: string
  readonly language: CompanyLanguage | undefined
}

/** The write, in the company's order and with its event. */
const acceptance = write({
  ...declared,
  api: 'app',
  input: { schema: z.object({}), read: (): Accepted => refuse(invitationMissing, { code: 'invitation_gone' }) },
  facts: (input, context) =>
    facts({ company_id: context.companyId, token_hash: input.tokenHash, email_hash: emailHash(input.email) }),
  plan: (input: Accepted, { invitation, taken }: Facts, transaction) => {
    if (invitation === null) return refuse(invitationMissing, { code: 'invitation_gone' })
    if (taken) refuse(emailTaken, { code: 'email_taken' })
    return { ...input, invitation, userId: transaction.ids.next('user_id') }
  },
  write: ({ name, passwordHash, invitation, userId, language }, transaction) => {
    const {
      at,
      context: { companyId },
    } = transaction
    return {
      statements: [
        securityEvent(transaction, 'user_joined', { userId, detail: invitation.role }),
        insertUser({
          company_id: companyId,
          user_id: userId,
          name,
          email: invitation.email,
          role: invitation.role,
          password_hash: passwordHash,
          created_at: at,
        }),
        ...insertSignIns({ company_id: companyId, email_hash: emailHash(invitation.email), user_id: userId }),
        remove({ company_id: companyId, invitation_id: invitation.id }),
        ...(language === undefined ? [] : [setLanguage({ company_id: companyId, user_id: userId, language })]),
      ],
      event: { record: 'user', recordId: userId, change: { name, email: invitation.email, role: invitation.role } },
    }
  },
  response: ({ userId }) => ({ user_id: userId }),
})

export const acceptInvitation = sessionMethod({
  ...declared,
  needsSession: false,
  input: {
    schema: z.object({
      token: z.string(),
      name: z.string(),
      password: z.string().describe('At least ten characters.'),
      language: languageSchema.describe('Language of mails to the user: en, de or ru.'),
    }),
    read: (raw) => ({
      token: readToken(raw),
      name: readName(raw),
      password: newPassword(raw, 'password'),
      language: readLanguage(raw),
    }),
  },
  refusals: [...declared.refusals, tooManyCompanies, ...textRefusals],
  run: async ({ token, name, password, language }, { requestId, address, agent }, inside) => {
    const { companyId, hash } = token
    const { company, email } = await loadInvitation(inside.pool, token)
    refuseCommon(password, [company, name, email])
    await refuseTooManyCompanies(inside.pool, email)
    const passwordHash = await hashPassword(password, address, await hashOfEmail(inside.pool, email))
    const input = { tokenHash: hash, email, name, passwordHash, language }
    const origin = { address, agent }
    const { user_id: userId } = await runSessionWrite(inside, acceptance, input, {
      companyId,
      userId: null,
      requestId,
      from: origin,
    })
    return { response: {}, ...(await startBrowserSession(inside.pool, companyId, Number(userId), origin)) }
  },
})
