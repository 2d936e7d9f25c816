// Parsing and formatting of numbers in input fields. Numbers are parsed by the user's locale; the notation of another
// locale is accepted when it has only one meaning; the user is asked about an ambiguous number, which is never guessed.

import { decimalText, rounded } from './decimal.ts'

export type NumberRead =
  | { readonly is: 'empty' | 'wrong' }
  /** Digits and a point, with the decimals as written. */
  | { readonly is: 'number'; readonly text: string }
  /** `1,234` may be 1234 or 1.234. */
  | { readonly is: 'unclear'; readonly choices: readonly [string, string] }
  /** More decimals than the field accepts. It is not rounded unless the user agrees to `rounded`. */
  | { readonly is: 'fine'; readonly rounded: string }

export type NumberField = {
  readonly locale: string
  /** How many decimals the field accepts. Up to two are always shown: the field holds money. */
  readonly decimals: number
  /** Decimals that are always shown, where that is another number. */
  readonly least?: number
  /** The company's currency, so that its code is recognised as well as its symbol. */
  readonly currency?: string
}

type Marks = { readonly decimal: string; readonly group: string; readonly digits: readonly string[] }

const known = new Map<string, Marks>()

function marksOf(locale: string): Marks {
  const before = known.get(locale)
  if (before !== undefined) return before
  const parts = new Intl.NumberFormat(locale, { useGrouping: 'always' }).formatToParts(1234567.5)
  const part = (wanted: string): string => parts.find(({ type }) => type === wanted)?.value ?? ''
  const digits = [...new Intl.NumberFormat(locale, { useGrouping: false }).format(9876543210)].toReversed()
  const marks = { decimal: plainMark(part('decimal')), group: plainMark(part('group')), digits }
  known.set(locale, marks)
  return marks
}

const longest = 64
/** No amount or price exceeds these, and a number with more than 15 digits loses precision. */
const maxDigits = 13

/** Normalises characters with the same meaning: all spaces, apostrophes and Arabic separators. */
const plainMark = (text: string): string =>
  text
    .replace(/[\s\u2000-\u200a\u202f\u205f]/g, ' ')
    .replace(/['’‘ʼ`´＇]/g, "'")
    .replace(/[٫⎖]/g, '⎖')
    .replace(/٬/g, "'")

const invisible = /[\u00ad\u061c\u200b-\u200f\u202a-\u202e\u2060-\u2069\ufeff]/g
const minus = /[-−‐‑‒–﹣－]/

function asciiDigits(text: string, { digits }: Marks): string {
  return [...text]
    .map((sign) => {
      const at = digits.indexOf(sign)
      if (at >= 0) return String(at)
      const code = sign.codePointAt(0) ?? 0
      // Full-width digits, points, commas and signs, as typed on East Asian keyboards.
      return code >= 0xff0b && code <= 0xff19 ? String.fromCodePoint(code - 0xfee0) : sign
    })
    .join('')
}

const escaped = (text: string): string => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')
const currencyCodes = new Set(Intl.supportedValuesOf('currency'))

function signsOf({ locale, currency }: NumberField): string {
  const own =
    currency === undefined
      ? []
      : (['symbol', 'narrowSymbol'] as const).map((display) => signOf(locale, currency, display))
  return [...new Set(own)]
    .filter((sign) => sign !== '')
    .map((sign) => escaped(plainMark(sign)))
    .join('|')
}

function signOf(locale: string, currency: string, currencyDisplay: 'symbol' | 'narrowSymbol'): string {
  try {
    const format = new Intl.NumberFormat(locale, { style: 'currency', currency, currencyDisplay })
    const sign = format.formatToParts(0).find(({ type }) => type === 'currency')?.value ?? ''
    return sign.replace(invisible, '')
  } catch {
    return ''
  }
}

/** Removes a currency symbol at either end. */
function withoutCurrency(text: string, field: NumberField): string {
  const own = signsOf(field)
  const sign = `(?:${own === '' ? '' : `${own}|`}[A-Za-z]{0,3}\\p{Sc}|[A-Z]{3})`
  const [found] = new RegExp(`^${sign}|${sign}$`, 'u').exec(text) ?? []
  if (found === undefined || (/^[A-Z]{3}$/.test(found) && !currencyCodes.has(found) && !own.includes(found)))
    return text
  return (text.startsWith(found) ? text.slice(found.length) : text.slice(0, -found.length)).trim()
}

/** Groups of three, or of two above the last three as in India, with one separator throughout. */
function ungrouped(text: string): string | undefined {
  if (/^\d+$/.test(text)) return text
  const mark = /[^\d]/.exec(text)?.[0]
  if (mark === undefined || !"., '".includes(mark) || text.startsWith('0')) return undefined
  const one = mark === '.' ? '\\.' : mark
  const isGrouped = new RegExp(`^(?:\\d{1,3}(?:${one}\\d{3})+|\\d{1,2}(?:${one}\\d{2})+${one}\\d{3})$`).test(text)
  return isGrouped ? text.replaceAll(mark, '') : undefined
}

type Decimal = { readonly mark: string; readonly whole: string; readonly fraction: string }

/** Parsed with the last separator as the decimal separator. */
function asDecimal(text: string): Decimal | undefined {
  const [, before = '', mark = '', fraction = ''] = /^(.*)([.,⎖])(\d*)$/.exec(text) ?? []
  if (mark === '' || before.includes(mark) || (before === '' && fraction === '')) return undefined
  const whole = before === '' ? '0' : ungrouped(before)
  return whole === undefined ? undefined : { mark, whole, fraction }
}

/** Two cells of a spreadsheet: the tab or line break between them is not a thousands separator. */
export const hasSeveralCells = (text: string): boolean => /[\t\r\n\v\f]/.test(text.trim())

/** Parses typed or pasted text. */
export function readNumber(typed: string, field: NumberField): NumberRead {
  const read = parse(typed, field)
  if (read.is !== 'number') return read
  const fraction = read.text.split('.')[1] ?? ''
  if (fraction.replace(/0+$/, '').length <= field.decimals) return read
  return { is: 'fine', rounded: decimalText(rounded(read.text, field.decimals)) }
}

function parse(typed: string, field: NumberField): NumberRead {
  const wrong = { is: 'wrong' } as const
  if (typed.length > longest || hasSeveralCells(typed)) return wrong
  const marks = marksOf(field.locale)
  let rest = plainMark(asciiDigits(typed.replace(invisible, ''), marks)).trim()
  if (rest === '') return { is: 'empty' }
  let isNegative = false
  const takeSign = (): void => {
    if (isNegative) return
    // Accountants write negative numbers in brackets.
    const bracketed = /^\((.*)\)$/.exec(rest)?.[1]
    isNegative = bracketed !== undefined || minus.test(rest.charAt(0))
    rest = (bracketed ?? (isNegative || rest.startsWith('+') ? rest.slice(1) : rest)).trim()
  }
  /** Some accounting programs write the sign last: `5.00-`. */
  const takeLastSign = (): void => {
    if (isNegative || !minus.test(rest.slice(-1))) return
    isNegative = true
    rest = rest.slice(0, -1).trim()
  }
  takeSign()
  takeLastSign()
  rest = withoutCurrency(rest, field)
  takeSign()
  takeLastSign()
  if (!/^[\d., '⎖]+$/.test(rest) || !/\d/.test(rest)) return wrong

  const text = (whole: string, fraction = ''): string =>
    decimalText(`${isNegative ? '-' : ''}${whole}${fraction === '' ? '' : `.${fraction}`}`)
  const whole = ungrouped(rest)
  const decimal = asDecimal(rest)
  if ((whole ?? decimal?.whole ?? '').replace(/^0+/, '').length > maxDigits) return wrong
  if (decimal === undefined) return whole === undefined ? wrong : { is: 'number', text: text(whole) }
  const { mark, fraction } = decimal
  if (whole === undefined) {
    // A typing error in a grouped number, such as 1,2345: nobody writes decimals with the group separator that way.
    const isSlip = mark === marks.group && fraction.length > 3 && /^[1-9]\d{0,2}[.,]/.test(rest)
    return isSlip ? wrong : { is: 'number', text: text(decimal.whole, fraction) }
  }
  if (mark === marks.group) return { is: 'number', text: text(whole) }
  // A comma separates thousands in many locales; a point before three digits does so only in locales with a decimal
  // comma. In money fields neither can mean three decimals.
  const isOwn = mark === marks.decimal && mark !== ',' && field.decimals > 2
  if (isOwn) return { is: 'number', text: text(decimal.whole, fraction) }
  return { is: 'unclear', choices: [text(whole), text(decimal.whole, fraction)] }
}

/** The value of a field for a parsed number, 0 when empty. Undefined when the text is ambiguous, invalid or has too many decimals. */
export function numberIn(read: NumberRead, { decimals }: NumberField): number | undefined {
  if (read.is === 'empty') return 0
  return read.is === 'number' ? rounded(read.text, decimals) : undefined
}

const formats = new Map<string, Intl.NumberFormat>()

function format(value: number, { locale, decimals }: NumberField, isGrouped: boolean, least: number): string {
  const name = `${locale} ${decimals} ${isGrouped} ${least}`
  let made = formats.get(name)
  if (made === undefined) {
    made = new Intl.NumberFormat(locale, {
      useGrouping: isGrouped ? 'auto' : false,
      minimumFractionDigits: least,
      maximumFractionDigits: Math.max(decimals, least),
    })
    formats.set(name, made)
  }
  return made.format(rounded(value, decimals))
}

const leastOf = ({ decimals, least }: NumberField): number => least ?? (decimals <= 2 ? decimals : 0)

/** For display only: with thousands separators. */
export const shownNumber = (value: number, field: NumberField): string => format(value, field, true, leastOf(field))

/** The text in a field. It must parse to the same number: a zero is appended where that is necessary. */
export function fieldText(value: number, field: NumberField, isGrouped: boolean): string {
  const text = format(value, field, isGrouped, leastOf(field))
  return readNumber(text, field).is === 'unclear' ? format(value, field, isGrouped, 4) : text
}
