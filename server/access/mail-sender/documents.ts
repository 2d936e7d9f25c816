// What the sender of mails asks the documents that are attached to mails.

import type { Statement } from '../../kernel/statement.ts'
import type { PrintJob } from '../../platform/requests/papers.ts'
import type { CompanyLanguage } from '../first-records.ts'
import type { MailedPaper } from '../mail/outbox.ts'

export type DocumentOfMail = {
  readonly company: string
  /** The e-mail in the details of the company. */
  readonly email: string
  readonly num: string
}

export type MailedDocument = { readonly company_id: number; readonly paper: MailedPaper; readonly document_id: number }

export type DocumentSection = {
  /** No row: the document was deleted. */
  readonly find: (of: MailedDocument) => Statement<DocumentOfMail>
  /** What is printed. No row: the same. */
  readonly paper: (
    of: MailedDocument,
    language: CompanyLanguage,
  ) => { readonly statement: Statement; readonly job: (row: unknown) => PrintJob }
}
