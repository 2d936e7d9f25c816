// Lists of records other than documents: a page with its total in one statement, or everything as a stream, from one description.

import type { Filters as FiltersRead } from '../../kernel/filters.ts'
import type { ResponseFields, Streamed } from '../../kernel/method.ts'
import type { Page } from '../../kernel/page.ts'
import type { Statement } from '../../kernel/statement.ts'
import { filledIn } from '../postgres/json-sql.ts'
import { declarePage, type ListRow, pageResponse } from './page-rows.ts'

/** `Filters` has a property for each parameter in the SQL of the list. */
export type Listing<Filters> = {
  readonly query: (filters: Filters, page: Page | undefined) => Statement<ListRow>
  readonly response: (rows: readonly ListRow[]) => ResponseFields
  readonly stream: (filters: Filters, page: Page | undefined) => Streamed | undefined
  readonly pageRows: (filters: Filters, page: Page | undefined) => Streamed
}

/** The values of the filters that every list has. */
export type CommonFilters = {
  readonly company_id: number
  readonly search: string | null
  readonly updated_after: string | null
  readonly ids: readonly number[] | null
}

export const commonFilters = (companyId: number, { search, updatedAfter, ids }: FiltersRead): CommonFilters => ({
  company_id: companyId,
  search,
  updated_after: updatedAfter,
  ids,
})

export const listResponse =
  (field: string) =>
  ([row]: readonly ListRow[]): ResponseFields =>
    pageResponse(field, row, { total: row?.total ?? 0 })

/** `from` and `where` may use the filters as named parameters; `json` is the SQL of one record's JSON text. */
export function declareList<Filters extends Readonly<Record<string, unknown>>>(list: {
  readonly name: string
  readonly field: string
  readonly json: string
  readonly from: string
  readonly where: string
  readonly order: string
  /** Finds the page first and builds JSON only for its rows: the columns of `from` to keep as `p`, and the further joins that `json` needs. */
  readonly built?: { readonly columns: readonly string[]; readonly joins: string }
}): Listing<Filters> {
  const { json, from, where, order, field, built } = list
  const rowsOf = `from ${from} where ${where}`
  const keys = order.split(', ')
  const places = (alias: string): string => keys.map((_, at) => `${alias}.key${at}`).join(', ')
  const found = `select ${[...(built?.columns ?? []), ...keys.map((key, at) => `${key} as key${at}`)].join(', ')} ${rowsOf}`
  const page = declarePage<ListRow, Filters & Page>(
    list.name,
    built === undefined
      ? {
          others: `(select count(*) ${rowsOf}) as total`,
          rows: `select ${json} as json ${rowsOf} order by ${order} limit :limit offset :offset`,
        }
      : {
          ctes: `with matching as materialized (${found}),
     page as materialized (select a.* from matching a order by ${places('a')} limit :limit offset :offset)`,
          others: '(select count(*) from matching) as total',
          rows: `select ${json} as json from page p ${built.joins} order by ${places('p')} limit :limit`,
        },
  )
  const valuesOf = (filters: Filters, wanted: Page | undefined) => ({
    ...filters,
    limit: wanted?.limit ?? 1000,
    offset: wanted?.offset ?? 0,
  })
  const everything =
    built === undefined
      ? `select ',' || ${json} ${rowsOf} order by ${order}`
      : `select ',' || ${json} from (${found}) p ${built.joins} order by ${places('p')}`
  return {
    query: (filters, wanted) => page(valuesOf(filters, wanted)).statement,
    response: listResponse(field),
    stream: (filters, wanted) => (wanted === undefined ? { field, query: filledIn(everything, filters) } : undefined),
    pageRows: (filters, wanted) => ({ field, query: page(valuesOf(filters, wanted)).rows() }),
  }
}
