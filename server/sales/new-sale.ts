// A new sale, whether a request adds it or a customer accepts a quote. Pure.

import type { PlannedParty } from '../contacts/party.ts'
import { settledStorages } from '../documents/fields.ts'
import type { DocumentLine } from '../documents/lines.ts'
import type { SkippedLine } from '../documents/skipped-lines.ts'
import type { TransactionContext } from '../kernel/clock.ts'
import { saleStatus } from '../kernel/document-statuses.ts'
import type { CompanyFacts } from '../kernel/settings.ts'
import type { Items } from '../stock/items.ts'
import type { SaleFields } from './input.ts'
import { planSale, type SaleChange } from './plan.ts'
import type { Sale } from './sale.ts'
import { type SaleTax, withRates } from './tax.ts'

/** Whatever is undefined has its default. */
export type NewSale = {
  readonly num: string
  readonly fields: SaleFields
  readonly notes: string
  readonly party: Pick<PlannedParty, 'id' | 'addresses'>
  readonly tax: SaleTax | null
  readonly lines: readonly DocumentLine[]
  readonly skipped: readonly SkippedLine[]
}

export function planNewSale(
  { num, fields, notes, party, tax, lines, skipped }: NewSale,
  company: CompanyFacts,
  items: Items,
  transaction: TransactionContext,
): SaleChange {
  const datePlaced = fields.datePlaced ?? company.today
  const dateShipped = fields.dateShipped === undefined || fields.dateShipped === '' ? null : fields.dateShipped
  const shipped = company.default_sale_status === saleStatus.shipped
  const sale: Sale = {
    id: transaction.ids.next('sale_id'),
    num,
    status: company.default_sale_status,
    payment: 0,
    datePlaced,
    dateShipped,
    dateDeducted: shipped ? (dateShipped ?? datePlaced) : null,
    deliveryPrice: fields.deliveryPrice ?? 0n,
    discount: fields.discount ?? 0n,
    production: fields.production ?? false,
    source: transaction.context.source,
    notes,
    ...settledStorages(fields, undefined, company),
    customerId: party.id,
    billingAddress: fields.billingAddress ?? party.addresses.billing,
    deliveryAddress: fields.deliveryAddress ?? party.addresses.delivery,
    tax,
    lines,
    shipments: [],
    skipped,
  }
  return planSale(undefined, withRates(sale, items, company.tax), items, transaction)
}
