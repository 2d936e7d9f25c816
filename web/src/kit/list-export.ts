// Exports exactly what is filtered, all pages of it, with progress.

import { call, type Input } from '../server/call.ts'
import { words } from '../words.ts'
import type { BrowsePath } from './browse.ts'
import { type Column, fieldOfRow } from './list-columns.ts'
import { failed, progress, told } from './told.tsx'

const pageRows = 1000

type Wish<Row, Totals> = {
  readonly path: BrowsePath
  readonly section: string
  /** Filters and sort, without page. */
  readonly input: Record<string, unknown>
  readonly columns: readonly Column<Row, Totals>[]
  readonly name: string
  readonly as: 'csv' | 'xlsx'
}

export async function exportList<Row, Totals>({
  path,
  section,
  input,
  columns,
  name,
  as,
}: Wish<Row, Totals>): Promise<void> {
  const bar = progress(words.kit.list.exporting(0, 0))
  try {
    const rows: Row[] = []
    for (let all = 1; rows.length < all; ) {
      const page = { ...input, limit: pageRows, offset: rows.length } as Input<BrowsePath>
      const answer = (await call(path, page)) as unknown as Record<string, Row[]> & { total: number }
      const got = answer[section] ?? []
      rows.push(...got)
      all = got.length === 0 ? 0 : answer.total
      bar.tell(words.kit.list.exporting(rows.length, answer.total))
    }
    await exportRows(rows, columns, name, as)
  } catch (error) {
    failed(error)
  } finally {
    bar.end()
  }
}

/** Rows that are here already, such as those selected. */
export async function exportRows<Row, Totals>(
  rows: readonly Row[],
  columns: readonly Column<Row, Totals>[],
  name: string,
  as: 'csv' | 'xlsx',
): Promise<void> {
  const { handOver } = await import('./export-file.ts')
  const sheet = {
    columns: columns.map(({ title, kind }) => ({
      title,
      kind: kind === 'quantity' ? ('number' as const) : (kind ?? 'text'),
    })),
    rows: rows.map((row) => columns.map((column) => exported(column, row))),
  }
  handOver(name, sheet, as)
  told(words.kit.list.exported(rows.length))
}

function exported<Row, Totals>(column: Column<Row, Totals>, row: Row): string | number | null {
  if (column.value) return column.value(row)
  const value = fieldOfRow(row, column.key)
  if (typeof value === 'number' || typeof value === 'string') return value
  return Array.isArray(value) ? value.join(', ') : null
}
