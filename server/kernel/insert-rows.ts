// Statements that insert several rows of a company at once.

import { declareSql, parameterValue, type Statement } from './statement.ts'

export type InsertDescription = {
  readonly name: string
  readonly table: string
  /** Columns with the same value in all rows, in addition to company_id. */
  readonly shared?: readonly string[]
  /** Columns with a value in each row, with their types. */
  readonly columns: Readonly<Record<string, string>>
  /** A column that numbers the rows from 0. */
  readonly numbered?: string
  /** The clause ON CONFLICT. */
  readonly onConflict?: string
}

/** Up to this many rows are inserted with VALUES, by one statement for each number of rows. With arrays a sale of three lines cost PostgreSQL 8 % more. */
const mostListedRows = 8

/** Declares the statements. The result returns the one for the number of rows; no statement when there are none. */
export function declareInsert<Shared extends object, Row extends object>(
  description: InsertDescription,
): (shared: Shared & { readonly company_id: number }, rows: readonly Row[]) => Statement[] {
  const { name, columns, shared = [] } = description
  const names = Object.keys(columns)
  const listed = Array.from({ length: mostListedRows }, (_, at) =>
    declare(`${name}.rows_${at + 1}`, listedRows(description, at + 1), name),
  )
  const anyNumber = declare(name, rowsOfArrays(description))
  return (values, rows) => {
    if (rows.length === 0) return []
    const first = ['company_id', ...shared].map((column) => parameterValue(name, values, column))
    const few = listed[rows.length - 1]
    return few === undefined
      ? [
          {
            ...anyNumber,
            values: [...first, ...names.map((column) => rows.map((row) => parameterValue(name, row, column)))],
          },
        ]
      : [
          {
            ...few,
            values: [...first, ...rows.flatMap((row) => names.map((column) => parameterValue(name, row, column)))],
          },
        ]
  }
}

const declare = (name: string, sql: string, variantOf?: string): { readonly name: string; readonly text: string } => ({
  name,
  text: declareSql(name, sql, variantOf).text,
})

const columnsOf = ({ shared = [], columns, numbered }: InsertDescription): string =>
  ['company_id', ...shared, ...(numbered === undefined ? [] : [numbered]), ...Object.keys(columns)].join(', ')

const conflictOf = ({ onConflict }: InsertDescription): string => (onConflict === undefined ? '' : ` ${onConflict}`)

function listedRows(description: InsertDescription, count: number): string {
  const { table, shared = [], columns, numbered } = description
  const rows = Array.from({ length: count }, (_, at) => {
    const values = [
      ...['company_id', ...shared].map((column) => `:${column}`),
      ...(numbered === undefined ? [] : [String(at)]),
      ...Object.keys(columns).map((column) => `:${column}_${at + 1}`),
    ]
    return `(${values.join(', ')})`
  })
  return `insert into ${table} (${columnsOf(description)}) values ${rows.join(', ')}${conflictOf(description)}`
}

/** Joined to the clock row instead of inserted from unnest alone: otherwise a cluster does not run it on the company's shard. */
function rowsOfArrays(description: InsertDescription): string {
  const { table, shared = [], columns, numbered } = description
  const names = Object.keys(columns)
  const values = [
    'c.company_id',
    ...shared.map((column) => `:${column}`),
    ...(numbered === undefined ? [] : ['x.place - 1']),
    ...names.map((column) => `x.${column}`),
  ]
  const arrays = names.map((column) => `:${column}::${columns[column]}[]`).join(', ')
  const [ordinality, place] = numbered === undefined ? ['', ''] : [' with ordinality', ', place']
  return `insert into ${table} (${columnsOf(description)})
    select ${values.join(', ')} from company_clock c
    cross join unnest(${arrays})${ordinality} as x (${names.join(', ')}${place})
    where c.company_id = :company_id${conflictOf(description)}`
}
