// Reading one value by the one rule, with the exact texts. A field that is absent or null is not passed.
// Nothing here knows a section; what a section refuses in its own words it says itself.

import { type Money, maxMoney, moneyPlaces, parseDecimal, type Scaled } from './decimal.ts'
import { NumberText, type Raw } from './json.ts'
import { refuse } from './refusal.ts'

export const nameLength = 255
export const notesLength = 65_535

/** The value of a field, `undefined` when it is not passed. Never looks at what an object inherits. */
export function passed(raw: Raw, field: string): unknown {
  const value = Object.hasOwn(raw, field) ? raw[field] : undefined
  return value === null ? undefined : value
}

export const isPassed = (raw: Raw, field: string): boolean => passed(raw, field) !== undefined

/** Without the blanks of ASCII at both ends. Other spaces are part of a text: a code that holds one is another code, and `\u00a05` is no number. */
export function trimmed(text: string): string {
  const isSpace = (at: number): boolean =>
    text.charCodeAt(at) === 32 || (text.charCodeAt(at) >= 9 && text.charCodeAt(at) <= 13)
  let [from, to] = [0, text.length]
  while (from < to && isSpace(from)) from++
  while (to > from && isSpace(to - 1)) to--
  return text.slice(from, to)
}

/** Nothing that can be seen. */
const isBlank = (value: unknown): boolean => typeof value === 'string' && value.trim() === ''

/** `No <field> in input` for what is missing, null or empty. */
export function required(raw: Raw, field: string): unknown {
  const value = passed(raw, field)
  if (value === undefined || isBlank(value)) refuse(`No ${field} in input`)
  return value
}

/** The digits of a number given as a number or as text; `undefined` for everything that is not a number. */
function numberText(value: unknown): string | undefined {
  if (typeof value === 'number') return Number.isFinite(value) ? String(value) : undefined
  if (value instanceof NumberText) return value.text
  return typeof value === 'string' ? trimmed(value) : undefined
}

export function decimal(value: unknown, places: number): Scaled {
  const text = numberText(value)
  return text === undefined ? undefined : parseDecimal(text, places)
}

/** A whole number, as a number or as digits in a string. */
export function integer(value: unknown): number | undefined {
  const text = numberText(value)
  // 5.0 is a whole number where it is written as a number; a string must hold digits and nothing else.
  if (text === undefined || !(typeof value === 'string' ? /^-?\d+$/ : /^-?\d+(\.0*)?$/).test(text)) return undefined
  const number = Number(text)
  return Number.isSafeInteger(number) ? number : undefined
}

/** A record's id. Anything but a positive integer names no record: 0, which no record has. */
export function id(value: unknown): number {
  const number = integer(value)
  return number !== undefined && number > 0 ? number : 0
}

export function requiredId(raw: Raw, field: string): number {
  return id(required(raw, field))
}

/** Half of one surrogate pair, or a NUL: text that cannot be stored. */
const isStorable = (text: string): boolean => !text.includes('\0') && text.isWellFormed()

export function text(raw: Raw, field: string, options: { max: number; trim?: boolean }): string | undefined {
  const value = passed(raw, field)
  return value === undefined ? undefined : textValue(value, field, options)
}

export function textValue(value: unknown, field: string, options: { max: number; trim?: boolean }): string {
  const given = typeof value === 'string' ? value : numberDigits(value)
  if (given === undefined) refuse(`Invalid ${field} value. Must be a string`)
  const result = options.trim === true ? trimmed(given) : given
  if (!isStorable(result)) refuse(`Invalid ${field} value. Must be valid text`)
  if (result.length > options.max && [...result].length > options.max) {
    refuse(`Invalid ${field} value. Must be at most ${options.max} characters`)
  }
  return result
}

/** A number given for a text is taken as its digits, written out. */
function numberDigits(value: unknown): string | undefined {
  const digits = typeof value === 'number' || value instanceof NumberText ? numberText(value) : undefined
  const match = digits === undefined ? null : /^(-?)(\d+)(?:\.(\d+))?[eE]([+-]?\d+)$/.exec(digits)
  if (match === null) return digits
  const [, sign = '', whole = '', fraction = '', exponent = ''] = match
  // No text of ours is as long as what a larger exponent would write.
  const shift = Math.max(-longestText, Math.min(longestText, Number(exponent)))
  const point = whole.length + shift
  const all = whole + fraction
  const padded = point <= 0 ? '0'.repeat(1 - point) + all : all.padEnd(point, '0')
  const at = Math.max(point, 1)
  const before = padded.slice(0, at).replace(/^0+(?=\d)/, '')
  const after = withoutLastZeros(padded.slice(at))
  return sign + before + (after === '' ? '' : `.${after}`)
}

const longestText = notesLength + 1

/** By hand: /0+$/ tries every run of zeros from every one of its zeros, and 65,000 of them before another digit took 12 s. */
function withoutLastZeros(digits: string): string {
  let end = digits.length
  while (end > 0 && digits.charCodeAt(end - 1) === 48) end--
  return digits.slice(0, end)
}

const monthDays = [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]

export function isDate(value: unknown): value is string {
  const match = typeof value === 'string' ? /^(\d{4})-(\d{2})-(\d{2})$/.exec(value) : null
  if (match === null) return false
  const [year, month, day] = [Number(match[1]), Number(match[2]), Number(match[3])]
  const leap = month === 2 && year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0)
  return year > 0 && day > 0 && day <= (monthDays[month - 1] ?? 0) + (leap ? 1 : 0)
}

export function date(raw: Raw, field: string): string | undefined {
  const value = passed(raw, field)
  if (value === undefined) return undefined
  return isDate(value) ? value : refuse('Date is not a valid date in format YYYY-MM-DD')
}

/** Like `date`, but the empty string is a value of its own: unset. */
export function clearableDate(raw: Raw, field: string): string | undefined {
  return passed(raw, field) === '' ? '' : date(raw, field)
}

/** An amount of money of the document itself, such as a delivery price. */
export function charge(raw: Raw, field: string): Money | undefined {
  const value = passed(raw, field)
  if (value === undefined) return undefined
  const money = decimal(value, moneyPlaces)
  if (money === undefined || money < 0n || money > maxMoney) {
    refuse(`Invalid ${field} value. Must be a number, 0 or greater`)
  }
  return money
}

/** One of a few whole numbers. */
export function code<T extends number>(value: unknown, allowed: readonly T[], refusal: string): T {
  const number = integer(value)
  return allowed.find((one) => one === number) ?? refuse(refusal)
}

/** 0, 1, true, false and their strings. */
export function flag(raw: Raw, field: string): boolean | undefined {
  const value = passed(raw, field)
  if (value === undefined) return undefined
  if (value === true || value === 'true') return true
  if (value === false || value === 'false') return false
  return code(value, [0, 1], `Invalid ${field} value. Must be one of: 0, 1`) === 1
}

/** A storage location id. Here null, "" and 0 are passed, and empty. */
export function storageId(raw: Raw, field: string): number | undefined {
  if (!Object.hasOwn(raw, field)) return undefined
  const value = raw[field]
  if (value === undefined) return undefined
  if (value === null || isBlank(value) || integer(value) === 0) refuse('Storage ID is not set')
  return id(value)
}

/** An array as it was sent, `undefined` when it is not passed. */
export function array(raw: Raw, field: string): readonly unknown[] | undefined {
  const value = passed(raw, field)
  if (value === undefined) return undefined
  return Array.isArray(value) ? value : refuse(`${capitalized(field)} is not an array`)
}

export const isObject = (value: unknown): value is Raw =>
  typeof value === 'object' && value !== null && !Array.isArray(value) && !(value instanceof NumberText)

export const capitalized = (word: string): string => word.charAt(0).toUpperCase() + word.slice(1)

/** Error texts of every text field. */
export const textRefusals: readonly string[] = [
  'Invalid <field> value. Must be a string',
  'Invalid <field> value. Must be valid text',
  'Invalid <field> value. Must be at most <n> characters',
]
