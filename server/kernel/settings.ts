// The settings of a company. Read with the facts of each request, never cached between requests.

export const saleStatuses = [0, 1, 3, 4] as const
export type SettableSaleStatus = (typeof saleStatuses)[number]

export type Settings = {
  readonly timezone: string
  readonly default_sale_status: SettableSaleStatus
  readonly materials_in_sales: boolean
  readonly products_storage_id: number
  readonly materials_storage_id: number
  readonly default_fulfillment: 'stock' | 'production'
  readonly show_payment_status: boolean
  readonly daily_limit: number
}

/** How a company charges tax, with all its rates. */
export type CompanyTax = {
  readonly included: boolean
  readonly default_id: number
  readonly rates: readonly (readonly [id: number, name: string, percent: string])[]
}

/** The settings, the date in the company's time zone, and the number prefix of the calling connection; `tax` is null when the company charges none. */
export type CompanyFacts = Settings & {
  readonly today: string
  readonly number_prefix: string
  readonly tax: CompanyTax | null
}
