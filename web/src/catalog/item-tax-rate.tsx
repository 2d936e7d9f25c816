// The tax rate of an item: one of its own, or the default of the company. Shown only if the company charges tax.

import { Select } from '@mantine/core'
import type { ReactNode } from 'react'
import { rateLabel, useHasTaxes, useTaxRates } from '../kit/tax-rates.ts'
import { messages } from '../messages.ts'

const texts = messages.catalog

type Props = {
  readonly value: number | null
  readonly error: ReactNode
  readonly onChange: (id: number | null) => void
}

export function ItemTaxRate({ value, error, onChange }: Props) {
  const rates = useTaxRates()
  if (!useHasTaxes()) return null
  const standard = rates.find((rate) => rate.is_default)
  // An archived rate can be kept.
  const offered = rates.filter((rate) => !rate.is_archived || rate.id === value)
  return (
    <Select
      label={texts.field.tax_rate_id}
      data={[
        { value: '', label: texts.taxDefault(standard === undefined ? '' : rateLabel(standard)) },
        ...offered.map((rate) => ({ value: String(rate.id), label: rateLabel(rate) })),
      ]}
      allowDeselect={false}
      value={value === null ? '' : String(value)}
      error={error}
      onChange={(id) => onChange(id === null || id === '' ? null : Number(id))}
    />
  )
}
