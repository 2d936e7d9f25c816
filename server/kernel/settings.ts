// What a company has decided about its own sales. Read with the facts of a request, never remembered between requests.

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

/** The settings, the company's own date, and the number prefix of the connection that calls. */
export type CompanyFacts = Settings & { readonly today: string; readonly number_prefix: string }
