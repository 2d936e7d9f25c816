// Decimal arithmetic, digit by digit: 1.005 × 100 is 100.5 here, and the server receives the digits themselves.
// A number below 10^15 with the decimals of a field converts to its digits without loss, so screens may store it as a number.

type Exact = { readonly units: bigint; readonly scale: number }

const written = /^([+-]?)(\d*)(?:\.(\d*))?(?:[eE]([+-]?\d+))?$/

function exact(value: number | string): Exact {
  const [, sign = '', whole = '', fraction = '', exponent = '0'] = written.exec(String(value)) ?? []
  const digits = BigInt(`${whole}${fraction}` || '0')
  const units = sign === '-' ? -digits : digits
  const scale = fraction.length - Number(exponent)
  return scale < 0 ? { units: units * 10n ** BigInt(-scale), scale: 0 } : { units, scale }
}

/** Rounds to the given decimals, half away from zero, as the server does. */
function scaledTo({ units, scale }: Exact, decimals: number): bigint {
  if (scale <= decimals) return units * 10n ** BigInt(decimals - scale)
  const by = 10n ** BigInt(scale - decimals)
  const magnitude = units < 0n ? -units : units
  const quotient = (2n * magnitude + by) / (2n * by)
  return units < 0n ? -quotient : quotient
}

function textOf(units: bigint, decimals: number): string {
  const digits = (units < 0n ? -units : units).toString().padStart(decimals + 1, '0')
  const fraction = decimals === 0 ? '' : digits.slice(-decimals).replace(/0+$/, '')
  const text = `${digits.slice(0, digits.length - decimals)}${fraction === '' ? '' : `.${fraction}`}`
  return units < 0n ? `-${text}` : text
}

/** `1234.5` → `1234.5`, `1e-7` → `0.0000001`: digits and a point, the format the server accepts. */
export function decimalText(value: number | string): string {
  const { units, scale } = exact(value)
  return textOf(units, scale)
}

const numberOf = (units: bigint, decimals: number): number => Number(textOf(units, decimals))

export const rounded = (value: number | string, decimals: number): number =>
  numberOf(scaledTo(exact(value), decimals), decimals)

export function product(one: number, other: number, decimals: number): number {
  const [a, b] = [exact(one), exact(other)]
  return numberOf(scaledTo({ units: a.units * b.units, scale: a.scale + b.scale }, decimals), decimals)
}

export function sum(values: readonly number[], decimals: number): number {
  const all = values.map(exact)
  const scale = Math.max(decimals, ...all.map((one) => one.scale))
  const units = all.reduce((total, one) => total + one.units * 10n ** BigInt(scale - one.scale), 0n)
  return numberOf(scaledTo({ units, scale }, decimals), decimals)
}
