// The rows that are refused as a file, with the reason of each: it can be corrected and imported.

import { messages } from '../messages.ts'
import type { ImportsGetEntryImport, ImportsGetRowsRows } from '../methods.ts'
import { call } from '../server/call.ts'
import { cellText } from './cells.ts'
import { fieldsOf } from './fields.ts'
import { labelOf } from './labels.ts'
import { rowRefusalText } from './refusal-text.ts'

const pageRows = 1_000

export async function downloadRefused({ id, kind, name }: ImportsGetEntryImport): Promise<void> {
  const { downloadFile } = await import('../kit/export-file.ts')
  const rows: ImportsGetRowsRows[] = []
  for (let all = 1; rows.length < all; ) {
    const page = { import_id: id, state: 'refused', limit: pageRows, offset: rows.length } as const
    const answer = await call('imports/get_rows', page)
    rows.push(...answer.rows)
    all = answer.rows.length === 0 ? 0 : answer.total
  }
  const fields = fieldsOf[kind].filter((field) => rows.some((row) => cellText(row.fields, field.name) !== ''))
  const columns = fields.map((field) => ({ title: labelOf(kind, field.name), kind: 'text' as const }))
  const sheet = {
    columns: [...columns, { title: messages.imports.reason, kind: 'text' as const }],
    rows: rows.map((row) => [
      ...fields.map((field) => cellText(row.fields, field.name)),
      row.refusal === null ? '' : rowRefusalText(row.refusal),
    ]),
  }
  downloadFile(`${name.replace(/\.\w+$/, '')} – ${messages.imports.states.refused}`, sheet, 'xlsx')
}
