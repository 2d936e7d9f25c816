// The tax of a document, by EN 16931: computed once for each rate, from the sum of its lines, and rounded to the cent, half away from zero.

import { divide, type Money } from './decimal.ts'

/** Thousandths of a percent. */
export type Percent = bigint

export const percentPlaces = 3
export const maxPercent: Percent = 100_000n
const whole = 100_000n

export type TaxRate = { readonly name: string; readonly percent: Percent }
export const noRate: TaxRate = { name: '', percent: 0n }

export type TaxedLine = { readonly rate: TaxRate; readonly total: Money }
export type TaxedDocument = {
  readonly lines: readonly TaxedLine[]
  readonly deliveryPrice: Money
  readonly discount: Money
  /** Whether the totals of the lines, the delivery and the discount contain the tax. */
  readonly isIncluded: boolean
}

type Sums = { readonly net: Money; readonly tax: Money; readonly gross: Money }
export type RateSums = TaxRate & Sums
export type TaxSums = Sums & { readonly rates: readonly RateSums[] }

const keyOf = ({ name, percent }: TaxRate): string => `${percent} ${name}`

/** Higher percentages first, then by name. */
const byPercent = (one: TaxRate, other: TaxRate): number =>
  one.percent === other.percent ? (one.name < other.name ? -1 : 1) : one.percent > other.percent ? -1 : 1

type Group = { readonly rate: TaxRate; readonly total: Money }

function groupsOf(lines: readonly TaxedLine[]): Group[] {
  const groups = new Map<string, Group>()
  for (const { rate, total } of lines) {
    const key = keyOf(rate)
    groups.set(key, { rate, total: (groups.get(key)?.total ?? 0n) + total })
  }
  return [...groups.values()].toSorted((one, other) => byPercent(one.rate, other.rate))
}

/** The first of those with the highest total. */
const largestOf = (groups: readonly Group[]): number =>
  groups.reduce((largest, group, at) => (group.total > (groups[largest]?.total ?? 0n) ? at : largest), 0)

/**
 * The shares of the rates in an amount that is not less than 0: by the totals of their lines, rounded down, and what remains goes to the rate with the
 * highest total. A rate whose total is not above 0 takes no share; if there is no other, the highest total takes all.
 */
function sharesOf(amount: Money, groups: readonly Group[]): Money[] {
  const weights = groups.map(({ total }) => (total > 0n ? total : 0n))
  const all = weights.reduce((sum, weight) => sum + weight, 0n)
  const shares = weights.map((weight) => (all === 0n ? 0n : (amount * weight) / all))
  const rest = amount - shares.reduce((sum, share) => sum + share, 0n)
  const largest = largestOf(groups)
  return shares.map((share, at) => (at === largest ? share + rest : share))
}

/**
 * The sums of one rate. With prices that include tax, the gross amount stays what was entered. Where a net amount exists whose rounded tax leads to it,
 * it is this one; otherwise the tax differs by one cent from that of the net amount.
 */
function sumsOf(amount: Money, percent: Percent, isIncluded: boolean): Sums {
  if (isIncluded) {
    const tax = divide(amount * percent, whole + percent)
    return { net: amount - tax, tax, gross: amount }
  }
  const tax = divide(amount * percent, whole)
  return { net: amount, tax, gross: amount + tax }
}

/** The tax of a document, with the sums of each rate that it has, the highest first. */
export function computeTax({ lines, deliveryPrice, discount, isIncluded }: TaxedDocument): TaxSums {
  const isCharged = deliveryPrice !== 0n || discount !== 0n
  const groups = groupsOf(lines.length === 0 && isCharged ? [{ rate: noRate, total: 0n }] : lines)
  const [added, taken] = [sharesOf(deliveryPrice, groups), sharesOf(discount, groups)]
  const rates = groups.map(({ rate, total }, at): RateSums => {
    const amount = total + (added[at] ?? 0n) - (taken[at] ?? 0n)
    return { ...rate, ...sumsOf(amount, rate.percent, isIncluded) }
  })
  const sum = (field: keyof Sums): Money => rates.reduce((all, one) => all + one[field], 0n)
  return { rates, net: sum('net'), tax: sum('tax'), gross: sum('gross') }
}
