// users/invite: invite a person to become a user of the company. With an SMTP server they get a mail with a link; otherwise the link is shown once. Only its hash is stored.
// Whether the address has an account in another company shows nowhere.

import { z } from 'zod'
import { textRefusals } from '../../kernel/field.ts'
import { type Role, write } from '../../kernel/method.ts'
import { refuse } from '../../kernel/refusal.ts'
import { statement } from '../../kernel/statement.ts'
import { deletionTime } from '../../platform/process/now.ts'
import { newSecret } from '../../platform/requests/secrets.ts'
import { type CompanyLanguage, languageRefusal, languageSchema, readLanguage } from '../first-records.ts'
import { mailsOfDay, newMailId, queueInvitation, refuseTooMany, tooManyMails } from '../mail/outbox.ts'
import { mailPolicy } from '../mail/policy.ts'
import { securityEvent } from '../security-events.ts'
import { emailHash, emailRefusals, emailTaken, isUser, readEmail, readRole, roleRefusal, roleSchema } from '../users.ts'

const days = 7

const maxOpen = 100
const tooManyOpen = `Too many open invitations. Must be at most ${maxOpen}`

type Facts = { readonly taken: boolean; readonly open: number; readonly mails: number }
const facts = statement<Facts, { company_id: number; email_hash: Buffer; email: string; is_mailed: boolean }>(
  'invitations.facts',
  `select ${isUser} as taken,
     (select count(*) from invitations i where i.company_id = :company_id and i.expires_at > now() and lower(i.email) <> lower(:email)) as open,
     case when :is_mailed then ${mailsOfDay} else 0 end as mails
   from company_clock k where k.company_id = :company_id`,
)
const insert = statement<
  never,
  {
    company_id: number
    invitation_id: number
    token_hash: Buffer
    email: string
    role: Role
    created_at: string
    expires_at: string
  }
>(
  'invitations.insert',
  `insert into invitations (company_id, id, token_hash, email, role, created_at, expires_at) values (:company_id, :invitation_id, :token_hash, :email, :role, :created_at, :expires_at)`,
)
// Inviting the same email again replaces the old link.
const replace = statement<never, { company_id: number; email: string; now: string }>(
  'invitations.replace',
  'delete from invitations where company_id = :company_id and (lower(email) = lower(:email) or expires_at < :now)',
)

type Invited = {
  readonly email: string
  readonly role: Role
  readonly language: CompanyLanguage
  readonly secret: ReturnType<typeof newSecret>
  readonly mailId: string | undefined
}

export const invite = write({
  path: 'users/invite',
  whenFull: 'in reserve',
  api: 'app',
  role: 'owner',
  isForRealCompanies: true,
  showsSecret: true,
  startsWork: true,
  summary: 'Invite a person to the company.',
  notes: [
    'If the server sends mails, the person gets one with the link, and the response contains no token.',
    `The link expires after ${days} days, when it is used, or when the same email is invited again.`,
  ],
  input: {
    schema: z.object({
      email: z.string(),
      role: roleSchema,
      language: languageSchema.describe('Language of the mail: en, de or ru; default en.'),
    }),
    // The secret is generated before the plan, which must be deterministic. The company id is prepended when the request context is known.
    read: (raw): Invited => ({
      email: readEmail(raw),
      role: readRole(raw) ?? refuse('No role in input', { code: 'required', field: 'role' }),
      language: readLanguage(raw) ?? 'en',
      secret: newSecret(),
      mailId: mailPolicy() === undefined ? undefined : newMailId(),
    }),
  },
  needsFreshSignIn: ({ role }) => role === 'owner',
  output: z.object({
    invitation_id: z.int(),
    token: z
      .string()
      .nullable()
      .describe('The end of the link: /invitation/<token>. Shown only once; null if it is sent by mail.'),
  }),
  refusals: [
    ...emailRefusals,
    'No role in input',
    roleRefusal,
    languageRefusal,
    tooManyOpen,
    tooManyMails,
    emailTaken,
    ...textRefusals,
  ],
  example: {
    request: { email: 'ben@oak.example', role: 'worker' },
    response: { success: true, invitation_id: 1, token: '1029384756.9c1…' },
  },
  facts: (input, context) =>
    facts({
      company_id: context.companyId,
      email_hash: emailHash(input.email),
      email: input.email,
      is_mailed: input.mailId !== undefined,
    }),
  plan: (input, { taken, open, mails }: Facts, transaction) => {
    if (open >= maxOpen) refuse(tooManyOpen, { code: 'too_many_invitations' })
    if (input.mailId !== undefined) refuseTooMany(mails)
    if (taken) refuse(emailTaken, { code: 'email_taken', field: 'email' })
    return {
      ...input,
      id: transaction.ids.next('invitation_id'),
      token: input.mailId === undefined ? input.secret.text(transaction.context.companyId) : null,
    }
  },
  write: ({ id, email, role, language, secret, mailId }, transaction) => {
    const {
      at,
      context: { companyId, userId },
    } = transaction
    return {
      statements: [
        securityEvent(transaction, 'user_invited', { detail: email }),
        replace({ company_id: companyId, email, now: deletionTime() }),
        insert({
          company_id: companyId,
          invitation_id: id,
          token_hash: secret.hash,
          email,
          role,
          created_at: at,
          expires_at: daysAfter(at),
        }),
        ...(mailId === undefined
          ? []
          : queueInvitation({
              company_id: companyId,
              mail_id: mailId,
              kind: 'invitation',
              recipient: email,
              language,
              at,
              user_id: userId,
              invitation_id: id,
            })),
      ],
      event: { record: 'invitation', recordId: id, change: { email, role } },
    }
  },
  response: ({ id, token }) => ({ invitation_id: id, token }),
})

const daysAfter = (at: string): string => new Date(Date.parse(at) + days * 86_400_000).toISOString()
