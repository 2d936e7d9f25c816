// The SQL of the sender of mails. A process sends a mail only while it holds its lease, and stores the result only if it still holds it.

import type { Role } from '../../kernel/method.ts'
import { statement } from '../../kernel/statement.ts'
import type { WebhookDisableReason } from '../../platform/process/metric-table.ts'
import type { CompanyLanguage } from '../first-records.ts'
import type { MailedPaper, MailKind } from '../mail/outbox.ts'
import { isUser, type SignIn, usersOfAddress } from '../users.ts'

type Company = { readonly company_id: number }
type Leased = Company & { readonly mail_id: string; readonly lease: string }

/** A process that was killed holds its lease for so long. It renews it while it sends. */
export const leaseMs = 15_000

/** Companies with mails to be sent. It contains nothing but ids. */
export const mailCompanies = statement<{ company_id: number }, { after: number; limit: number }>(
  'mails.companies',
  'select company_id from mail_companies where has_queued and company_id > :after order by company_id limit :limit',
)

// A lease that ends far in the future is of a time before the clock was set back: it does not count.
const isFree = (m: string): string =>
  `(${m}.leased_until is null or ${m}.leased_until <= now() or ${m}.leased_until > now() + interval '1 minute')`
const isDue = (m: string): string => `(${m}.next_at is null or ${m}.next_at <= now()) and ${isFree(m)}`

export type LeasedMail = {
  readonly id: string
  readonly kind: MailKind
  readonly recipient: string
  readonly language: CompanyLanguage
  readonly user_id: number | null
  readonly invitation_id: number | null
  readonly webhook_id: number | null
  readonly quote_id: number | null
  readonly paper: MailedPaper | null
  readonly document_id: number | null
  readonly attempts: number
  readonly age_ms: number
}

/** Takes the lease of the mail that has waited longest. The condition is evaluated again if another process has changed the row meanwhile. */
export const takeMail = statement<LeasedMail, Company & { lease: string; lease_ms: number }>(
  'mails.lease',
  `update mails m set lease = :lease, leased_until = now() + :lease_ms::integer * interval '1 millisecond', attempts = least(m.attempts + 1, 1000)
   from (select p.id, extract(epoch from now() - p.created_at)::float8 * 1000 as age_ms
     from mails p where p.company_id = :company_id and p.status = 'queued' and ${isDue('p')}
     order by p.created_at, p.id limit 1) oldest
   where m.company_id = :company_id and m.status = 'queued' and ${isDue('m')} and m.id = oldest.id
   returning m.id, m.kind, m.recipient, m.language, m.user_id, m.invitation_id, m.webhook_id, m.quote_id, m.paper, m.document_id, m.attempts, oldest.age_ms`,
)

export const renewMail = statement<{ id: string }, Leased & { lease_ms: number }>(
  'mails.renew',
  `update mails set leased_until = now() + :lease_ms::integer * interval '1 millisecond'
   where company_id = :company_id and id = :mail_id and lease = :lease returning id`,
)

export type InvitationOfMail = { readonly company: string; readonly role: Role; readonly inviter: string | null }

export const findInvitation = statement<InvitationOfMail, Company & { invitation_id: number; user_id: number | null }>(
  'mails.invitation',
  `select c.name as company, i.role, (select u.name from users u where u.company_id = :company_id and u.id = :user_id) as inviter
   from invitations i join companies c on c.company_id = :company_id
   where i.company_id = :company_id and i.id = :invitation_id and i.expires_at > now()`,
)

/** Whether the recipient is a user of the company. */
export const findUser = statement<{ is_user: boolean }, Company & { email_hash: Buffer }>(
  'mails.find_user',
  `select ${isUser} as is_user from companies c where c.company_id = :company_id`,
)

/** The users of the address, in the order of the companies. */
export const findCompanies = statement<SignIn, { email_hash: Buffer }>('mails.find_companies', usersOfAddress)

/** The request for a new password is passed on to another company of the address. The id is the same, so that this happens once. */
export const insertFurtherReset = statement<
  never,
  Company & { mail_id: string; recipient: string; language: CompanyLanguage; user_id: number; age_ms: number }
>(
  'mails.insert_further_reset',
  `insert into mails (company_id, id, kind, recipient, language, user_id, created_at)
   values (:company_id, :mail_id, 'password_reset', :recipient, :language, :user_id, now() - :age_ms::float8 * interval '1 millisecond')
   on conflict (company_id, id) do nothing`,
)
export const noteFurther = statement<never, Company>(
  'mails.note_further',
  `insert into mail_companies (company_id, has_queued) values (:company_id, true)
   on conflict (company_id) do update set has_queued = true`,
)

/** Makes the link of an attempt. No row: the invitation is gone, or the lease. */
export const insertInvitationLink = statement<{ token_hash: Buffer }, Leased & { token_hash: Buffer }>(
  'mails.insert_invitation_link',
  `insert into mail_links as added (company_id, token_hash, mail_id, invitation_id, created_at, expires_at)
   select m.company_id, :token_hash, m.id, i.id, now(), i.expires_at
   from mails m join invitations i on i.company_id = :company_id and i.id = m.invitation_id and i.expires_at > now()
   where m.company_id = :company_id and m.id = :mail_id and m.lease = :lease
   returning token_hash`,
)

/** How long a link to set a new password works, from the request for it. */
export const resetMinutes = 30

export const findCompanyName = statement<{ company: string }, Company>(
  'mails.company_name',
  'select name as company from companies where company_id = :company_id',
)

/** The same for a new password. No row: the user is gone, the request is too old, or the lease is lost. */
export const insertResetLink = statement<{ token_hash: Buffer }, Leased & { token_hash: Buffer }>(
  'mails.insert_reset_link',
  `insert into mail_links as added (company_id, token_hash, mail_id, user_id, created_at, expires_at)
   select m.company_id, :token_hash, m.id, u.id, now(), m.created_at + interval '${resetMinutes} minutes'
   from mails m join users u on u.company_id = :company_id and u.id = m.user_id and u.deleted_at is null
   where m.company_id = :company_id and m.id = :mail_id and m.lease = :lease and m.status = 'queued'
     and m.created_at > now() - interval '${resetMinutes} minutes'
   returning token_hash`,
)

/** Whether there is a sign-up to confirm. */
export const findSignUp = statement<{ company_id: number }, Company>(
  'mails.sign_up',
  'select company_id from pending_sign_ups where company_id = :company_id and expires_at > now()',
)

/** The same for a sign-up. No row: it is completed or too old, or the lease is lost. */
export const insertSignUpLink = statement<{ token_hash: Buffer }, Leased & { token_hash: Buffer }>(
  'mails.insert_sign_up_link',
  `insert into mail_links as added (company_id, token_hash, mail_id, created_at, expires_at)
   select m.company_id, :token_hash, m.id, now(), p.expires_at
   from mails m join pending_sign_ups p on p.company_id = :company_id and p.expires_at > now()
   where m.company_id = :company_id and m.id = :mail_id and m.lease = :lease and m.status = 'queued'
   returning token_hash`,
)

export type WebhookOfMail = { readonly company: string; readonly url: string; readonly reason: WebhookDisableReason }

/** No row: it was turned on again, or is gone. */
export const findWebhook = statement<WebhookOfMail, Company & { webhook_id: number }>(
  'mails.webhook',
  `select c.name as company, w.url, w.disabled_reason as reason
   from webhook_endpoints w join companies c on c.company_id = :company_id
   where w.company_id = :company_id and w.id = :webhook_id and not w.enabled and w.disabled_reason in ('gone', 'failing')`,
)

export type Ending = Leased & {
  readonly status: 'sent' | 'failed' | 'canceled'
  readonly response: string | null
}
export const endMail = statement<{ id: string }, Ending>(
  'mails.end',
  `update mails set status = :status, response = :response, ended_at = now(), lease = null, leased_until = null, next_at = null
   where company_id = :company_id and id = :mail_id and lease = :lease and status = 'queued' returning id`,
)

export const postponeMail = statement<{ id: string }, Leased & { response: string; pause_ms: number }>(
  'mails.postpone',
  `update mails set response = :response, next_at = now() + :pause_ms::integer * interval '1 millisecond', lease = null, leased_until = null
   where company_id = :company_id and id = :mail_id and lease = :lease and status = 'queued' returning id`,
)

export type Waiting = { readonly queued: number; readonly due: number; readonly oldest_ms: number | null }

/** What a company still has to send. */
export const waitingMails = statement<Waiting, Company>(
  'mails.waiting',
  `select count(*) as queued, count(*) filter (where ${isDue('m')}) as due,
     extract(epoch from now() - min(m.created_at))::float8 * 1000 as oldest_ms
   from mails m where m.company_id = :company_id and m.status = 'queued'`,
)

/** A new mail of the company waits for this lock, or is seen by the statement after it. */
export const lockCompany = statement<{ company_id: number }, Company>(
  'mails.lock_company',
  'select company_id from mail_companies where company_id = :company_id for update',
)
export const clearCompany = statement<never, Company>(
  'mails.clear_company',
  'update mail_companies set has_queued = false where company_id = :company_id',
)
