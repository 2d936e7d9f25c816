// Quantities, money and costs as whole numbers of their smallest unit. No arithmetic here is done in binary floating point.

/** Thousandths of a unit of measure. */
export type Quantity = bigint
/** Cents. */
export type Money = bigint
/** Millionths: the value of a movement, an average cost. */
export type Value = bigint

export const quantityPlaces = 3
export const moneyPlaces = 2
export const valuePlaces = 6

export const maxQuantity: Quantity = 999_999_999_999n
export const maxMoney: Money = 99_999_999_999_999n

/** A parsed decimal number; `undefined` when the text is not a number. */
export type Scaled = bigint | undefined

const decimalNumber = /^([+-]?)(\d*)(?:\.(\d*))?(?:[eE]([+-]?\d+))?$/

// A number with more digits before the point exceeds every limit, and one with more zeros after it rounds to zero.
// Digits beyond it are never written out, so that "1e999999999" costs nothing.
const longest = 400

/** Reads decimal digits as written and rounds half away from zero to `places` decimals. */
export function parseDecimal(text: string, places: number): Scaled {
  const match = decimalNumber.exec(text)
  if (match === null) return undefined
  const [, sign, whole = '', fraction = '', exponent = '0'] = match
  if (whole === '' && fraction === '') return undefined
  const digits = (whole + fraction).replace(/^0+/, '')
  if (digits === '') return 0n
  // Position of the decimal point, counted from the first significant digit.
  const point = digits.length - fraction.length + Math.max(Math.min(Number(exponent), 1e9), -1e9)
  const kept = point + places
  if (kept < 0) return 0n
  const magnitude =
    kept > longest
      ? 10n ** BigInt(longest)
      : BigInt(digits.slice(0, kept).padEnd(kept, '0') || '0') + (digits.charCodeAt(kept) >= 53 ? 1n : 0n)
  return sign === '-' ? -magnitude : magnitude
}

/** Whether a decimal number is negative as written, even if it rounds to zero. */
export const isBelowZero = (text: string): boolean => /^-[\d.]*[1-9]/.test(text)

/** a / b, rounded half away from zero. */
export function divide(a: bigint, b: bigint): bigint {
  const negative = a < 0n !== b < 0n
  const numerator = a < 0n ? -a : a
  const denominator = b < 0n ? -b : b
  const quotient = (2n * numerator + denominator) / (2n * denominator)
  return negative ? -quotient : quotient
}

/** Quantity × a value per unit, in millionths. */
export function valueAt(quantity: Quantity, average: Value): Value {
  return divide(quantity * average, 1_000n)
}

/** Millionths to cents. */
export function toMoney(value: Value): Money {
  return divide(value, 10_000n)
}

const zero = '0'.charCodeAt(0)
const point = '.'.charCodeAt(0)

/** As JSON writes it: 2, 30.5, -0.001. */
export function formatDecimal(scaled: bigint, places: number): string {
  const text = fixedDecimal(scaled, places)
  if (places === 0) return text
  let end = text.length
  while (text.charCodeAt(end - 1) === zero) end--
  return text.slice(0, text.charCodeAt(end - 1) === point ? end - 1 : end)
}

/** With all its decimals, as SQL accepts it: 2.000. */
export function fixedDecimal(scaled: bigint, places: number): string {
  const negative = scaled < 0n
  const digits = (negative ? -scaled : scaled).toString().padStart(places + 1, '0')
  const text = places === 0 ? digits : `${digits.slice(0, -places)}.${digits.slice(-places)}`
  return negative ? `-${text}` : text
}

export const quantityText = (quantity: Quantity): string => fixedDecimal(quantity, quantityPlaces)
export const moneyText = (money: Money): string => fixedDecimal(money, moneyPlaces)
export const valueText = (value: Value): string => fixedDecimal(value, valuePlaces)

/** Reads a number written by the database. */
export function fromDatabase(text: string, places: number): bigint {
  const scaled = parseDecimal(text, places)
  if (scaled === undefined) throw new Error(`not a decimal number: ${text}`)
  return scaled
}

export const quantityFrom = (text: string): Quantity => fromDatabase(text, quantityPlaces)
export const moneyFrom = (text: string): Money => fromDatabase(text, moneyPlaces)
export const valueFrom = (text: string): Value => fromDatabase(text, valuePlaces)
