// A page of a list as one JSON text, or row by row when it is too large for that: a few records with very long texts would otherwise take
// hundreds of megabytes in the service and in PostgreSQL.

import { JsonText, LargePage, type ResponseFields } from '../../kernel/method.ts'
import { type Statement, statement } from '../../kernel/statement.ts'
import { filledIn } from '../postgres/json-sql.ts'

/** A larger page is streamed. */
export const maxPageBytes = 4 * 1024 * 1024

export type PageRow = { readonly rows: string | null }
/** A page with the number of all rows that match. */
export type ListRow = PageRow & { readonly total: number }

/** A page of certain values. */
export type PageQuery<Row> = {
  readonly statement: Statement<Row>
  /** The query of the rows alone, with the values written into it. */
  readonly rows: () => string
}

/**
 * Declares the statement of a page. `rows` selects the column `json`, in order and limited: only then PostgreSQL builds the JSON after sorting.
 * `others` are the further columns of the statement, and `ctes` its WITH queries.
 */
export function declarePage<Row extends PageRow, Values extends object>(
  name: string,
  page: { readonly ctes?: string; readonly others: string; readonly from?: string; readonly rows: string },
): (values: Values) => PageQuery<Row> {
  const { ctes = '', others, from = '', rows } = page
  const find = statement<Row, Values>(name, `${ctes} select ${others}, (${oneText(rows)}) as rows ${from}`)
  const alone = `${ctes} select ',' || each_row.json from (${rows}) each_row`
  return (values) => ({ statement: find(values), rows: () => filledIn(alone, values) })
}

/** Null for a page that is too large. Rows beyond the limit are counted but not kept. */
const oneText = (rows: string): string => `
  select case when coalesce(max(each_row.bytes), 0) <= ${maxPageBytes}
    then coalesce(string_agg(each_row.json, ',') filter (where each_row.bytes <= ${maxPageBytes}), '') end
  from (
    select each_row.json, sum(octet_length(each_row.json)) over (rows unbounded preceding) as bytes
    from (${rows}) each_row
  ) each_row`

/** The response with a page, its rows first. */
export function pageResponse(field: string, row: PageRow | undefined, rest: ResponseFields): ResponseFields {
  if (row?.rows === null) throw new LargePage(rest)
  return { [field]: new JsonText(`[${row?.rows ?? ''}]`), ...rest }
}
