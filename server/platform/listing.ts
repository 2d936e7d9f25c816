// Lists of records other than documents: a page with its total in one statement, or everything as a stream, from one description.

import { type Answer, JsonText, type Streamed } from '../kernel/method.ts'
import type { Page } from '../kernel/page.ts'
import { type Statement, statement } from '../kernel/statement.ts'
import { filledIn } from './json-sql.ts'

export type ListRow = { readonly total: number; readonly rows: string }

export type Listing = {
  readonly query: (filters: readonly unknown[], page: Page | undefined) => Statement<ListRow>
  readonly answer: (rows: readonly ListRow[]) => Answer
  readonly stream: (filters: readonly unknown[], page: Page | undefined) => Streamed | undefined
}

/** `from` and `where` may use the filters as $1 (the company), $2 … ; `json` is the text of one record. */
export function declareList(list: {
  readonly name: string
  readonly field: string
  readonly filters: number
  readonly json: string
  readonly from: string
  readonly where: string
  readonly order: string
  /** The column that tells its rows apart: with it a page is found first, and only what it shows is built. */
  readonly id?: string
}): Listing {
  const { json, from, where, order, field } = list
  const rowsOf = `from ${from} where ${where}`
  const page = statement<ListRow>(
    list.name,
    list.id === undefined
      ? `select (select count(*) ${rowsOf}) as total, (
       select coalesce(string_agg(x.json, ',' order by x.place), '') from (
         select ${json} as json, row_number() over (order by ${order}) as place ${rowsOf}
         order by ${order} limit $${list.filters + 1} offset $${list.filters + 2}
       ) x
     ) as rows`
      : `with matching as materialized (select ${list.id} as id, row_number() over (order by ${order}) as place ${rowsOf}),
     page as materialized (select m.id, m.place from matching m order by m.place limit $${list.filters + 1} offset $${list.filters + 2})
     select (select count(*) from matching) as total, (
       select coalesce(string_agg(${json}, ',' order by p.place), '')
       from page p join ${from.includes(' join ') ? `(${from})` : from} on ${list.id} = p.id and ${list.id.split('.')[0]}.company_id = $1
     ) as rows`,
  )
  return {
    query: (filters, wanted) => page(...filters, wanted?.limit ?? 1000, wanted?.offset ?? 0),
    answer: ([row]) => ({ [field]: new JsonText(`[${row?.rows ?? ''}]`), total: row?.total ?? 0 }),
    stream: (filters, wanted) =>
      wanted === undefined
        ? { field, query: filledIn(`select ',' || ${json} ${rowsOf} order by ${order}`, filters) }
        : undefined,
  }
}
