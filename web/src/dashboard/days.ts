// The days of the dashboard in two halves: the last thirty days and the thirty days before, compared day by day.

import { codesOf } from '../kit/status.ts'
import type { CountedSales } from '../sales/known-sum.tsx'
import type { Output } from '../server/call.ts'
import { saleStatus } from '../statuses.ts'

export type Dashboard = Output<'dashboard/get'>
type Day = Dashboard['days'][number]

const half = 30

export type DayPair = Day & { readonly former: Day }

export function pairsOf(days: readonly Day[]): DayPair[] {
  const last = days.slice(-half)
  const before = days.slice(-2 * half, -half)
  const none: Day = { day: '', total: 0, margin: 0, sales: 0, without_cost: 0 }
  return last.map((day, at) => ({ ...day, former: before[at] ?? none }))
}

export type Sums = { readonly now: number; readonly former: number }

export const sumsOf = (pairs: readonly DayPair[], field: 'total' | 'margin'): Sums => ({
  now: round(pairs.reduce((sum, pair) => sum + (pair[field] ?? 0), 0)),
  former: round(pairs.reduce((sum, pair) => sum + (pair.former[field] ?? 0), 0)),
})

/** How many sales the sum of the margins is made of, and how many without a known cost it leaves out. */
export const countedSales = (days: readonly Day[]): CountedSales => ({
  sales: days.reduce((sum, day) => sum + day.sales, 0),
  without_cost: days.reduce((sum, day) => sum + day.without_cost, 0),
})

/** The relative change; undefined when the earlier value is zero. */
export const changeOf = ({ now, former }: Sums): number | undefined =>
  former > 0 ? (now - former) / former : undefined

const round = (value: number): number => Math.round(value * 100) / 100

const notCanceled = codesOf('sale')
  .filter((code) => code !== saleStatus.canceled)
  .join(',')

/** The sales counted in a figure; canceled sales are excluded. */
export const salesAddress = (about: Readonly<Record<string, string | number>>): string =>
  `/sales?${new URLSearchParams({ cut: 'all', status: notCanceled, ...Object.fromEntries(Object.entries(about).map(([name, value]) => [name, String(value)])) })}`
