// quotes/get_shared: a quote for the customer who has its link. Each opening is logged.

import { z } from 'zod'
import { type DocumentLanguageFacts, documentLanguage } from '../../access/document-language.ts'
import { inCompany } from '../../access/in-company.ts'
import { quoteStatus } from '../../kernel/document-statuses.ts'
import { JsonText } from '../../kernel/method.ts'
import { statement } from '../../kernel/statement.ts'
import { exampleOf, type Fields, field, jsonOf, schemaOf, textField } from '../../platform/lists/record-fields.ts'
import { array, nullable, object, text, time } from '../../platform/postgres/json-sql.ts'
import { now } from '../../platform/process/now.ts'
import { sessionMethod } from '../../platform/requests/request.ts'
import { isExpired, quoteFields, quoteLineFields } from '../../sales/quotes/view.ts'
import type { StoredTax } from '../../sales/tax.ts'
import { sharedTaxSchema } from '../../sales/tax-view.ts'
import { type LinkState, readToken, refuseUnlessWorking, sharedRefusals } from './shared.ts'

type OfLink = { readonly company_id: number; readonly token_hash: Buffer }

const longestAddress = 64

/** Counts an opening of a link that works. */
const open = statement<never, OfLink & { readonly at: string; readonly address: string }>(
  'quote_links.open',
  `update quote_links l set opened = least(l.opened, 2147483646) + 1, first_opened_at = coalesce(l.first_opened_at, :at::timestamptz),
     first_opened_from = coalesce(l.first_opened_from, :address::text), last_opened_at = :at::timestamptz, last_opened_from = :address::text
   from quote_tokens t, quotes d, companies k
   where t.company_id = :company_id and t.token_hash = :token_hash
     and l.company_id = :company_id and l.quote_id = t.quote_id and l.number = t.number and l.revoked_at is null
     and d.company_id = :company_id and d.id = l.quote_id and k.company_id = :company_id and not ${isExpired}`,
)

const { num, status, date_placed, valid_until, customer_name, subtotal, delivery_price, discount, total, notes } =
  quoteFields
const shownFields = {
  ...{ num, status, date_placed, valid_until, customer_name, subtotal, delivery_price, discount, total, notes },
} satisfies Fields
const { sku, name, amount, unit, price, total: lineTotal } = quoteLineFields
const lineFields = { name, sku, amount, unit, price, total: lineTotal } satisfies Fields
const companyFields = {
  name: textField(`coalesce(nullif(k.legal_name, ''), k.name)`, 'Name of the company.', 'Oak Workshop'),
  address: textField('k.address', 'Its address.'),
  country: textField('k.country', 'Its country.', 'DE'),
  email: textField('k.email', 'E-mail.', 'office@oak.example'),
  phone: textField('k.phone', 'Phone.'),
  vat_number: textField('k.vat_number', 'VAT number.'),
  registration: textField('k.registration', 'Registration.'),
  currency: textField('k.currency', 'Currency of the prices.', 'EUR'),
} satisfies Fields
const decided = field(
  nullable(
    `(select ${object([
      ['at', time('c.decided_at')],
      ['by', text(`coalesce(c.decided_by, '')`)],
    ])} where c.decision is not null)`,
  ),
  z
    .object({ at: z.string().describe('When.'), by: z.string().describe('The name that was typed, if any.') })
    .nullable()
    .describe('The decision that was made on the page of this link.'),
  null,
)

type Row = LinkState &
  DocumentLanguageFacts & {
    readonly company: string
    readonly quote: string
    readonly lines: string
    readonly tax: StoredTax | null
    readonly decided: string
  }
const find = statement<Row, OfLink>(
  'quote_links.find_shared',
  `select (c.revoked_at is not null or d.status = ${quoteStatus.draft}) as is_revoked, ${isExpired} as is_expired, k.document_language, k.country,
     ${jsonOf(companyFields)} as company, ${jsonOf(shownFields)} as quote, d.tax, ${decided.sql} as decided,
     ${array(
       jsonOf(lineFields),
       `from quote_lines l join items i on i.company_id = :company_id and i.id = l.item_id
        join units n on n.company_id = :company_id and n.id = i.unit_id
        where l.company_id = :company_id and l.quote_id = d.id`,
       'l.position',
     )} as lines
   from quote_tokens t
   join quote_links c on c.company_id = :company_id and c.quote_id = t.quote_id and c.number = t.number
   join quotes d on d.company_id = :company_id and d.id = c.quote_id
   join companies k on k.company_id = :company_id
   join customers u on u.company_id = :company_id and u.id = d.customer_id
   where t.company_id = :company_id and t.token_hash = :token_hash`,
)

const withoutIds = (tax: StoredTax | null) =>
  tax && { ...tax, rates: tax.rates.map(({ items: _ids, ...rate }) => rate) }

export const getSharedQuote = sessionMethod({
  path: 'quotes/get_shared',
  summary: 'Read a quote by the token of its link, without an account.',
  needsSession: false,
  input: { schema: z.object({ token: z.string() }), read: readToken },
  output: z.object({
    company: schemaOf(companyFields).describe('Who makes the offer.'),
    language: z.enum(['en', 'de', 'ru']).describe('Language of its documents.'),
    quote: schemaOf(shownFields),
    lines: z.array(schemaOf(lineFields)).describe('Its lines.'),
    tax: sharedTaxSchema.nullable().describe('Its tax; null when the company charges none.'),
    decided: decided.schema,
  }),
  refusals: sharedRefusals,
  example: {
    request: { token: '1029384756.9c1…' },
    response: {
      success: true,
      company: exampleOf(companyFields),
      language: 'de',
      quote: exampleOf(shownFields),
      lines: [exampleOf(lineFields)],
      tax: null,
      decided: null,
    },
  },
  run: async ({ companyId, hash }, { address }, { pool }) => {
    const link = { company_id: companyId, token_hash: hash }
    const opening = open({ ...link, at: now(), address: address.slice(0, longestAddress) })
    const trip = await inCompany(pool, companyId, opening, find(link))
    const row = trip.rows<Row>(2)[0]
    refuseUnlessWorking(row)
    const { company, quote, lines, tax, decided: decision } = row as Row
    return {
      response: {
        company: new JsonText(company),
        language: documentLanguage(row as Row),
        quote: new JsonText(quote),
        lines: new JsonText(lines),
        tax: withoutIds(tax),
        decided: new JsonText(decision),
      },
    }
  },
})
