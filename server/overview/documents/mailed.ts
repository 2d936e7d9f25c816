// Documents that are sent by mail: to whom they go by default, the mail of one, and what its sender asks.

import type { DocumentLanguageFacts } from '../../access/document-language.ts'
import type { CompanyLanguage } from '../../access/first-records.ts'
import { type MailedPaper, mailedPapers, mailsOfDay, noteCompany } from '../../access/mail/outbox.ts'
import type { DocumentOfMail, DocumentSection } from '../../access/mail-sender/documents.ts'
import { choice, choiceRefusal, requiredId } from '../../kernel/field.ts'
import type { Raw } from '../../kernel/json.ts'
import { refuse } from '../../kernel/refusal.ts'
import { type Statement, statement } from '../../kernel/statement.ts'
import { mailedPaper } from '../paper/kinds.ts'

type Company = { readonly company_id: number }
type Key = Company & { readonly document_id: number }

export type NamedDocument = { readonly paper: MailedPaper; readonly id: number }

const none = 'No document in input'
const notFound = 'Document not found'
export const namedRefusals: readonly string[] = [
  none,
  choiceRefusal('document', mailedPapers),
  'No id in input',
  notFound,
]

export const readNamed = (raw: Raw): NamedDocument => ({
  paper: choice(raw, 'document', mailedPapers) ?? refuse(none, { code: 'required', field: 'document' }),
  id: requiredId(raw, 'id'),
})

export const documentNotFound = (): never => refuse(notFound, { code: 'record_not_found' })

export type MailFacts = DocumentLanguageFacts & { readonly exists: boolean; readonly mails: number }
export type Recipient = { readonly email: string }

function statementsOf(name: string, table: string, party: string, column: string) {
  const ofDocument = 'd.company_id = :company_id and d.id = :document_id'
  return {
    facts: statement<MailFacts, Key>(
      `mails.facts_of_${name}`,
      `select exists (select from ${table} d where ${ofDocument}) as exists, ${mailsOfDay} as mails, k.document_language, k.country
       from companies k where k.company_id = :company_id`,
    ),
    recipient: statement<Recipient, Key>(
      `mails.recipient_of_${name}`,
      `select u.email from ${table} d join ${party} u on u.company_id = :company_id and u.id = d.${column} where ${ofDocument}`,
    ),
    find: statement<DocumentOfMail, Key>(
      `mails.${name}`,
      `select coalesce(nullif(k.legal_name, ''), k.name) as company, k.email, d.num
       from ${table} d join companies k on k.company_id = :company_id where ${ofDocument}`,
    ),
  }
}

const statements = {
  'order-confirmation': statementsOf('order_confirmation', 'sales', 'customers', 'customer_id'),
  'purchase-order': statementsOf('purchase_order', 'purchases', 'suppliers', 'supplier_id'),
} satisfies Record<MailedPaper, unknown>

const key = ({ id }: NamedDocument, { companyId }: { readonly companyId: number }): Key => ({
  company_id: companyId,
  document_id: id,
})
type Place = { readonly companyId: number }
export const mailFacts = (of: NamedDocument, place: Place): Statement<MailFacts> =>
  statements[of.paper].facts(key(of, place))
export const recipientOf = (of: NamedDocument, place: Place): Statement<Recipient> =>
  statements[of.paper].recipient(key(of, place))

type NewMail = Key & {
  readonly mail_id: string
  readonly paper: MailedPaper
  readonly recipient: string
  readonly language: CompanyLanguage
  readonly user_id: number | null
  readonly at: string
}
const insert = statement<never, NewMail>(
  'mails.insert_document',
  `insert into mails (company_id, id, kind, recipient, language, user_id, paper, document_id, created_at)
   values (:company_id, :mail_id, 'document', :recipient, :language, :user_id, :paper, :document_id, :at)`,
)
export const queueDocument = (mail: NewMail): Statement[] => [
  insert(mail),
  noteCompany({ company_id: mail.company_id }),
]

export const mailedDocuments: DocumentSection = {
  find: ({ paper, company_id, document_id }) => statements[paper].find({ company_id, document_id }),
  paper: mailedPaper,
}
