// Quotes sent by mail: the mail is written with the link, which gets its token when the mail is sent.

import type { DocumentLanguageFacts } from '../../access/document-language.ts'
import type { CompanyLanguage } from '../../access/first-records.ts'
import { mailsOfDay, noteCompany } from '../../access/mail/outbox.ts'
import type { QuoteOfMail, QuoteStatements } from '../../access/mail-sender/quotes.ts'
import { quoteStatus } from '../../kernel/document-statuses.ts'
import { type Statement, statement } from '../../kernel/statement.ts'
import { isExpired } from './view.ts'

type OfMail = { readonly company_id: number; readonly mail_id: string }

/** The mails of the company today, and their language. */
export type MailFacts = DocumentLanguageFacts & { readonly mails: number }
export const mailFacts = statement<MailFacts, { readonly company_id: number }>(
  'mails.quote_facts',
  `select ${mailsOfDay} as mails, k.document_language, k.country from companies k where k.company_id = :company_id`,
)

type NewMail = OfMail & {
  readonly quote_id: number
  readonly recipient: string
  readonly language: CompanyLanguage
  readonly user_id: number | null
  readonly at: string
}
const insert = statement<never, NewMail>(
  'mails.insert_quote',
  `insert into mails (company_id, id, kind, recipient, language, user_id, quote_id, created_at)
   values (:company_id, :mail_id, 'quote', :recipient, :language, :user_id, :quote_id, :at)`,
)

export const queueQuote = (mail: NewMail): Statement[] => [insert(mail), noteCompany({ company_id: mail.company_id })]

/** SQL on quotes `d` and companies `k`: the customer can accept it. */
const isOpen = `d.status = ${quoteStatus.sent} and not ${isExpired}`

const find = statement<QuoteOfMail, OfMail & { readonly quote_id: number }>(
  'mails.quote',
  `select coalesce(nullif(k.legal_name, ''), k.name) as company, k.email, d.num, to_char(d.valid_until, 'YYYY-MM-DD') as valid_until
   from quote_links l
   join quotes d on d.company_id = :company_id and d.id = l.quote_id
   join companies k on k.company_id = :company_id
   where l.company_id = :company_id and l.quote_id = :quote_id and l.mail_id = :mail_id and l.revoked_at is null and ${isOpen}`,
)

/** Each attempt has a token of its own, and all of them work: nobody knows whether a mail whose connection was lost has arrived. */
const insertToken = statement<{ token_hash: Buffer }, OfMail & { readonly lease: string; readonly token_hash: Buffer }>(
  'quote_links.insert_mailed_token',
  `insert into quote_tokens as added (company_id, token_hash, quote_id, number)
   select m.company_id, :token_hash::bytea, l.quote_id, l.number
   from mails m
   join quote_links l on l.company_id = :company_id and l.quote_id = m.quote_id and l.mail_id = m.id and l.revoked_at is null
   join quotes d on d.company_id = :company_id and d.id = l.quote_id
   join companies k on k.company_id = :company_id
   where m.company_id = :company_id and m.id = :mail_id and m.lease = :lease and m.status = 'queued' and ${isOpen}
   returning token_hash`,
)

export const quoteMailStatements: QuoteStatements = { find, insertToken }
