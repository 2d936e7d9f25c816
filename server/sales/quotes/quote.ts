// The rules of a quote: its fields, its statuses, and until when it can be accepted. Pure. A quote has no effect on stock.

import { type DocumentKind, moneySums } from '../../documents/document.ts'
import type { DocumentLine } from '../../documents/lines.ts'
import { type Money, moneyText, quantityText } from '../../kernel/decimal.ts'
import { quoteStatus } from '../../kernel/document-statuses.ts'
import type { RecordState } from '../../kernel/patch.ts'
import { type RefusalCode, refuse } from '../../kernel/refusal.ts'
import { type SaleTax, storedTax } from '../tax.ts'

export const quoteKind: DocumentKind = {
  section: 'quotes',
  noun: 'quote',
  entity: 'Quote',
  counter: 'quote_id',
  table: 'quotes',
  linesTable: 'quote_lines',
  key: 'quote_id',
  ledger: 'quotes',
  listedBy: 'date_placed',
  numbers: { counter: 'quote_number', prefix: 'Q-' },
}

export type Quote = {
  readonly id: number
  readonly num: string
  readonly status: number
  readonly datePlaced: string
  readonly validUntil: string
  readonly customerId: number
  readonly deliveryPrice: Money
  readonly discount: Money
  readonly notes: string
  /** Null when the company charges none, and in drafts, whose tax is computed when it is read. */
  readonly tax: SaleTax | null
  /** The sale that it became. */
  readonly saleId: number | null
  readonly lines: readonly DocumentLine[]
}

/** How long a new quote is valid unless the request says otherwise. */
const validDays = 30

export const defaultValidUntil = (datePlaced: string): string => {
  const day = new Date(`${datePlaced}T00:00:00Z`)
  day.setUTCDate(day.getUTCDate() + validDays)
  // A day after the year 9999 has another form.
  return day.getUTCFullYear() > 9999 ? '9999-12-31' : day.toISOString().slice(0, 10)
}

/** As stored, without its lines. */
export const quoteRow = (quote: Quote) => ({
  num: quote.num,
  status: quote.status,
  date_placed: quote.datePlaced,
  valid_until: quote.validUntil,
  customer_id: quote.customerId,
  ...moneySums(quote),
  lines: quote.lines.length,
  notes: quote.notes,
  sale_id: quote.saleId,
})

export const quoteLineRow = ({ itemId, amount, total }: DocumentLine) => ({
  item_id: itemId,
  amount: quantityText(amount),
  total: moneyText(total),
})

/** As events record it. */
export const quoteState = (quote: Quote): RecordState => ({
  ...quoteRow(quote),
  // A company without tax rates sees nothing of it.
  ...(quote.tax === null ? {} : { tax: storedTax(quote) }),
  lines: quote.lines.map(quoteLineRow),
})

const { draft, sent, accepted, declined } = quoteStatus

export const notADraft = 'Only a draft can be changed'
export const notSent = 'The quote is not sent'
export const alreadyAccepted = 'The quote is accepted'
export const expired = 'The quote has expired'
export const validBeforeItsDay = 'The quote must be valid until its day or longer'

const refuseUnless = (holds: boolean, text: string, code: RefusalCode): void => {
  if (!holds) refuse(text, { code })
}

export const refuseUnlessDraft = ({ status }: Quote): void =>
  refuseUnless(status === draft, notADraft, 'quote_not_a_draft')

/** A draft is sent; a sent quote is sent again with another link. */
export function refuseSending({ status, validUntil }: Quote, today: string): void {
  refuseUnless(status === draft || status === sent, notADraft, 'quote_not_a_draft')
  refuseUnless(validUntil >= today, expired, 'quote_expired')
}

/** Customers and users decide about a sent quote. Users may also accept one that has expired. */
export const refuseUnlessSent = ({ status }: Quote): void => refuseUnless(status === sent, notSent, 'quote_not_sent')

export const refuseExpired = ({ validUntil }: Pick<Quote, 'validUntil'>, today: string): void =>
  refuseUnless(validUntil >= today, expired, 'quote_expired')

/** A sent or declined quote becomes a draft again. */
export const refuseReopening = ({ status }: Quote): void =>
  refuseUnless(status !== accepted, alreadyAccepted, 'quote_accepted')

export const isAccepted = ({ status }: Pick<Quote, 'status'>): boolean => status === accepted
export const isDeclined = ({ status }: Pick<Quote, 'status'>): boolean => status === declined
