// users/invite: a link by which somebody becomes a user of the company. The link is shown once; only its hash is kept.

import { z } from 'zod'
import { textRefusals } from '../../kernel/field.ts'
import { type Role, write } from '../../kernel/method.ts'
import { refuse } from '../../kernel/refusal.ts'
import { statement } from '../../kernel/statement.ts'
import { newSecret } from '../../platform/secrets.ts'
import { emailHash, emailRefusals, emailTaken, readEmail, readRole, roleRefusal, roleWire } from '../users.ts'

const days = 7

type Facts = { readonly taken: boolean }
const facts = statement<Facts>(
  'invitations.facts',
  `select exists (select from sign_ins s where s.email_hash = $2) as taken from company_clock k where k.company_id = $1`,
)
const insert = statement(
  'invitations.insert',
  `insert into invitations (company_id, id, token_hash, email, role, created_at, expires_at) values ($1, $2, $3, $4, $5, $6, $7)`,
)
// Who is invited again gets a new link, and the old one ends.
const replace = statement(
  'invitations.replace',
  'delete from invitations where company_id = $1 and (lower(email) = lower($2) or expires_at < $3)',
)

type Invited = { readonly email: string; readonly role: Role; readonly secret: ReturnType<typeof newSecret> }

export const invite = write({
  path: 'users/invite',
  door: 'screens',
  role: 'owner',
  showsSecret: true,
  summary: 'Invite somebody to the company.',
  notes: [`The link ends after ${days} days, when it is used, or when the same email is invited again.`],
  input: {
    wire: z.object({ email: z.string(), role: roleWire }),
    // The secret is drawn before the plan, which draws nothing. The company stands in front of it when the call is known.
    read: (raw): Invited => ({
      email: readEmail(raw),
      role: readRole(raw) ?? refuse('No role in input'),
      secret: newSecret(),
    }),
  },
  output: z.object({
    invitation_id: z.int(),
    token: z.string().describe('The end of the link: /invitation/<token>. Shown this once.'),
  }),
  refusals: [...emailRefusals, 'No role in input', roleRefusal, emailTaken, ...textRefusals],
  example: {
    request: { email: 'ben@oak.example', role: 'worker' },
    response: { success: true, invitation_id: 1, token: '1029384756.9c1…' },
  },
  facts: (input, call) => facts(call.companyId, emailHash(input.email)),
  plan: (input, { taken }: Facts, moment) => {
    if (taken) refuse(emailTaken)
    return { ...input, id: moment.ids.next('invitation_id'), token: input.secret.text(moment.call.companyId) }
  },
  write: ({ id, email, role, secret }, { call: { companyId }, at }) => ({
    statements: [replace(companyId, email, at), insert(companyId, id, secret.hash, email, role, at, daysAfter(at))],
    event: { record: 'invitation', recordId: id, change: { email, role } },
  }),
  answer: ({ id, token }) => ({ invitation_id: id, token }),
})

const daysAfter = (at: string): string => new Date(Date.parse(at) + days * 86_400_000).toISOString()
