// Mails are written to a table in the transaction of what causes them, and sent afterwards. Here: the statements that write one, and the limit of a company.

import { randomBytes } from 'node:crypto'
import { refuse } from '../../kernel/refusal.ts'
import { type Statement, statement } from '../../kernel/statement.ts'
import type { CompanyLanguage } from '../first-records.ts'
import { mailPolicy } from './policy.ts'

export const mailKinds = [
  'invitation',
  'password_reset',
  'password_changed',
  'sign_up',
  'webhook_disabled',
  'shortages',
  'quote',
  'document',
] as const
export type MailKind = (typeof mailKinds)[number]

/** Documents that are sent by mail as PDF: those of sales to the customer, of purchases to the supplier. */
export const mailedPapers = ['order-confirmation', 'purchase-order'] as const
export type MailedPaper = (typeof mailedPapers)[number]

export const tooManyMails = 'Too many mails in 24 hours. Must be at most <n>'

/** Random: mails are written without the lock that numbers the records of a company. */
export const newMailId = (): string => randomBytes(12).toString('base64url')

type Company = { readonly company_id: number }
export type NewMail = Company & {
  readonly mail_id: string
  readonly kind: MailKind
  readonly recipient: string
  readonly language: CompanyLanguage
  readonly at: string
}

const insertInvitation = statement<never, NewMail & { user_id: number | null; invitation_id: number }>(
  'mails.insert_invitation',
  `insert into mails (company_id, id, kind, recipient, language, user_id, invitation_id, created_at)
   values (:company_id, :mail_id, :kind, :recipient, :language, :user_id, :invitation_id, :at)`,
)

// An update even if nothing changes: it waits for a process that is about to clear the mark.
export const noteCompany = statement<never, Company>(
  'mails.note_company',
  `insert into mail_companies (company_id, has_queued) values (:company_id, true)
   on conflict (company_id) do update set has_queued = true`,
)

export const queueInvitation = (
  mail: NewMail & { readonly user_id: number | null; readonly invitation_id: number },
): Statement[] => [insertInvitation(mail), noteCompany({ company_id: mail.company_id })]

const insert = statement<never, NewMail & { user_id: number | null }>(
  'mails.insert',
  `insert into mails (company_id, id, kind, recipient, language, user_id, created_at)
   values (:company_id, :mail_id, :kind, :recipient, :language, :user_id, :at)`,
)

/** A mail about a user. */
export const queueMail = (mail: NewMail & { readonly user_id: number | null }): Statement[] => [
  insert(mail),
  noteCompany({ company_id: mail.company_id }),
]

/** SQL: mails that users of the company had sent in the last 24 hours. The others have limits of their own, or report what has happened. */
export const mailsOfDay = `(select count(*) from mails m where m.company_id = :company_id and m.created_at > now() - interval '24 hours'
     and m.kind in ('invitation', 'quote', 'document'))`

/** `perDay`: what a company may send, if it is known where this runs. */
export function refuseTooMany(mails: number, perDay: number | undefined = mailPolicy()?.perDay): void {
  if (perDay !== undefined && mails >= perDay)
    refuse(tooManyMails.replace('<n>', String(perDay)), { code: 'too_many_mails', value: perDay })
}
