// How numbers, money and days are written on paper. Decimal numbers are texts and stay exact.

import { type DocumentLanguageFacts, documentLanguage, germanSpeaking } from '../../access/document-language.ts'
import type { CompanyFacts, Language } from './job.ts'

export type Formats = {
  readonly language: Language
  /** Two decimals, without a currency: the columns of a table. */
  readonly plain: (decimal: string) => string
  readonly money: (decimal: string) => string
  readonly quantity: (decimal: string, unit?: string) => string
  /** `19` as 19 %. */
  readonly percent: (decimal: string) => string
  readonly day: (day: string) => string
  readonly country: (code: string) => string
  readonly script: (code: string) => string
}

/** Countries in which English numbers and days are written the American way. */
const american = ['US', 'PH']

const onLetter = ['US', 'CA', 'MX', 'PH', 'CL', 'CO', 'VE', 'GT', 'CR', 'PA', 'DO', 'SV', 'NI', 'HN', 'PR']

export const languageOf = (chosen: Language | undefined, company: DocumentLanguageFacts): Language =>
  chosen ?? documentLanguage(company)

export const paperSizeOf = ({ paper_size, country }: CompanyFacts): 'A4' | 'Letter' =>
  paper_size === '' ? (onLetter.includes(country) ? 'Letter' : 'A4') : paper_size

function localeOf(language: Language, country: string): string {
  if (language === 'en') return american.includes(country) ? 'en-US' : 'en-GB'
  // Swiss and Austrian numbers differ from German ones.
  return language === 'de' && germanSpeaking.includes(country) ? `de-${country}` : language
}

const withMinus = (text: string): string => text.replace('-', '\u2212')

export function formatsFor(language: Language, { country, currency }: CompanyFacts): Formats {
  const locale = localeOf(language, country)
  const two = { minimumFractionDigits: 2, maximumFractionDigits: 2 } as const
  const plain = new Intl.NumberFormat(locale, two)
  const money = new Intl.NumberFormat(locale, { ...two, style: 'currency', currency, currencyDisplay: 'narrowSymbol' })
  const quantity = new Intl.NumberFormat(locale, { maximumFractionDigits: 6 })
  const percent = new Intl.NumberFormat(locale, { style: 'percent', maximumFractionDigits: 3 })
  const day = new Intl.DateTimeFormat(locale, {
    day: language === 'en' ? 'numeric' : '2-digit',
    month: language === 'en' ? 'short' : '2-digit',
    year: 'numeric',
    timeZone: 'UTC',
  })
  // A text is formatted digit by digit; its type allows only numbers.
  const exact = (format: Intl.NumberFormat, decimal: string): string => withMinus(format.format(decimal as `${number}`))
  const countries = new Intl.DisplayNames(locale, { type: 'region' })
  const scripts = new Intl.DisplayNames(locale, { type: 'script' })
  return {
    language,
    plain: (decimal) => exact(plain, decimal),
    money: (decimal) => exact(money, decimal),
    quantity: (decimal, unit = '') => `${exact(quantity, decimal)}${unit === '' ? '' : `\u00a0${unit}`}`,
    // Intl moves the point by two places.
    percent: (decimal) => exact(percent, `${decimal}e-2`),
    day: (text) => {
      const shown = day.format(new Date(`${text}T00:00:00Z`))
      return language === 'ru' ? shown.replace(/\s?г\.$/, '') : shown
    },
    country: (code) => countries.of(code) ?? code,
    script: (code) => scripts.of(code) ?? code,
  }
}
