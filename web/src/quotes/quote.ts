// A quote as form values, and as input of the methods.

import { chargesInput, linesOf, pricedInput, sent } from '../documents/lines.ts'
import type { Line } from '../kit/line.ts'
import type { Output } from '../server/call.ts'
import type { Session } from '../session.tsx'

export type QuoteCard = Output<'quotes/get_card'>

/** A link that works, or will when its mail is sent. */
export const hasLink = ({ links }: Pick<QuoteCard, 'links'>): boolean =>
  links.some(({ revoked_at: revoked }) => revoked === null)

export type QuoteValues = {
  num: string
  customer_id: number | null
  date_placed: string
  valid_until: string
  delivery_price: number
  discount: number
  notes: string
  lines: Line[]
}

export const valuesOf = ({ quote }: QuoteCard): QuoteValues => ({
  num: quote.num,
  customer_id: quote.customer_id,
  date_placed: quote.date_placed,
  valid_until: quote.valid_until,
  delivery_price: quote.delivery_price,
  discount: quote.discount,
  notes: quote.notes,
  lines: linesOf(quote),
})

/** How long a new quote is valid, unless the user chooses another day. */
const validDays = 30

function lastDayFrom(today: string): string {
  const day = new Date(`${today}T00:00:00Z`)
  day.setUTCDate(day.getUTCDate() + validDays)
  return day.toISOString().slice(0, 10)
}

export const newValues = ({ today }: Session, customerId: number | null, lines: Line[]): QuoteValues => ({
  num: '',
  customer_id: customerId,
  date_placed: today,
  valid_until: lastDayFrom(today),
  delivery_price: 0,
  discount: 0,
  notes: '',
  lines,
})

export function inputOf(values: QuoteValues) {
  const { num, customer_id: customer, date_placed: placed, valid_until: valid, notes, lines } = values
  return {
    notes,
    ...chargesInput(values),
    ...sent({ num: num.trim(), date_placed: placed, valid_until: valid }),
    ...(customer === null ? {} : { customer_id: customer }),
    ...pricedInput(lines),
  }
}
