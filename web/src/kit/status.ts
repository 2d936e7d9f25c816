// Lookups in the status tables declared by the server: their labels in the user's language, statuses that may be set, statuses that have moved goods.

import { messages } from '../messages.ts'
import { statuses } from '../statuses.ts'

export type StatusSet = keyof typeof statuses
type Row = (typeof statuses)[StatusSet][number]

const rowsOf = (set: StatusSet): readonly Row[] => statuses[set]
export const statusOf = (set: StatusSet, code: number): Row | undefined => rowsOf(set).find((row) => row.code === code)

export function statusLabel(set: StatusSet, code: number): string {
  const labels: Readonly<Record<string, string>> = messages.states.statuses[set]
  return labels[statusOf(set, code)?.name ?? ''] ?? String(code)
}

export const codesOf = (set: StatusSet): number[] => rowsOf(set).map(({ code }) => code)

/** Statuses that a user may set; the others result from other actions, such as a partial shipment. */
export const settableOf = (set: StatusSet): number[] =>
  rowsOf(set).flatMap(({ code, isSettable }) => (isSettable ? [code] : []))

/** Whether a document with this status has moved goods, fully or in part. */
export const movesGoods = (set: StatusSet, code: number): boolean => {
  const stock = statusOf(set, code)?.stock
  return stock === 'moves' || stock === 'moves part'
}

export const statusChoices = (
  set: StatusSet,
  codes: readonly number[] = codesOf(set),
): { value: string; label: string }[] => codes.map((code) => ({ value: String(code), label: statusLabel(set, code) }))
