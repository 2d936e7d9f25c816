// How values are written for a reader: money with the company's currency, quantities with their unit, days as the reader's
// locale writes them, and "–" for what is empty. Configured once, when the session is known.

export const empty = '–'

const locale = typeof navigator === 'undefined' ? 'en' : navigator.language
let currency = 'EUR'
let timezone: string | undefined

type Value = number | string | null | undefined

const isBlank = (value: Value): value is null | undefined | '' => value === null || value === undefined || value === ''

let moneyFormat = makeMoney()
let timeFormat = makeTime('short')
let exactFormat = makeTime('medium')
const quantityFormat = new Intl.NumberFormat(locale, { maximumFractionDigits: 6 })
const countFormat = new Intl.NumberFormat(locale)
// Days carry no time zone: they are read and written as UTC so that no clock can shift them.
const dayFormat = new Intl.DateTimeFormat(locale, {
  year: 'numeric',
  month: '2-digit',
  day: '2-digit',
  timeZone: 'UTC',
})
const shortDayFormat = new Intl.DateTimeFormat(locale, { month: 'short', day: 'numeric', timeZone: 'UTC' })

function makeMoney(): Intl.NumberFormat {
  try {
    return new Intl.NumberFormat(locale, { style: 'currency', currency, currencyDisplay: 'narrowSymbol' })
  } catch {
    return new Intl.NumberFormat(locale, { minimumFractionDigits: 2, maximumFractionDigits: 2 })
  }
}

function makeTime(timeStyle: 'short' | 'medium'): Intl.DateTimeFormat {
  return new Intl.DateTimeFormat(locale, { dateStyle: 'short', timeStyle, timeZone: timezone })
}

export function setFormat(of: { currency: string; timezone: string }): void {
  currency = of.currency
  timezone = of.timezone
  moneyFormat = makeMoney()
  timeFormat = makeTime('short')
  exactFormat = makeTime('medium')
}

const withMinus = (text: string): string => text.replace('-', '−')

/** `1234.5` → `€1,234.50` */
export const money = (value: Value): string => (isBlank(value) ? empty : withMinus(moneyFormat.format(Number(value))))

/** `2.500` with `kg` → `2.5 kg` */
export function quantity(value: Value, unit?: string | null): string {
  if (isBlank(value)) return empty
  const text = withMinus(quantityFormat.format(Number(value)))
  return unit ? `${text} ${unit}` : text
}

/** A change of a quantity, with its sign; none is "–". */
export const change = (value: number, unit?: string | null): string =>
  value === 0 ? empty : `${value > 0 ? '+' : ''}${quantity(value, unit)}`

export const count = (value: Value): string => (isBlank(value) ? empty : countFormat.format(Number(value)))

/** `0.214` → `21 %` */
export const share = (value: number | null | undefined): string =>
  value === null || value === undefined || !Number.isFinite(value) ? empty : withMinus(`${Math.round(value * 100)} %`)

/** A plain day `YYYY-MM-DD`. */
export const day = (value: string | null | undefined): string =>
  isBlank(value) ? empty : dayFormat.format(new Date(`${value.slice(0, 10)}T00:00:00Z`))

const patternParts: Readonly<Record<string, string>> = { day: 'DD', month: 'MM', year: 'YYYY' }
/** The same way of writing, as date fields take it. */
export const dayPattern = dayFormat
  .formatToParts(0)
  .map(({ type, value }) => patternParts[type] ?? (type === 'literal' ? value : ''))
  .join('')

/** A day without its year, for axes of charts. */
export const shortDay = (value: string): string => shortDayFormat.format(new Date(`${value}T00:00:00Z`))

/** A moment, in the company's time zone. */
export const time = (value: string | null | undefined): string =>
  isBlank(value) ? empty : timeFormat.format(new Date(value))

/** A moment to the second, for logs. */
export const timeExact = (value: string | null | undefined): string =>
  isBlank(value) ? empty : exactFormat.format(new Date(value))

/** A moment with its zone, for the hover. */
export const timeWithZone = (value: string | null | undefined): string =>
  isBlank(value) ? empty : `${time(value)} ${timezone ?? ''}`.trim()

/** Text, or the mark for none. */
export const text = (value: Value): string => (isBlank(value) ? empty : String(value))

/** The currency's sign, for fields of money. */
export const currencySign = (): string =>
  moneyFormat.formatToParts(0).find(({ type }) => type === 'currency')?.value ?? ''

/** What a person typed as a number, with a comma or a point; undefined when it is none. */
export function readNumber(typed: string): number | undefined {
  const cleaned = typed
    .trim()
    .replace(/[\s'’ ]/g, '')
    .replace('−', '-')
  const plain = cleaned.includes(',') && cleaned.includes('.') ? cleaned.replaceAll(',', '') : cleaned.replace(',', '.')
  return /^-?(\d+\.?\d*|\.\d+)$/.test(plain) ? Number(plain) : undefined
}
