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
  /** With it a page is found first, and only what it shows is built: which columns of a row that was found go into `p`, and what `json` needs beside. */
  readonly built?: { readonly columns: readonly string[]; readonly joins: string }
}): Listing {
  const { json, from, where, order, field, built } = list
  const [limit, offset] = [`$${list.filters + 1}`, `$${list.filters + 2}`]
  const rowsOf = `from ${from} where ${where}`
  const keys = order.split(', ')
  const places = (alias: string): string => keys.map((_, at) => `${alias}.key${at}`).join(', ')
  const found = `select ${[...(built?.columns ?? []), ...keys.map((key, at) => `${key} as key${at}`)].join(', ')} ${rowsOf}`
  const page = statement<ListRow>(
    list.name,
    built === undefined
      ? `select (select count(*) ${rowsOf}) as total, (
       select coalesce(string_agg(x.json, ',' order by x.place), '') from (
         select ${json} as json, row_number() over (order by ${order}) as place ${rowsOf}
         order by ${order} limit ${limit} offset ${offset}
       ) x
     ) as rows`
      : `with matching as materialized (${found}),
     page as materialized (
       select m.*, row_number() over (order by ${places('m')}) as place
       from (select a.* from matching a order by ${places('a')} limit ${limit} offset ${offset}) m)
     select (select count(*) from matching) as total, (
       select coalesce(string_agg(${json}, ',' order by p.place), '') from page p ${built.joins}) as rows`,
  )
  const everything =
    built === undefined
      ? `select ',' || ${json} ${rowsOf} order by ${order}`
      : `select ',' || ${json} from (${found}) p ${built.joins} order by ${places('p')}`
  return {
    query: (filters, wanted) => page(...filters, wanted?.limit ?? 1000, wanted?.offset ?? 0),
    answer: ([row]) => ({ [field]: new JsonText(`[${row?.rows ?? ''}]`), total: row?.total ?? 0 }),
    stream: (filters, wanted) => (wanted === undefined ? { field, query: filledIn(everything, filters) } : undefined),
  }
}
