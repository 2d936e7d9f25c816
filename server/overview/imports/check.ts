// The sections whose records can be imported, and how rows are planned so that one that is too large refuses nothing else.

import type { TransactionContext } from '../../kernel/clock.ts'
import { Refusal } from '../../kernel/refusal.ts'
import { countSection } from './count.ts'
import type { NamesFacts } from './names.ts'
import { recordSections } from './records.ts'
import type { ImportKind, ImportRow } from './row.ts'
import type { CountOptions, ImportSection, Outcome, PlannedRows } from './section.ts'

type Sections = Readonly<Record<ImportKind, ImportSection>>
const [writing, checking]: readonly [Sections, Sections] = [
  { ...recordSections(false), stock: countSection },
  { ...recordSections(true), stock: countSection },
]

export const sections = (isCheck: boolean): Sections => (isCheck ? checking : writing)

/** A refusal of all rows together becomes one of each of them. */
export function planRows(
  section: ImportSection,
  rows: readonly ImportRow[],
  options: CountOptions,
  facts: object & NamesFacts,
  transaction: TransactionContext,
): PlannedRows {
  try {
    return section.plan(rows, options, facts, transaction)
  } catch (error) {
    if (!(error instanceof Refusal) || error.detail.code === 'records_too_large') throw error
    const { line: _line, ...detail } = error.detail
    const refusal = { error: error.message, ...detail }
    return {
      outcomes: rows.map((): Outcome => ({ state: 'refused', refusal })),
      write: () => ({ statements: [], events: [] }),
    }
  }
}

export function amongImported(kind: ImportKind, line: number): Outcome {
  const field = kind === 'customers' || kind === 'suppliers' ? 'name' : 'sku'
  const what = field === 'sku' ? 'SKU' : 'name'
  return {
    state: 'refused',
    refusal: { error: `Line ${line} has the same ${what}`, code: 'record_twice', field, value: line },
  }
}
