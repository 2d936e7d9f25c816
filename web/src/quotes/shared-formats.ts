// How a quote is written for its customer: in the language of the documents, which may be another than that of the browser.

import type { Language } from '../language.ts'

export type Formats = {
  readonly money: (value: number) => string
  /** 19 as 19 %. */
  readonly percent: (value: string) => string
  readonly quantity: (value: number, unit: string) => string
  readonly day: (day: string) => string
  readonly time: (time: string) => string
}

export function formatsFor(language: Language, currency: string): Formats {
  const locale = navigator.languages.find((one) => one.split('-')[0] === language) ?? language
  const money = new Intl.NumberFormat(locale, { style: 'currency', currency, currencyDisplay: 'narrowSymbol' })
  const quantity = new Intl.NumberFormat(locale, { maximumFractionDigits: 6 })
  const percent = new Intl.NumberFormat(locale, { style: 'percent', maximumFractionDigits: 3 })
  const day = new Intl.DateTimeFormat(locale, { dateStyle: 'medium', timeZone: 'UTC' })
  const time = new Intl.DateTimeFormat(locale, { dateStyle: 'medium', timeStyle: 'short' })
  const withMinus = (text: string): string => text.replace('-', '−')
  return {
    money: (value) => withMinus(money.format(value)),
    percent: (value) => percent.format(Number(value) / 100),
    quantity: (value, unit) => `${withMinus(quantity.format(value))}\u00a0${unit}`,
    day: (text) => day.format(new Date(`${text}T00:00:00Z`)),
    time: (text) => time.format(new Date(text)),
  }
}
