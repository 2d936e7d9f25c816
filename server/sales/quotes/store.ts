// The SQL of quotes: the facts of the methods, and the statements that write a quote and its links.

import { type CompanyFactsValues, companyFacts } from '../../access/settings.ts'
import { customer } from '../../contacts/contact.ts'
import { type PartyTax, partyFactsById } from '../../contacts/party.ts'
import { freeNumberFacts } from '../../documents/free-number.ts'
import { type LineInput, namedItemValues } from '../../documents/lines.ts'
import { type PricedLine, readLines } from '../../documents/store.ts'
import type { RequestContext, TransactionContext } from '../../kernel/clock.ts'
import { moneyFrom } from '../../kernel/decimal.ts'
import { declareInsert } from '../../kernel/insert-rows.ts'
import type { Written } from '../../kernel/method.ts'
import { naturalKey } from '../../kernel/natural.ts'
import { difference } from '../../kernel/patch.ts'
import { refuse } from '../../kernel/refusal.ts'
import type { CompanyFacts } from '../../kernel/settings.ts'
import { type Statement, statement } from '../../kernel/statement.ts'
import { missing } from '../../platform/lists/record-methods.ts'
import { type ItemFacts, itemFacts } from '../../stock/items.ts'
import { readTax, type StoredTax, storedTax } from '../tax.ts'
import { type Quote, quoteKind, quoteLineRow, quoteRow, quoteState } from './quote.ts'

type QuoteFactsRow = {
  readonly id: number
  readonly num: string
  readonly status: number
  readonly date_placed: string
  readonly valid_until: string
  readonly customer_id: number
  readonly delivery_price: string
  readonly discount: string
  readonly notes: string
  readonly tax: StoredTax | null
  /** How its customer is taxed now. */
  readonly customer_tax: PartyTax
  readonly sale_id: number | null
  readonly line_rows: readonly (Omit<PricedLine, 'cost'> & { readonly tax_rate_id: number | null })[]
}

/** Null when there is none. */
export type QuoteFacts = {
  readonly quote: QuoteFactsRow | null
  readonly company: CompanyFacts
  /** Whether it has a link that works. */
  readonly has_link: boolean
}

/** A subselect: the quote selected by a condition on `d`. */
export const foundQuote = (condition: string): string => `(
  select json_build_object('id', d.id, 'num', d.num, 'status', d.status, 'date_placed', d.date_placed, 'valid_until', d.valid_until,
    'customer_id', d.customer_id, 'delivery_price', d.delivery_price::text, 'discount', d.discount::text, 'notes', d.notes, 'sale_id', d.sale_id, 'tax', d.tax,
    'customer_tax', (
      select json_build_object('treatment', u.tax_treatment, 'reason', u.tax_reason) from customers u
      where u.company_id = :company_id and u.id = d.customer_id),
    'line_rows', (
      select coalesce(json_agg(json_build_object('kind', i.kind, 'unit_id', i.unit_id, 'tax_rate_id', i.tax_rate_id, 'item_id', l.item_id, 'amount', l.amount::text, 'total', l.total::text)
        order by l.position), '[]'::json)
      from quote_lines l join items i on i.company_id = :company_id and i.id = l.item_id
      where l.company_id = :company_id and l.quote_id = d.id))
  from quotes d where d.company_id = :company_id and ${condition})`

type OfQuote = { readonly company_id: number; readonly quote_id: number }

const facts = statement<QuoteFacts, OfQuote & CompanyFactsValues>(
  'quotes.facts',
  `select ${companyFacts} as company, ${foundQuote('d.id = :quote_id')} as quote,
     exists (select from quote_links l where l.company_id = :company_id and l.quote_id = :quote_id and l.revoked_at is null) as has_link`,
)
export const factsOfQuote = ({ companyId, connectionId }: RequestContext, id: number): Statement<QuoteFacts> =>
  facts({ company_id: companyId, connection_id: connectionId, quote_id: id })

export type NamedFacts = Omit<QuoteFacts, 'has_link'> &
  ItemFacts & { readonly party: { readonly id: number } | null; readonly free_number?: number }

const ownItems = 'select l.item_id from quote_lines l where l.company_id = :company_id and l.quote_id = :quote_id'
const namedFacts = statement<
  NamedFacts,
  OfQuote &
    CompanyFactsValues &
    Pick<ReturnType<typeof namedItemValues>, 'item_ids' | 'product_skus' | 'material_skus'> & {
      readonly party_id: number | null
    }
>(
  'quotes.named_facts',
  `select ${companyFacts} as company, ${foundQuote('d.id = :quote_id')} as quote, ${partyFactsById(customer)} as party,
     ${itemFacts(':item_ids', ':product_skus', ':material_skus', ownItems)}, ${freeNumberFacts(quoteKind, 'free_number')}`,
)

/** With what the request names. A new quote has the id 0. */
export const factsOfNamed = (
  { companyId, connectionId }: RequestContext,
  id: number,
  {
    lines,
    customerId,
  }: { readonly lines?: readonly LineInput[] | undefined; readonly customerId?: number | undefined },
): Statement<NamedFacts> =>
  namedFacts({
    company_id: companyId,
    connection_id: connectionId,
    quote_id: id,
    party_id: customerId ?? null,
    ...namedItemValues(lines ?? []),
  })

/** The quote in the facts, or the refusal that it does not exist. */
export const loadQuote = ({ quote }: Pick<QuoteFacts, 'quote'>): Quote =>
  quote === null ? refuse(missing(quoteKind), { code: 'record_not_found' }) : readQuote(quote)

export const readQuote = (row: QuoteFactsRow): Quote => ({
  id: row.id,
  num: row.num,
  status: row.status,
  datePlaced: row.date_placed,
  validUntil: row.valid_until,
  customerId: row.customer_id,
  deliveryPrice: moneyFrom(row.delivery_price),
  discount: moneyFrom(row.discount),
  notes: row.notes,
  tax: readTax(row.tax),
  saleId: row.sale_id,
  // What the goods cost is known when they are sold.
  lines: readLines(row.line_rows.map((line) => ({ ...line, cost: '0' }))),
})

type Row = ReturnType<typeof quoteRow> &
  OfQuote & { readonly num_key: string; readonly tax: string | null; readonly at: string }

const columns = [
  'num',
  'num_key',
  'status',
  'date_placed',
  'valid_until',
  'customer_id',
  'subtotal',
  'delivery_price',
  'discount',
  'total',
  'lines',
  'notes',
  'tax',
  'sale_id',
]
const insert = statement<never, Row>(
  'quotes.insert',
  `insert into quotes (company_id, id, ${columns.join(', ')}, created_at, updated_at)
   values (:company_id, :quote_id, ${columns.map((name) => `:${name}`).join(', ')}, :at, :at)`,
)
const update = statement<never, Row>(
  'quotes.update',
  `update quotes set ${columns.map((name) => `${name} = :${name}`).join(', ')}, updated_at = :at
   where company_id = :company_id and id = :quote_id`,
)
const remove = statement<never, OfQuote>(
  'quotes.delete',
  'delete from quotes where company_id = :company_id and id = :quote_id',
)
const insertLines = declareInsert<{ readonly quote_id: number }, ReturnType<typeof quoteLineRow>>({
  name: 'quotes.insert_lines',
  table: 'quote_lines',
  shared: ['quote_id'],
  columns: { item_id: 'bigint', amount: 'numeric', total: 'numeric' },
  numbered: 'position',
})
const removeLines = statement<never, OfQuote>(
  'quotes.delete_lines',
  'delete from quote_lines where company_id = :company_id and quote_id = :quote_id',
)
const removeLinks = statement<never, OfQuote>(
  'quotes.delete_links',
  'delete from quote_links where company_id = :company_id and quote_id = :quote_id',
)

/** Absent `before`: the quote is new. Absent `after`: it is deleted. */
export type QuoteChange = { readonly before: Quote | undefined; readonly after: Quote | undefined }

export function eventOfQuote({ before, after }: QuoteChange): { record: 'quote'; recordId: number; change: object } {
  const one = after ?? before
  if (one === undefined) throw new Error('a change needs a quote')
  const change =
    before !== undefined && after !== undefined
      ? difference(quoteState(before), { ...(before.tax === null ? {} : { tax: null }), ...quoteState(after) })
      : quoteState(one)
  return { record: 'quote', recordId: one.id, change }
}

/** The statements of a change. */
export function quoteStatements({ before, after }: QuoteChange, { context, at }: TransactionContext): Statement[] {
  const key = { company_id: context.companyId, quote_id: (after ?? before)?.id ?? 0 }
  if (after === undefined) return [removeLinks(key), removeLines(key), remove(key)]
  const tax = after.tax === null ? null : JSON.stringify(storedTax(after))
  const row = { ...quoteRow(after), ...key, num_key: naturalKey(after.num), tax, at }
  const newLines = (): Statement[] => insertLines(key, after.lines.map(quoteLineRow))
  if (before === undefined) return [insert(row), ...newLines()]
  return [update(row), ...(before.lines === after.lines ? [] : [removeLines(key), ...newLines()])]
}

/** Nothing is written when nothing changed, unless there are other statements. */
export function writtenQuote(
  change: QuoteChange,
  transaction: TransactionContext,
  more: readonly Statement[] = [],
): Written | undefined {
  const event = eventOfQuote(change)
  if (Object.keys(event.change).length === 0 && more.length === 0) return undefined
  return { statements: [...quoteStatements(change, transaction), ...more], event }
}

/** The links of a quote that still work stop working. */
export const revokeLinks = statement<never, OfQuote & { readonly at: string }>(
  'quote_links.revoke',
  `update quote_links set revoked_at = :at where company_id = :company_id and quote_id = :quote_id and revoked_at is null`,
)
/** The log of a quote contains this many links, the latest. */
const keptLinks = 20
export const dropOldLinks = statement<never, OfQuote>(
  'quote_links.drop_old',
  `delete from quote_links l where l.company_id = :company_id and l.quote_id = :quote_id and l.number <= (
     select max(n.number) - ${keptLinks} from quote_links n where n.company_id = :company_id and n.quote_id = :quote_id)`,
)
export const insertLink = statement<never, OfQuote & { readonly mail_id: string | null; readonly at: string }>(
  'quote_links.insert',
  `insert into quote_links (company_id, quote_id, number, mail_id, sent_at)
   select q.company_id, q.id, coalesce((
       select max(l.number) from quote_links l where l.company_id = :company_id and l.quote_id = q.id), 0) + 1, :mail_id::text, :at::timestamptz
   from quotes q where q.company_id = :company_id and q.id = :quote_id`,
)
/** The token of the latest link of a quote. Its hash is in base64, because a plan may come from a thread. */
export const insertToken = statement<never, OfQuote & { readonly token_hash: string }>(
  'quote_links.insert_token',
  `insert into quote_tokens (company_id, token_hash, quote_id, number)
   select l.company_id, decode(:token_hash, 'base64'), l.quote_id, l.number
   from quote_links l where l.company_id = :company_id and l.quote_id = :quote_id order by l.number desc limit 1`,
)
