// Reads one value of a request, with the exact error texts that all sections share. A field that is absent or null is not passed.
// Error texts of a single section are in that section.

import { isBelowZero, type Money, maxMoney, moneyPlaces, parseDecimal, type Scaled } from './decimal.ts'
import { NumberText, type Raw } from './json.ts'
import { refuse } from './refusal.ts'

export const nameLength = 255
export const notesLength = 65_535

/** The value of a field, `undefined` when it is not passed. Ignores inherited properties. */
export function passed(raw: Raw, field: string): unknown {
  const value = Object.hasOwn(raw, field) ? raw[field] : undefined
  return value === null ? undefined : value
}

export const isPassed = (raw: Raw, field: string): boolean => passed(raw, field) !== undefined

const isAsciiSpace = (code: number): boolean => code === 0x20 || (code >= 0x09 && code <= 0x0d)

/** Whether the character has Unicode's White_Space property. String.trim differs: it also removes U+FEFF, and keeps U+0085. */
const isWhiteSpace = (code: number): boolean =>
  isAsciiSpace(code) ||
  (code >= 0x2000 && code <= 0x200a) ||
  [0x85, 0xa0, 0x1680, 0x2028, 0x2029, 0x202f, 0x205f, 0x3000].includes(code)

function without(text: string, isSpace: (code: number) => boolean): string {
  let [from, to] = [0, text.length]
  while (from < to && isSpace(text.charCodeAt(from))) from++
  while (to > from && isSpace(text.charCodeAt(to - 1))) to--
  return text.slice(from, to)
}

/** A text without the white space at both ends. */
export const trimmed = (text: string): string => without(text, isWhiteSpace)

/** A number or an id without ASCII white space at both ends. Any other space makes it invalid: `\u00a05` is not a number. */
export const trimmedAscii = (text: string): string => without(text, isAsciiSpace)

export const isBlank = (value: unknown): boolean => typeof value === 'string' && trimmed(value) === ''

/** Refuses with `No <field> in input` when the field is missing, null or empty. */
export function required(raw: Raw, field: string): unknown {
  const value = passed(raw, field)
  if (value === undefined || isBlank(value)) refuse(`No ${field} in input`, { code: 'required', field })
  return value
}

/** The digits of a number given as a number or as text; `undefined` for everything that is not a number. */
function numberText(value: unknown): string | undefined {
  if (typeof value === 'number') return Number.isFinite(value) ? String(value) : undefined
  if (value instanceof NumberText) return value.text
  return typeof value === 'string' ? trimmedAscii(value) : undefined
}

export function decimal(value: unknown, places: number): Scaled {
  const text = numberText(value)
  return text === undefined ? undefined : parseDecimal(text, places)
}

/** A number from 0 to `max`. The sign counts as written, before rounding: -0.001 is below 0, -0 is 0. */
export function notBelowZero(value: unknown, places: number, max: bigint): Scaled {
  const number = decimal(value, places)
  if (number === undefined || number < 0n || number > max) return undefined
  return isBelowZero(numberText(value) ?? '') ? undefined : number
}

/** A whole number, as a number or as digits in a string. */
export function integer(value: unknown): number | undefined {
  const number = integerOfAnySize(value)
  return Number.isSafeInteger(number) ? number : undefined
}

/** The same without a limit: above 2^53 the number is only approximately the one that was sent. */
export function integerOfAnySize(value: unknown): number | undefined {
  // 5.0 is a whole number when sent as a number; a string must contain only digits.
  const text = typeof value === 'string' ? trimmedAscii(value) : numberDigits(value)
  const isWhole = text !== undefined && (typeof value === 'string' ? /^-?\d+$/ : /^-?\d+(\.0*)?$/).test(text)
  return isWhole ? Number(text) : undefined
}

/** A record's id. Anything but a positive integer becomes 0, an id that no record has. */
export function id(value: unknown): number {
  const number = integer(value)
  return number !== undefined && number > 0 ? number : 0
}

export function requiredId(raw: Raw, field: string): number {
  return id(required(raw, field))
}

export const choiceRefusal = (field: string, allowed: readonly string[]): string =>
  `Invalid ${field} value. Must be one of: ${allowed.join(', ')}`

/** One of some words; `undefined` when the field is absent or empty. */
export function choice<T extends string>(raw: Raw, field: string, allowed: readonly T[]): T | undefined {
  const value = passed(raw, field)
  if (value === undefined || value === '') return undefined
  return allowed.find((one) => one === value) ?? refuse(choiceRefusal(field, allowed), { code: 'not_a_choice', field })
}

/** Text with a lone surrogate or a NUL cannot be stored. */
const isStorable = (text: string): boolean => !text.includes('\0') && text.isWellFormed()

export function text(raw: Raw, field: string, options: { max: number; trim?: boolean }): string | undefined {
  const value = passed(raw, field)
  return value === undefined ? undefined : textValue(value, field, options)
}

/** In characters; a character outside the basic plane has two units. Stops counting at the limit, so that a text of megabytes costs nothing. */
function isLongerThan(value: string, max: number): boolean {
  if (value.length <= max) return false
  if (value.length > 2 * max) return true
  let characters = 0
  for (const _character of value) if (++characters > max) return true
  return false
}

export function textValue(value: unknown, field: string, options: { max: number; trim?: boolean }): string {
  const given = typeof value === 'string' ? value : numberDigits(value)
  if (given === undefined) refuse(`Invalid ${field} value. Must be a string`, { code: 'not_text', field })
  const result = options.trim === true ? trimmed(given) : given
  if (!isStorable(result)) refuse(`Invalid ${field} value. Must be valid text`, { code: 'unreadable_text', field })
  if (isLongerThan(result, options.max)) {
    const { max } = options
    refuse(`Invalid ${field} value. Must be at most ${max} characters`, { code: 'too_long', field, value: max })
  }
  return result
}

/** A number sent for a text field becomes its digits, without an exponent. */
function numberDigits(value: unknown): string | undefined {
  const digits = typeof value === 'number' || value instanceof NumberText ? numberText(value) : undefined
  const match = digits === undefined ? null : /^(-?)(\d+)(?:\.(\d+))?[eE]([+-]?\d+)$/.exec(digits)
  if (match === null) return digits
  const [, sign = '', whole = '', fraction = '', exponent = ''] = match
  // A larger exponent would give a text that is longer than any field allows.
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

/** A loop, because /0+$/ backtracks from every zero: 65,000 zeros before another digit took 12 s. */
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
  return isDate(value) ? value : refuse('Date is not a valid date in format YYYY-MM-DD', { code: 'not_a_date', field })
}

/** Like `date`, but the empty string is allowed and clears the date. */
export function clearableDate(raw: Raw, field: string): string | undefined {
  return passed(raw, field) === '' ? '' : date(raw, field)
}

/** An amount of money on the document itself, such as a delivery price. */
export function charge(raw: Raw, field: string): Money | undefined {
  const value = passed(raw, field)
  if (value === undefined) return undefined
  return (
    notBelowZero(value, moneyPlaces, maxMoney) ??
    refuse(`Invalid ${field} value. Must be a number, 0 or greater`, { code: 'not_a_number', field })
  )
}

/** One of a few whole numbers. */
export function code<T extends number>(value: unknown, allowed: readonly T[], refusal: string, field = 'status'): T {
  const number = integer(value)
  return allowed.find((one) => one === number) ?? refuse(refusal, { code: 'not_a_choice', field })
}

/** 0, 1, true, false and their strings. */
export function flag(raw: Raw, field: string): boolean | undefined {
  const value = passed(raw, field)
  if (value === undefined) return undefined
  if (value === true || value === 'true') return true
  if (value === false || value === 'false') return false
  return code(value, [0, 1], `Invalid ${field} value. Must be one of: 0, 1`, field) === 1
}

/** A storage location id. Here null, "" and 0 count as passed but empty. */
export function storageId(raw: Raw, field: string): number | undefined {
  if (!Object.hasOwn(raw, field)) return undefined
  const value = raw[field]
  if (value === undefined) return undefined
  if (value === null || isBlank(value) || integer(value) === 0)
    refuse('Storage ID is not set', { code: 'required', field })
  return id(value)
}

/** An array as it was sent, `undefined` when it is not passed. Every array has a limit, because work per element must stay bounded. */
export function array(
  raw: Raw,
  field: string,
  max: number,
  refusal: string = tooMany(field, max),
): readonly unknown[] | undefined {
  const values = uncountedArray(raw, field)
  return values !== undefined && values.length > max ? refuse(refusal, { code: 'too_many', field, value: max }) : values
}

/** For arrays that share one limit: the caller counts them together. */
export function uncountedArray(raw: Raw, field: string): readonly unknown[] | undefined {
  const value = passed(raw, field)
  if (value === undefined) return undefined
  return Array.isArray(value) ? value : refuse(`${capitalized(field)} is not an array`, { code: 'malformed', field })
}

export const tooMany = (what: string, max: number): string => `Too many ${what}. Must be at most ${max}`

export const isObject = (value: unknown): value is Raw =>
  typeof value === 'object' && value !== null && !Array.isArray(value) && !(value instanceof NumberText)

export const capitalized = (word: string): string => word.charAt(0).toUpperCase() + word.slice(1)

/** Error texts of every text field. */
export const textRefusals: readonly string[] = [
  'Invalid <field> value. Must be a string',
  'Invalid <field> value. Must be valid text',
  'Invalid <field> value. Must be at most <n> characters',
]
