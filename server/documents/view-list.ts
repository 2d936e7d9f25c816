// The lists of documents other than sales, declared from their views: filters, included lines and meta data.

import { z } from 'zod'
import { foldedSql } from '../kernel/folded-text.ts'
import type { Included } from '../kernel/include.ts'
import type { ReadMethod } from '../kernel/method.ts'
import { type Page, page, pageRefusals } from '../kernel/page.ts'
import {
  filterToFindBy,
  type IndexedFilter,
  ifPassed,
  indexedFilters,
  type ListFilterValues,
  listInput,
  matchesIndexed,
} from '../platform/lists/list-filters.ts'
import type { ListRow } from '../platform/lists/page-rows.ts'
import type { DocumentKind } from './document.ts'
import { statusOf, statusRefusals } from './fields.ts'
import {
  betweenDays,
  type Days,
  declareDocuments,
  declareFound,
  declarePages,
  documentList,
  type ListFilters,
  type ListView,
  orderOf,
  type Wanted,
} from './list.ts'
import type { DocumentView } from './view.ts'

type CommonValues = ListFilterValues & Included<'lines' | 'meta'> & { readonly status: number | null }

type CommonFilters = {
  /** SQL on d that matches the pattern `:search`, besides the number. */
  readonly search: string
  readonly statuses?: readonly number[]
}

/** The list of documents other than sales. */
export const documentViewList = (
  kind: DocumentKind,
  view: DocumentView,
  filters: CommonFilters,
): ReadMethod<Wanted<CommonValues>, ListRow> =>
  documentList({
    kind,
    json: view.json,
    joins: view.joins,
    recordSchema: view.listedSchema,
    example: view.example,
    notes: ['`updated_after` finds changes of the document itself. Deleted documents are in no list.'],
    filters: () => commonFilters({ kind, ...view.listed }, view.listed.meanings, filters),
  })

function commonFilters(
  view: ListView,
  meanings: DocumentView['listed']['meanings'],
  { search, statuses }: CommonFilters,
): ListFilters<CommonValues> {
  const { table, noun } = view.kind
  const common = listInput(noun, meanings)
  const matching = (alias: string, certain?: IndexedFilter): string =>
    [
      ifPassed(
        'search',
        'text',
        `(${foldedSql(`${alias}.num`)} like :search or ${search.replaceAll('d.', `${alias}.`)})`,
      ),
      ...(statuses === undefined ? [] : [ifPassed('status', 'int', `${alias}.status = :status`)]),
      matchesIndexed(noun, alias, certain),
    ].join(' and ')
  const documents = `from ${table} o where ${betweenDays('o')} and ${matching('o')}`
  const pageOfDays = declarePages<Included<'lines' | 'meta'>>(view, `${table}.shown`)
  const found = new Map(
    indexedFilters(noun).map((filter) => [
      filter,
      declareFound<CommonValues>(view, `${table}.page_by_${filter}`, matching('o', filter)),
    ]),
  )
  const filteredPage = declareDocuments<Days & Page & CommonValues>(view, `${table}.filtered_page`, {
    total: `(select count(*) ${documents})`,
    documents: `select o.* ${documents} order by ${orderOf('o')} offset :offset limit :limit`,
  })
  return {
    schema: {
      ...(statuses === undefined ? {} : { status: z.int().optional().describe('Only documents with this status.') }),
      ...common.schema,
    },
    refusals: [...(statuses === undefined ? [] : statusRefusals(statuses)), ...common.refusals, ...pageRefusals],
    read: (raw) => {
      const status = statuses === undefined ? null : (statusOf(raw, statuses) ?? null)
      const values = common.read(raw)
      return { page: page(raw), values: { ...values, status } }
    },
    view,
    matching,
    pageOf: (values) => {
      const by = filterToFindBy(noun, values)
      if (by !== undefined) return (found.get(by) ?? filteredPage)(values)
      return values.search === null && values.status === null ? pageOfDays(values) : filteredPage(values)
    },
  }
}
