// quotes/accept: a sent quote becomes a sale, once. A user accepts it for the customer, or the customer on the page of the link (overview/quotes).

import { z } from 'zod'
import type { PartyAddresses } from '../../contacts/party.ts'
import { allLines, type DocumentLine, heldBy } from '../../documents/lines.ts'
import { productionEvents } from '../../fulfilment/made-to-order.ts'
import { type TransactionContext, withRelated } from '../../kernel/clock.ts'
import { quoteStatus } from '../../kernel/document-statuses.ts'
import { type RelatedEvent, type Written, write } from '../../kernel/method.ts'
import { type Statement, statement } from '../../kernel/statement.ts'
import { Items } from '../../stock/items.ts'
import { planNewSale } from '../new-sale.ts'
import { proposedNumber } from '../orders/next_number.ts'
import type { SaleChange } from '../plan.ts'
import { factsOfNewFrom, type NewFacts, skipTakenProductionNumbers, writtenSale } from '../store.ts'
import { keyInput, keyRefusals } from './input.ts'
import { isAccepted, notSent, type Quote, refuseUnlessSent } from './quote.ts'
import { eventOfQuote, foundQuote, loadQuote, type QuoteFacts, quoteStatements } from './store.ts'

export type AcceptanceFacts = NewFacts &
  Pick<QuoteFacts, 'quote'> & {
    readonly addresses: PartyAddresses | null
    /** Null when none could be found. */
    readonly next_number: string | null
  }

type Values = { readonly company_id: number; readonly quote_id: number }

/** Items and customers are read even if they were deleted since. */
export const factsOfAcceptance = statement<AcceptanceFacts, Values>(
  'quotes.acceptance_facts',
  `select f.*, ${foundQuote('d.id = :quote_id')} as quote, (
       select json_build_object('billing', u.address_legal, 'delivery', u.address_real) from quotes d
       join customers u on u.company_id = :company_id and u.id = d.customer_id
       where d.company_id = :company_id and d.id = :quote_id) as addresses,
     (${proposedNumber}) as next_number
   from (${factsOfNewFrom('select l.item_id from quote_lines l where l.company_id = :company_id and l.quote_id = :quote_id')}) f`,
)

export type Acceptance = {
  readonly before: Quote
  /** Absent when the quote was accepted before: nothing changes. */
  readonly sale?: { readonly change: SaleChange; readonly facts: AcceptanceFacts; readonly after: Quote }
  readonly saleId: number
}

export function planAcceptance(facts: AcceptanceFacts, transaction: TransactionContext): Acceptance {
  const before = loadQuote(facts)
  if (isAccepted(before) && before.saleId !== null) return { before, saleId: before.saleId }
  refuseUnlessSent(before)
  const { company, addresses } = facts
  skipTakenProductionNumbers(facts, transaction)
  const items = new Items(facts)
  const change = planNewSale(
    {
      num: facts.next_number ?? before.num,
      fields: fieldsOf(before, company.default_fulfillment === 'production'),
      notes: before.notes,
      party: { id: before.customerId, addresses: addresses ?? { billing: '', delivery: '' } },
      tax: before.tax,
      lines: pricedLines(before.lines, items),
      skipped: [],
    },
    company,
    items,
    transaction,
  )
  const after = { ...before, status: quoteStatus.accepted, saleId: change.id }
  return { before, sale: { change, facts, after }, saleId: change.id }
}

/** The sale is of the day on which the quote is accepted. */
const fieldsOf = ({ deliveryPrice, discount }: Quote, isMadeToOrder: boolean) => ({
  datePlaced: undefined,
  dateShipped: undefined,
  productsStorageId: undefined,
  materialsStorageId: undefined,
  production: isMadeToOrder,
  deliveryPrice,
  discount,
  notes: undefined,
  billingAddress: undefined,
  deliveryAddress: undefined,
})

/** Quantities and prices are those of the quote, costs are those of now. */
const pricedLines = (lines: readonly DocumentLine[], items: Items): DocumentLine[] =>
  allLines(
    lines.map(({ itemId: id, kind, amount, total }) => ({ kind, named: { id }, label: `id ${id}`, amount, total })),
    items,
    heldBy({ lines }),
  )

/** The sale and the quote are written together; `more` are written with them. */
export function writtenAcceptance(
  { before, sale }: Acceptance,
  transaction: TransactionContext,
  more: readonly Statement[] = [],
): Written | undefined {
  if (sale === undefined) return undefined
  const quote = { before, after: sale.after }
  const quoteEvent: RelatedEvent = { ...eventOfQuote(quote), action: 'updated' }
  const related = [...productionEvents(sale.change.production), quoteEvent]
  const written = writtenSale(sale.change, withRelated(transaction, related), undefined, sale.facts)
  if (written === undefined) throw new Error('a new sale is written')
  return {
    statements: [...written.statements, ...quoteStatements(quote, transaction), ...more],
    event: { ...written.event, action: 'created' },
    related,
  }
}

export const acceptQuote = write({
  path: 'quotes/accept',
  api: 'app',
  summary: 'Accept a sent quote for the customer: it becomes a sale.',
  notes: [
    'The sale has the quantities, prices and tax of the quote, the next number of sales, and the day of today. It is made as `orders/add` makes it, with the default status, storage locations and fulfilment of the settings.',
    'A quote becomes one sale: accepting it again returns the same.',
    'A quote that has expired can be accepted here, and not by the customer.',
  ],
  input: keyInput,
  output: z.object({ order_id: z.int().describe('Id of the sale.') }),
  refusals: [...keyRefusals, notSent],
  example: { request: { quote_id: 1 }, response: { success: true, order_id: 1 } },
  facts: ({ id }, { companyId }) => factsOfAcceptance({ company_id: companyId, quote_id: id }),
  plan: (_input, facts: AcceptanceFacts, transaction) => planAcceptance(facts, transaction),
  write: (plan, transaction) => writtenAcceptance(plan, transaction),
  response: ({ saleId }) => ({ order_id: saleId }),
})
