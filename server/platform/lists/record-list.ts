// Lists of records other than documents: a page with its total in one statement, or everything as a stream, from one description.

import type { Included } from '../../kernel/include.ts'
import type { ResponseFields, Streamed } from '../../kernel/method.ts'
import type { Page } from '../../kernel/page.ts'
import type { Statement } from '../../kernel/statement.ts'
import { filledIn } from '../postgres/json-sql.ts'
import {
  filterToFindBy,
  type IndexedFilter,
  indexedFilters,
  type ListFilterValues,
  matchesIndexed,
} from './list-filters.ts'
import { declarePage, type ListRow, pageResponse } from './page-rows.ts'

/** `Filters` has a property for each parameter in the SQL of the list. */
export type Listing<Filters> = {
  readonly query: (filters: Filters, page: Page | undefined) => Statement<ListRow>
  readonly response: (rows: readonly ListRow[]) => ResponseFields
  readonly stream: (filters: Filters, page: Page | undefined) => Streamed | undefined
  readonly pageRows: (filters: Filters, page: Page | undefined) => Streamed
}

/** The values of the filters and parts that every list of records has. */
export type CommonFilters = ListFilterValues &
  Included & {
    readonly company_id: number
    readonly connection_id: number
  }

export const listResponse =
  (field: string) =>
  ([row]: readonly ListRow[]): ResponseFields =>
    pageResponse(field, row, { total: row?.total ?? 0 })

/** `from` and `where` may use the filters as named parameters; `json` is the SQL of one record's JSON text. A list of records has
 * the filters that all of them have, in addition to `where`. */
export function declareList<Filters extends Readonly<Record<string, unknown>>>(list: {
  readonly name: string
  readonly field: string
  readonly json: string
  readonly from: string
  readonly where: string
  readonly records?: { readonly record: string; readonly alias: string }
  readonly order: string
  /** Finds the page first and builds JSON only for its rows: the columns of `from` to keep as `p`, and the further joins that `json` needs. */
  readonly built: { readonly columns: readonly string[]; readonly joins: string }
}): Listing<Filters> {
  const { json, from, where, order, field, built, records } = list
  const rowsOf = (certain?: IndexedFilter): string =>
    `from ${from} where ${where}${records === undefined ? '' : ` and ${matchesIndexed(records.record, records.alias, certain)}`}`
  const keys = order.split(', ')
  const places = (alias: string): string => keys.map((_, at) => `${alias}.key${at}`).join(', ')
  const found = (certain?: IndexedFilter): string =>
    `select ${[...built.columns, ...keys.map((key, at) => `${key} as key${at}`)].join(', ')} ${rowsOf(certain)}`
  const declare = (certain?: IndexedFilter) =>
    declarePage<ListRow, Filters & Page>(certain === undefined ? list.name : `${list.name}_by_${certain}`, {
      ctes: `with matching as materialized (${found(certain)}),
     page as materialized (select a.* from matching a order by ${places('a')} limit :limit offset :offset)`,
      others: '(select count(*) from matching) as total',
      rows: `select ${json} as json from page p ${built.joins} order by ${places('p')} limit :limit`,
    })
  const anyPage = declare()
  const pages = new Map(records === undefined ? [] : indexedFilters(records.record).map((one) => [one, declare(one)]))
  const page = (values: Filters & Page) => {
    const by = records === undefined ? undefined : filterToFindBy(records.record, values)
    return ((by === undefined ? undefined : pages.get(by)) ?? anyPage)(values)
  }
  const valuesOf = (filters: Filters, wanted: Page | undefined) => ({
    ...filters,
    limit: wanted?.limit ?? 1000,
    offset: wanted?.offset ?? 0,
  })
  const everything = `select ',' || ${json} from (${found()}) p ${built.joins} order by ${places('p')}`
  return {
    query: (filters, wanted) => page(valuesOf(filters, wanted)).statement,
    response: listResponse(field),
    stream: (filters, wanted) => (wanted === undefined ? { field, query: filledIn(everything, filters) } : undefined),
    pageRows: (filters, wanted) => ({ field, query: page(valuesOf(filters, wanted)).rows() }),
  }
}
