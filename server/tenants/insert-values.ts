// Inserts rows as `insert … values`. On a cluster `insert … select` of rows that are not in the shard uses COPY, which cannot write to a table with row
// level security.

import pg from 'pg'

export type SelectedRows = {
  readonly table: string
  /** The columns to fill, and for each the SQL of its value in a row of `from`. */
  readonly columns: readonly (readonly [column: string, value: string])[]
  /** Read on this node: a temporary table or a function. */
  readonly from: string
  readonly parameters?: readonly unknown[]
  /** Rows that refer to each other must be inserted by one statement. */
  readonly atOnce?: boolean
}

const statementRows = 1_000
const statementLength = 1024 * 1024

export async function insertValues(client: pg.Client, selected: SelectedRows): Promise<void> {
  const { table, columns, from, parameters = [], atOnce = false } = selected
  const texts = columns.map(([, value]) => `quote_nullable((${value})::text)`)
  const { rows } = await client.query<{ row: string }>(`select ${texts.join(` || ', ' || `)} as row from ${from}`, [
    ...parameters,
  ])
  const names = columns.map(([column]) => pg.escapeIdentifier(column)).join(', ')
  const start = `insert into ${pg.escapeIdentifier(table)} (${names}) values `
  for (const part of atOnce ? [rows] : partsOf(rows))
    if (part.length > 0) await client.query(start + part.map(({ row }) => `(${row})`).join(', '))
}

function* partsOf<Row extends { readonly row: string }>(rows: readonly Row[]): Generator<readonly Row[]> {
  let [start, length] = [0, 0]
  for (const [at, { row }] of rows.entries()) {
    if (at > start && (at - start === statementRows || length + row.length > statementLength)) {
      yield rows.slice(start, at)
      start = at
      length = 0
    }
    length += row.length
  }
  yield rows.slice(start)
}
