// The lines of an audit with their differences from the recorded stock, and the value of those.

import type { Output } from '../server/call.ts'

export type AuditCard = Output<'audits/get_card'>
type Audit = AuditCard['audit']
type Saved = Audit['products'][number]
export type CountedLine = Saved & { readonly type: 'product' | 'material' }

/** In the order they were counted. */
export const countedLines = ({ products, materials }: Audit): CountedLine[] =>
  [
    ...products.map((line) => ({ ...line, type: 'product' as const })),
    ...materials.map((line) => ({ ...line, type: 'material' as const })),
  ].toSorted((one, other) => one.position - other.position)

export type Differences = {
  readonly lines: readonly CountedLine[]
  /** The value of the surplus and of the shortage (negative); hidden from workers. */
  readonly surplus: number
  readonly shortage: number
}

export function differencesOf(audit: Audit): Differences {
  const lines = countedLines(audit).filter(({ difference }) => difference !== 0)
  const sumOf = (of: (difference: number) => boolean): number =>
    lines.filter(({ difference }) => of(difference)).reduce((sum, { cost }) => sum + (cost ?? 0), 0)
  return { lines, surplus: sumOf((difference) => difference > 0), shortage: sumOf((difference) => difference < 0) }
}
