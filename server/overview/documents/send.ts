// documents/send: sends a document by mail, as PDF. It is printed when the mail is sent.

import { z } from 'zod'
import { documentLanguage } from '../../access/document-language.ts'
import { companyLanguages } from '../../access/first-records.ts'
import { noMails, refuseWithoutMails } from '../../access/mail/links.ts'
import { mailedPapers, newMailId, refuseTooMany, tooManyMails } from '../../access/mail/outbox.ts'
import { mailPolicy } from '../../access/mail/policy.ts'
import { emailRefusals, readEmail } from '../../access/users.ts'
import { idSchema } from '../../documents/fields.ts'
import { choice, choiceRefusal, textRefusals } from '../../kernel/field.ts'
import { write } from '../../kernel/method.ts'
import { documentNotFound, type MailFacts, mailFacts, namedRefusals, queueDocument, readNamed } from './mailed.ts'

export const sendDocument = write({
  path: 'documents/send',
  api: 'app',
  role: 'manager',
  startsWork: true,
  // Customers and suppliers get no mails from a test company.
  isForRealCompanies: true,
  summary: 'Send an order confirmation or a purchase order by mail, as PDF.',
  notes: ['The PDF shows the document as it is when the mail is sent. Answers go to the e-mail of the company.'],
  input: {
    schema: z.object({
      document: z.enum(mailedPapers),
      id: idSchema.describe('Id of the sale or purchase.'),
      email: z.string().describe('Where it is sent.'),
      language: z.enum(companyLanguages).optional().describe('Default: the language of documents of the company.'),
    }),
    // The limit is read here: a plan may run in a thread, which does not know it.
    read: (raw) => ({
      ...readNamed(raw),
      recipient: readEmail(raw),
      language: choice(raw, 'language', companyLanguages),
      mailId: newMailId(),
      perDay: mailPolicy()?.perDay,
    }),
  },
  output: z.object({}),
  refusals: [
    ...namedRefusals,
    ...emailRefusals,
    choiceRefusal('language', companyLanguages),
    noMails,
    tooManyMails,
    ...textRefusals,
  ],
  example: {
    request: { document: 'order-confirmation', id: 1, email: 'ada@beech.example' },
    response: { success: true },
  },
  facts: (input, context) => mailFacts(input, context),
  plan: ({ perDay, language, ...mail }, { exists, mails, ...ofCompany }: MailFacts) => {
    if (perDay === undefined) refuseWithoutMails()
    if (!exists) documentNotFound()
    refuseTooMany(mails, perDay)
    return { ...mail, language: language ?? documentLanguage(ofCompany) }
  },
  write: ({ paper, id, recipient, language, mailId }, { at, context: { companyId, userId } }) => ({
    statements: queueDocument({
      company_id: companyId,
      mail_id: mailId,
      paper,
      document_id: id,
      recipient,
      language,
      user_id: userId,
      at,
    }),
    // Not of the sale or purchase, which is not changed: others who edit it would have to load it again.
    event: { record: 'company', recordId: companyId, change: { mailed: { document: paper, id } }, action: 'updated' },
  }),
  response: () => ({}),
})
