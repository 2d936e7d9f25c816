// The tax of a sale or a quote. The rates of its items, and whether its customer is charged any, are copied when it is made; the sums follow from its lines. Pure.

import type { PartyTax } from '../contacts/party.ts'
import type { TaxTreatment } from '../contacts/tax-terms.ts'
import type { DocumentLine } from '../documents/lines.ts'
import { formatDecimal, fromDatabase, type Money, moneyText } from '../kernel/decimal.ts'
import type { CompanyTax } from '../kernel/settings.ts'
import { computeTax, noRate, percentPlaces, type TaxRate } from '../kernel/tax.ts'

/** What a sale keeps: who pays tax, and the rate of each item on its lines. */
export type SaleTax = {
  readonly isIncluded: boolean
  readonly treatment: TaxTreatment
  readonly reason: string
  readonly rates: ReadonlyMap<number, TaxRate>
}

/** As stored and shown. Decimal numbers are texts. */
export type StoredTax = {
  /** Whether the prices contain the tax. */
  readonly included: boolean
  readonly treatment: TaxTreatment
  readonly reason: string
  readonly net: string
  readonly tax: string
  readonly gross: string
  readonly rates: readonly {
    readonly name: string
    readonly percent: string
    readonly net: string
    readonly tax: string
    readonly gross: string
    /** The items on the lines with this rate. */
    readonly items: readonly number[]
  }[]
}

/** Null: the default rate of the company. */
type RatedItems = { readonly load: (itemId: number) => { readonly taxRateId: number | null } }

type Taxed = {
  readonly lines: readonly DocumentLine[]
  readonly deliveryPrice: Money
  readonly discount: Money
  readonly tax: SaleTax | null
}

function currentRate(itemId: number, items: RatedItems, { rates, default_id: defaultId }: CompanyTax): TaxRate {
  const id = items.load(itemId).taxRateId ?? defaultId
  const [, name, percent] = rates.find(([one]) => one === id) ?? []
  return name === undefined || percent === undefined ? noRate : { name, percent: fromDatabase(percent, percentPlaces) }
}

/** The tax of a sale with another customer, or of a new one; null when the company charges none. */
export const newTax = (company: CompanyTax | null, customer: PartyTax | undefined): SaleTax | null =>
  company === null
    ? null
    : {
        isIncluded: company.included,
        treatment: customer?.treatment ?? '',
        reason: customer?.treatment ? customer.reason : '',
        rates: new Map(),
      }

/** The sale with the rates of its lines: an item keeps the one that it has in the sale. */
export function withRates<S extends Taxed>(sale: S, items: RatedItems, company: CompanyTax | null): S {
  const { tax, lines } = sale
  if (tax === null) return sale
  const rateOf = (itemId: number): TaxRate =>
    tax.treatment === '' && company !== null ? currentRate(itemId, items, company) : noRate
  const rates = new Map(lines.map(({ itemId }) => [itemId, tax.rates.get(itemId) ?? rateOf(itemId)]))
  return { ...sale, tax: { ...tax, rates } }
}

/** The column of the sale. */
export function storedTax({ tax: kept, lines, deliveryPrice, discount }: Taxed): StoredTax | null {
  if (kept === null) return null
  const { isIncluded, treatment, reason } = kept
  const rateOf = (itemId: number): TaxRate => kept.rates.get(itemId) ?? noRate
  const { rates, net, tax, gross } = computeTax({
    lines: lines.map(({ itemId, total }) => ({ rate: rateOf(itemId), total })),
    deliveryPrice,
    discount,
    isIncluded,
  })
  const itemIds = [...new Set(lines.map(({ itemId }) => itemId))].toSorted((one, other) => one - other)
  const isSame = (one: TaxRate, other: TaxRate): boolean => one.name === other.name && one.percent === other.percent
  return {
    included: isIncluded,
    treatment,
    reason,
    net: moneyText(net),
    tax: moneyText(tax),
    gross: moneyText(gross),
    rates: rates.map((one) => ({
      name: one.name,
      percent: formatDecimal(one.percent, percentPlaces),
      net: moneyText(one.net),
      tax: moneyText(one.tax),
      gross: moneyText(one.gross),
      items: itemIds.filter((itemId) => isSame(rateOf(itemId), one)),
    })),
  }
}

/** A quote or sale with the tax of now: of its items and its customer. */
export const withTax = <S extends Taxed>(
  sale: S,
  customer: PartyTax | undefined,
  items: RatedItems,
  company: CompanyTax | null,
): S => withRates({ ...sale, tax: newTax(company, customer) }, items, company)

export const readTax = (stored: StoredTax | null): SaleTax | null =>
  stored === null
    ? null
    : {
        isIncluded: stored.included,
        treatment: stored.treatment,
        reason: stored.reason,
        rates: new Map(
          stored.rates.flatMap(({ name, percent, items }) => {
            const rate = { name, percent: fromDatabase(percent, percentPlaces) }
            return items.map((itemId) => [itemId, rate] as const)
          }),
        ),
      }
