// How values are formatted: money with the company's currency, quantities with their unit, days in the user's
// locale, and "–" for empty values. Configured once, when the session is loaded.

import { locale } from './language.ts'
import type { NumberField } from './numbers.ts'

export const empty = '–'

let currency = 'EUR'
let timezone: string | undefined

type Value = number | string | null | undefined

const isBlank = (value: Value): value is null | undefined | '' => value === null || value === undefined || value === ''

/** Formats that were made for the present company. */
let made = new Map<() => unknown, unknown>()

/** Made when it is first used: with all formats, the first page would be requested later. */
const format =
  <F>(make: () => F) =>
  (): F => {
    if (!made.has(make)) made.set(make, make())
    return made.get(make) as F
  }

const moneyFormat = format(() => makeMoney())
const unitPriceFormat = format(() => makeMoney(4))
const timeFormat = format(() => makeTime('short'))
const exactFormat = format(() => makeTime('medium'))
const clockFormat = format(() => new Intl.DateTimeFormat(locale, { timeStyle: 'medium', timeZone: timezone }))
const quantityFormat = format(() => new Intl.NumberFormat(locale, { maximumFractionDigits: 6 }))
const countFormat = format(() => new Intl.NumberFormat(locale))
const shortFormat = format(() => new Intl.NumberFormat(locale, { notation: 'compact', maximumFractionDigits: 1 }))
// Days have no time zone: they are parsed and formatted as UTC so that the local time zone cannot shift them.
const dayFormat = format(
  () => new Intl.DateTimeFormat(locale, { year: 'numeric', month: '2-digit', day: '2-digit', timeZone: 'UTC' }),
)
const shortDayFormat = format(
  () => new Intl.DateTimeFormat(locale, { month: 'short', day: 'numeric', timeZone: 'UTC' }),
)
const longDayFormat = format(
  () => new Intl.DateTimeFormat(locale, { weekday: 'long', month: 'long', day: 'numeric', timeZone: 'UTC' }),
)

/** Whether the user's locale has a decimal comma. */
export const hasDecimalComma = (): boolean =>
  countFormat()
    .formatToParts(0.5)
    .some(({ type, value }) => type === 'decimal' && value === ',')

function makeMoney(decimals?: number): Intl.NumberFormat {
  const more = decimals === undefined ? {} : { maximumFractionDigits: decimals }
  try {
    return new Intl.NumberFormat(locale, { style: 'currency', currency, currencyDisplay: 'narrowSymbol', ...more })
  } catch {
    return new Intl.NumberFormat(locale, { minimumFractionDigits: 2, maximumFractionDigits: decimals ?? 2 })
  }
}

function makeTime(timeStyle: 'short' | 'medium'): Intl.DateTimeFormat {
  return new Intl.DateTimeFormat(locale, { dateStyle: 'short', timeStyle, timeZone: timezone })
}

export function setFormat(of: { currency: string; timezone: string }): void {
  if (of.currency === currency && of.timezone === timezone) return
  currency = of.currency
  timezone = of.timezone
  made = new Map()
}

const withMinus = (text: string): string => text.replace('-', '−')

/** `1234.5` → `€1,234.50` */
export const money = (value: Value): string => (isBlank(value) ? empty : withMinus(moneyFormat().format(Number(value))))

/** A price of one unit may have fractions of a cent: `€0.0135`. */
export const unitPrice = (value: Value): string =>
  isBlank(value) ? empty : withMinus(unitPriceFormat().format(Number(value)))

/** `2.500` with `kg` → `2.5 kg` */
export function quantity(value: Value, unit?: string | null): string {
  if (isBlank(value)) return empty
  const text = withMinus(quantityFormat().format(Number(value)))
  return unit ? `${text} ${unit}` : text
}

/** A change of a quantity, with its sign; "–" for no change. */
export const change = (value: number, unit?: string | null): string =>
  value === 0 ? empty : `${value > 0 ? '+' : ''}${quantity(value, unit)}`

export const count = (value: Value): string => (isBlank(value) ? empty : countFormat().format(Number(value)))

/** For the axis of a chart: `€1,234,567` would be cut off, `1.2M` is not. */
export const axisCount = (value: number): string =>
  Math.abs(value) < 100_000 ? count(value) : shortFormat().format(value)

/** `0.214` → `21 %` */
export const share = (value: number | null | undefined): string =>
  value === null || value === undefined || !Number.isFinite(value) ? empty : withMinus(`${Math.round(value * 100)} %`)

/** A plain day `YYYY-MM-DD`. */
export const day = (value: string | null | undefined): string =>
  isBlank(value) ? empty : dayFormat().format(new Date(`${value.slice(0, 10)}T00:00:00Z`))

/** A day without its year, for chart axes. */
export const shortDay = (value: string): string => shortDayFormat().format(new Date(`${value}T00:00:00Z`))

/** A day with its weekday, for a heading. */
export const longDay = (value: string): string => longDayFormat().format(new Date(`${value}T00:00:00Z`))

/** A point in time, in the company's time zone. */
export const time = (value: string | null | undefined): string =>
  isBlank(value) ? empty : timeFormat().format(new Date(value))

/** A point in time to the second, for logs. */
export const timeExact = (value: string | null | undefined): string =>
  isBlank(value) ? empty : exactFormat().format(new Date(value))

/** The time of day to the second, where the day is known. */
export const clockExact = (value: string): string => clockFormat().format(new Date(value))

/** A point in time with its zone, for tooltips. */
export const timeWithZone = (value: string | null | undefined): string =>
  isBlank(value) ? empty : `${time(value)} ${timezone ?? ''}`.trim()

/** The text, or the mark for an empty value. */
export const text = (value: Value): string => (isBlank(value) ? empty : String(value))

/** The currency symbol, for money fields. */
export const currencySign = (): string =>
  moneyFormat()
    .formatToParts(0)
    .find(({ type }) => type === 'currency')?.value ?? ''

/** How a field with this many decimals parses and formats numbers, for this locale and company. */
export const numberField = (decimals: number, least?: number): NumberField => ({
  locale,
  decimals,
  currency,
  ...(least === undefined ? {} : { least }),
})
