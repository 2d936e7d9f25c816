// The card of one quote: the quote with its lines, the log of its links, and where it can be sent.

import { z } from 'zod'
import { mailPolicy } from '../../access/mail/policy.ts'
import { arrayMembers, joinLineArrays } from '../../documents/view.ts'
import { JsonText, read } from '../../kernel/method.ts'
import { refuse } from '../../kernel/refusal.ts'
import { statement } from '../../kernel/statement.ts'
import {
  exampleOf,
  type Field,
  type Fields,
  field,
  flagField,
  integerField,
  jsonOf,
  membersOf,
  nullableText,
  schemaOf,
  timeField,
  timeSchema,
} from '../../platform/lists/record-fields.ts'
import { missing } from '../../platform/lists/record-methods.ts'
import { array, nullable, text, time } from '../../platform/postgres/json-sql.ts'
import type { StoredTax } from '../tax.ts'
import { taxSchema } from '../tax-view.ts'
import { keyInput, keyRefusals } from './input.ts'
import { quoteKind } from './quote.ts'
import { type DraftFacts, draftFacts, taxOfDraft } from './tax.ts'
import { quoteFields, quoteJoins, quoteLineFields, quoteLines } from './view.ts'

const timeOrNull = (column: string, meaning: string): Field =>
  field(nullable(time(column)), timeSchema.nullable().describe(meaning), null)

const linkFields: Fields = {
  number: integerField('l.number', 'From 1.'),
  works: flagField(
    `(l.revoked_at is null and exists (
      select from quote_tokens t where t.company_id = :company_id and t.quote_id = l.quote_id and t.number = l.number))`,
    '1 when the link was made and not revoked, else 0. The customer can accept with it until the quote expires. The link of a mail is made when that is sent.',
    1,
  ),
  sent_at: timeField('l.sent_at', 'When it was created, ISO 8601 in UTC.'),
  mailed_to: nullableText('m.recipient', 'Where it is sent by mail; null if it is not, and 30 days later.'),
  mail_status: field(
    nullable(text('m.status')),
    z
      .enum(['queued', 'sent', 'failed', 'canceled'])
      .nullable()
      .describe('What became of the mail, as in `mails/get_list`.'),
    null,
  ),
  revoked_at: timeOrNull('l.revoked_at', 'When it was revoked.'),
  opened: integerField('l.opened', 'How often its page was opened.', 0),
  first_opened_at: timeOrNull('l.first_opened_at', 'When the page was opened for the first time.'),
  first_opened_from: nullableText('l.first_opened_from', 'The address of that request.'),
  last_opened_at: timeOrNull('l.last_opened_at', 'When the page was opened for the last time.'),
  last_opened_from: nullableText('l.last_opened_from', 'The address of that request.'),
  decision: field(
    nullable(text('l.decision')),
    z.enum(['accepted', 'declined']).nullable().describe('What the customer decided on the page.'),
    null,
  ),
  decided_at: timeOrNull('l.decided_at', 'When.'),
  decided_by: nullableText('l.decided_by', 'The name that the customer typed.'),
  decided_from: nullableText('l.decided_from', 'The address of that request.'),
}

type Row = {
  readonly quote: string
  readonly tax: StoredTax | null
  readonly draft: DraftFacts
  readonly links: string
  readonly seq: number
  readonly customer_email: string
}
const find = statement<Row, { readonly company_id: number; readonly quote_id: number }>(
  'quotes.card',
  `select concat('{', ${membersOf(quoteFields)}, ${arrayMembers(quoteLines)}, '}') as quote, d.tax, ${draftFacts(':quote_id')} as draft,
     ${array(
       jsonOf(linkFields),
       `from quote_links l left join mails m on m.company_id = :company_id and m.id = l.mail_id
       where l.company_id = :company_id and l.quote_id = d.id`,
       'l.number desc',
     )} as links, u.email as customer_email, (
       select coalesce(max(e.seq), 0) from events e where e.company_id = :company_id and e.record = 'quote' and e.record_id = d.id) as seq
   from quotes d ${quoteJoins} ${joinLineArrays(quoteLines)} where d.company_id = :company_id and d.id = :quote_id`,
)

const lineSchema = z.array(schemaOf(quoteLineFields))

export const getQuoteCard = read({
  path: 'quotes/get_card',
  api: 'app',
  summary: 'Read one quote with its lines and the log of its links.',
  input: keyInput,
  output: z.object({
    quote: schemaOf(quoteFields).extend({
      products: lineSchema.describe('Product lines.'),
      materials: lineSchema.describe('Material lines.'),
    }),
    tax: taxSchema
      .nullable()
      .describe('Its tax, which its sale gets; null when the company charges none. Of a draft it is that of now.'),
    seq: z.int().describe('Sequence number of its last change in the history of the company.'),
    links: z.array(schemaOf(linkFields)).describe('Its links, the latest first: at most 20.'),
    customer_email: z.string().describe('E-mail of the customer.'),
    sends_mails: z.boolean().describe('Whether this server sends mails.'),
  }),
  refusals: keyRefusals,
  example: {
    request: { quote_id: 1 },
    response: {
      success: true,
      quote: { ...exampleOf(quoteFields), products: [exampleOf(quoteLineFields)], materials: [] },
      tax: null,
      seq: 7,
      links: [exampleOf(linkFields)],
      customer_email: 'ada@beech.example',
      sends_mails: true,
    },
  },
  query: ({ id }, { companyId }) => find({ company_id: companyId, quote_id: id }),
  response: ([row]) => {
    if (row === undefined) refuse(missing(quoteKind), { code: 'record_not_found' })
    const { seq, customer_email } = row
    const sends_mails = mailPolicy() !== undefined
    const tax = taxOfDraft(row.draft) ?? row.tax
    return { quote: new JsonText(row.quote), tax, seq, links: new JsonText(row.links), customer_email, sends_mails }
  },
})
