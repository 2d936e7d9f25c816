// The total of a quote with its tax: contained in it, or added to it.

import type { Catalog } from '../messages/catalog.ts'

export type SumRow = { readonly label: string; readonly value: string; readonly isMain?: boolean }

type Tax = {
  readonly included: boolean
  readonly treatment: '' | 'exempt' | 'reverse_charge'
  readonly reason: string
  readonly net: string
  readonly gross: string
  readonly rates: readonly { readonly name: string; readonly percent: string; readonly tax: string }[]
}

type Formats = {
  readonly money: (value: number) => string
  readonly percent: (value: string) => string
}
type Texts = { readonly total: string; readonly tax: Catalog['sales']['tax'] }

/** Without tax rates it is only the total. Where no tax is charged, the reason is below it. */
export function totalRows(
  total: number,
  tax: Tax | null,
  { money, percent }: Formats,
  { total: label, tax: texts }: Texts,
): SumRow[] {
  const totalRow: SumRow = { label, value: money(total), isMain: true }
  if (tax === null) return [totalRow]
  if (tax.treatment !== '') return [totalRow, { label: texts.treatment[tax.treatment], value: tax.reason }]
  const say = tax.included ? texts.included : texts.added
  const rates = tax.rates
    .filter(({ name }) => name !== '')
    .map((rate): SumRow => ({ label: say(`${rate.name} ${percent(rate.percent)}`), value: money(Number(rate.tax)) }))
  const net: SumRow = { label: texts.net, value: money(Number(tax.net)) }
  return tax.included
    ? [totalRow, ...rates, net]
    : [net, ...rates, { label: texts.gross, value: money(Number(tax.gross)), isMain: true }]
}
