// Exports all filtered rows, page by page, with progress.

import { messages } from '../messages.ts'
import { call, type Input } from '../server/call.ts'
import type { BrowsePath } from './browse.ts'
import type { ExportForm } from './export-file.ts'
import { type Column, fieldOfRow } from './list-columns.ts'
import { notify, notifyError, progress } from './notify.tsx'

const pageRows = 1000

type ExportOptions<Row, Totals> = {
  readonly path: BrowsePath
  readonly section: string
  /** Filters and sort, without page. */
  readonly input: Record<string, unknown>
  readonly columns: readonly Column<Row, Totals>[]
  readonly name: string
  readonly as: ExportForm
}

export async function exportList<Row, Totals>({
  path,
  section,
  input,
  columns,
  name,
  as,
}: ExportOptions<Row, Totals>): Promise<void> {
  const bar = progress(messages.kit.list.exporting(0, 0))
  try {
    const rows: Row[] = []
    for (let all = 1; rows.length < all; ) {
      const page = { ...input, limit: pageRows, offset: rows.length } as Input<BrowsePath>
      const answer = (await call(path, page)) as unknown as Record<string, Row[]> & { total: number }
      const got = answer[section] ?? []
      rows.push(...got)
      all = got.length === 0 ? 0 : answer.total
      bar.update(messages.kit.list.exporting(rows.length, answer.total))
    }
    await exportRows(rows, columns, name, as)
  } catch (error) {
    notifyError(error)
  } finally {
    bar.end()
  }
}

/** Exports rows that are already loaded, such as the selected ones. */
export async function exportRows<Row, Totals>(
  rows: readonly Row[],
  columns: readonly Column<Row, Totals>[],
  name: string,
  as: ExportForm,
): Promise<void> {
  const { downloadFile } = await import('./export-file.ts')
  const sheet = {
    columns: columns.map(({ title, kind }) => ({
      title,
      kind: kind === 'quantity' ? ('number' as const) : (kind ?? 'text'),
    })),
    rows: rows.map((row) => columns.map((column) => exported(column, row))),
  }
  downloadFile(name, sheet, as)
  notify(messages.kit.list.exported(rows.length))
}

function exported<Row, Totals>(column: Column<Row, Totals>, row: Row): string | number | null {
  if (column.value) return column.value(row)
  const value = fieldOfRow(row, column.key)
  if (typeof value === 'number' || typeof value === 'string') return value
  return Array.isArray(value) ? value.join(', ') : null
}
