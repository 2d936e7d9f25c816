// Sends the rows of a file to the server, in portions, which checks each.

import { call, type Input } from '../server/call.ts'
import { type Choice, headingsOf, kindOf, type Mapping } from './fields.ts'
import type { ImportRow } from './rows.ts'
import type { FileTable } from './table.ts'

export type Upload = {
  readonly choice: Choice
  readonly name: string
  readonly table: FileTable
  readonly mapping: Mapping
  readonly rows: readonly ImportRow[]
  readonly storage: number | null
  readonly date: string
}

export const rowsAtOnce = 500
const longestName = 255
/** Rows with long texts go in smaller portions: the server reads at most so much at a time. */
const mostLength = 1_000_000

type Sent = Input<'imports/add_rows'>['rows']

export async function upload(
  { choice, name, table, mapping, rows, storage, date }: Upload,
  onProgress: (done: number) => void,
): Promise<number> {
  const kind = kindOf(choice)
  const counted = kind === 'stock' ? { storage_id: storage ?? 0 } : {}
  const { import_id: id } = await call('imports/add', {
    kind,
    name: name.slice(0, longestName),
    headings: headingsOf(table.headings, mapping),
    ...counted,
    ...(kind === 'stock' && date !== '' ? { date } : {}),
  })
  for (let position = 0; position < rows.length; ) {
    onProgress(position)
    const portion = portionOf(rows, position)
    await call('imports/add_rows', { import_id: id, kind, position, rows: portion, ...counted })
    position += portion.length
  }
  return id
}

function portionOf(rows: readonly ImportRow[], from: number): Sent {
  const portion: ImportRow[] = []
  let length = 0
  for (const row of rows.slice(from, from + rowsAtOnce)) {
    length += JSON.stringify(row).length
    if (portion.length > 0 && length > mostLength) break
    portion.push(row)
  }
  return portion
}
