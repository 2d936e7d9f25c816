// quotes/send: makes the link by which the customer reads and accepts the quote. It is sent by mail, or shown once; only its hash is stored.

import { z } from 'zod'
import { documentLanguage } from '../../access/document-language.ts'
import { noMails, refuseWithoutMails } from '../../access/mail/links.ts'
import { newMailId, refuseTooMany, tooManyMails } from '../../access/mail/outbox.ts'
import { mailPolicy } from '../../access/mail/policy.ts'
import { emailRefusals, readEmail } from '../../access/users.ts'
import { quoteStatus } from '../../kernel/document-statuses.ts'
import { isBlank, isPassed, passed, requiredId, textRefusals } from '../../kernel/field.ts'
import type { Raw } from '../../kernel/json.ts'
import { write } from '../../kernel/method.ts'
import { newPlainSecret, secretText } from '../../platform/requests/secrets.ts'
import { keyRefusals, quoteKeySchema } from './input.ts'
import { type MailFacts, mailFacts, queueQuote } from './mail.ts'
import { expired, notADraft, type Quote, refuseSending } from './quote.ts'
import {
  dropOldLinks,
  factsOfQuote,
  insertLink,
  insertToken,
  loadQuote,
  type QuoteFacts,
  revokeLinks,
  writtenQuote,
} from './store.ts'
import { withTaxOfNow } from './tax.ts'

/** What is sent, if it is. The limit is read here: a plan may run in a thread, which does not know it. */
type NewMail = { readonly id: string; readonly recipient: string; readonly perDay: number }

function readMail(raw: Raw): NewMail | undefined {
  if (!isPassed(raw, 'email') || isBlank(passed(raw, 'email'))) return undefined
  const recipient = readEmail(raw)
  const { perDay } = mailPolicy() ?? refuseWithoutMails()
  return { id: newMailId(), recipient, perDay }
}

/** A draft is sent with the tax of now; what the customer has seen stays. */
const offered = (quote: Quote, facts: QuoteFacts): Quote =>
  quote.status === quoteStatus.draft ? withTaxOfNow(quote, facts, facts.company.tax) : quote

export const sendQuote = write({
  path: 'quotes/send',
  api: 'app',
  showsSecret: true,
  startsWork: true,
  // Customers get no mails from it.
  isForRealCompanies: ({ mail }: { readonly mail: NewMail | undefined }) => mail !== undefined,
  summary: 'Mark a quote as sent, and make a link for the customer.',
  notes: [
    'A draft is sent with the tax rates of now, which its sale gets. A quote that was sent before keeps its tax.',
    'A sent quote gets another link, and the former one stops working.',
    'With an e-mail address the link is sent there, in the language of documents, and the response contains no token.',
  ],
  input: {
    schema: z.object({
      ...quoteKeySchema,
      email: z.string().optional().describe('Where the link is sent; default: nowhere.'),
    }),
    // The secret is generated before the plan, which must be deterministic.
    read: (raw) => ({ id: requiredId(raw, 'quote_id'), mail: readMail(raw), ...newPlainSecret() }),
  },
  output: z.object({
    token: z
      .string()
      .nullable()
      .describe('The end of the link: /q/<token>. Shown only once; null if it is sent by mail.'),
  }),
  refusals: [
    ...keyRefusals,
    notADraft,
    expired,
    ...emailRefusals.filter((one) => !one.startsWith('No ')),
    noMails,
    tooManyMails,
    ...textRefusals,
  ],
  example: { request: { quote_id: 1 }, response: { success: true, token: '1029384756.9c1…' } },
  facts: ({ id }, context) => factsOfQuote(context, id),
  moreFacts: ({ mail }, { companyId }) => (mail === undefined ? undefined : mailFacts({ company_id: companyId })),
  plan: ({ hash, secret, mail }, facts: QuoteFacts, { context: { companyId } }) => {
    const before = loadQuote(facts)
    refuseSending(before, facts.company.today)
    const change = { before, after: { ...offered(before, facts), status: quoteStatus.sent } }
    if (mail === undefined) return { change, hash, token: secretText(companyId, secret) }
    const { mails, ...language } = facts as QuoteFacts & MailFacts
    refuseTooMany(mails, mail.perDay)
    // The sender makes the token.
    return { change, hash: null, token: null, mail: { ...mail, language: documentLanguage(language) } }
  },
  write: ({ change, hash, mail }, transaction) => {
    const {
      at,
      context: { companyId, userId },
    } = transaction
    const key = { company_id: companyId, quote_id: change.after.id }
    const links = [
      revokeLinks({ ...key, at }),
      insertLink({ ...key, mail_id: mail?.id ?? null, at }),
      ...(hash === null ? [] : [insertToken({ ...key, token_hash: hash })]),
      dropOldLinks(key),
    ]
    const mails =
      mail === undefined
        ? []
        : queueQuote({
            ...key,
            mail_id: mail.id,
            recipient: mail.recipient,
            language: mail.language,
            user_id: userId,
            at,
          })
    return writtenQuote(change, transaction, [...links, ...mails])
  },
  response: ({ token }) => ({ token }),
})
