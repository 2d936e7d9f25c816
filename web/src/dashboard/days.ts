// The days of the dashboard in two halves: the last thirty, and the thirty before them, day against day.

import type { Output } from '../server/call.ts'

export type Dashboard = Output<'dashboard/get'>
type Day = Dashboard['days'][number]

const half = 30

export type DayPair = { readonly day: string; readonly total: number; readonly margin: number; readonly former: Day }

export function pairsOf(days: readonly Day[]): DayPair[] {
  const last = days.slice(-half)
  const before = days.slice(-2 * half, -half)
  const none: Day = { day: '', total: 0, margin: 0 }
  return last.map((day, at) => ({ ...day, former: before[at] ?? none }))
}

export type Sums = { readonly now: number; readonly former: number }

export const sumsOf = (pairs: readonly DayPair[], field: 'total' | 'margin'): Sums => ({
  now: round(pairs.reduce((sum, pair) => sum + (pair[field] ?? 0), 0)),
  former: round(pairs.reduce((sum, pair) => sum + (pair.former[field] ?? 0), 0)),
})

/** By how much it changed; undefined where there was nothing to compare with. */
export const changeOf = ({ now, former }: Sums): number | undefined =>
  former > 0 ? (now - former) / former : undefined

const round = (value: number): number => Math.round(value * 100) / 100

const shipped = [0, 1, 2, 3].join(',')

/** The sales behind a figure; canceled ones are in none. */
export const salesAddress = (about: Readonly<Record<string, string | number>>): string =>
  `/sales?${new URLSearchParams({ cut: 'all', status: shipped, ...Object.fromEntries(Object.entries(about).map(([name, value]) => [name, String(value)])) })}`
