// A choice of one of all countries, by its name in the language of the reader. Without a country the value is the empty string.

import { Select } from '@mantine/core'
import type { ReactNode } from 'react'
import { countryCodes } from '../countries.ts'
import { locale } from '../language.ts'

const names = new Intl.DisplayNames(locale, { type: 'region' })
export const countryName = (code: string): string => (code === '' ? '' : (names.of(code) ?? code))

const countries = countryCodes
  .map((code) => ({ value: code, label: countryName(code) }))
  .toSorted((a, b) => a.label.localeCompare(b.label, locale))

type CountrySelectProps = {
  readonly label: string
  readonly value: string
  readonly error?: ReactNode
  readonly onChange: (code: string) => void
}

export const CountrySelect = ({ label, value, error, onChange }: CountrySelectProps) => (
  <Select
    label={label}
    data={countries}
    searchable
    clearable
    limit={60}
    error={error}
    value={value === '' ? null : value}
    onChange={(code) => onChange(code ?? '')}
  />
)
