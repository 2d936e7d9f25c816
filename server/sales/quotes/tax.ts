// The tax of a quote: that of now as long as it is a draft, stored when it is sent.

import { companyTax } from '../../access/settings.ts'
import { quoteStatus } from '../../kernel/document-statuses.ts'
import type { CompanyTax } from '../../kernel/settings.ts'
import { type StoredTax, storedTax, withTax } from '../tax.ts'
import type { Quote } from './quote.ts'
import { foundQuote, type QuoteFacts, readQuote } from './store.ts'

/** The quote with the tax that its customer and its items have now. */
export function withTaxOfNow(
  quote: Quote,
  { quote: row }: Pick<QuoteFacts, 'quote'>,
  company: CompanyTax | null,
): Quote {
  const rates = new Map(row?.line_rows.map(({ item_id: id, tax_rate_id: rate }) => [id, rate]))
  const items = { load: (itemId: number) => ({ taxRateId: rates.get(itemId) ?? null }) }
  return withTax(quote, row?.customer_tax, items, company)
}

/** What the tax of a draft follows from; without a quote it is no draft. */
export type DraftFacts = Pick<QuoteFacts, 'quote'> & { readonly company_tax: CompanyTax | null }
/** A subselect. `id` is the parameter of the quote. */
export const draftFacts = (id: string): string => `(
  select json_build_object('company_tax', ${companyTax}, 'quote', ${foundQuote(`d.id = ${id} and d.status = ${quoteStatus.draft}`)})
  from companies c where c.company_id = :company_id)`

/** Undefined if it is no draft: then it is stored. */
export const taxOfDraft = (facts: DraftFacts): StoredTax | null | undefined =>
  facts.quote === null ? undefined : storedTax(withTaxOfNow(readQuote(facts.quote), facts, facts.company_tax))
