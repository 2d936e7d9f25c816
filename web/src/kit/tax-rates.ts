// The tax rates of the company, for those who choose or see them. Without rates, nothing of taxes is shown.

import { locale } from '../language.ts'
import type { TaxRatesGetListTaxRates } from '../methods.ts'
import { useMethod } from '../server/query.ts'
import { useSeesMoney, useSession } from '../session.tsx'

const format = new Intl.NumberFormat(locale, { style: 'percent', maximumFractionDigits: 3 })

/** 19 as 19 %. A decimal number as text stays exact to three decimals. */
export const percent = (value: number | string): string => format.format(Number(value) / 100)

/** Whether the company charges tax, and the user may see it. */
export function useHasTaxes(): boolean {
  const { settings } = useSession()
  return useSeesMoney() && settings.default_tax_rate_id !== null
}

const none: readonly TaxRatesGetListTaxRates[] = []

export function useTaxRates(): readonly TaxRatesGetListTaxRates[] {
  const enabled = useHasTaxes()
  return useMethod('tax_rates/get_list', {}, { enabled, staleMs: 60_000 }).data?.tax_rates ?? none
}

export const rateLabel = ({
  name,
  percent: of,
}: {
  readonly name: string
  readonly percent: number | string
}): string => `${name} ${percent(of)}`
