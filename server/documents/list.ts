// Lists of documents: newest day first, within a day by number in natural order. Totals and offsets come from the counters of the list when
// only days are filtered; with other filters the matching rows are counted.

import { z } from 'zod'
import type { RequestContext } from '../kernel/clock.ts'
import { date } from '../kernel/field.ts'
import { pageSchema } from '../kernel/filters.ts'
import type { Raw } from '../kernel/json.ts'
import { type ReadMethod, read } from '../kernel/method.ts'
import type { Page } from '../kernel/page.ts'
import { connectionOf } from '../platform/lists/external-ids.ts'
import { listedBetween, listStart, listTotal } from '../platform/lists/list-runs.ts'
import { declarePage, type ListRow, type PageQuery, pageResponse } from '../platform/lists/page-rows.ts'
import { filledIn } from '../platform/postgres/json-sql.ts'
import { joinAmount, joinAmountInList } from './amount.ts'
import type { DocumentKind } from './document.ts'
import { dateRefusal } from './fields.ts'

export type Wanted<Values> = {
  readonly from: string | null
  readonly to: string | null
  readonly page: Page | undefined
  /** The other filters; `undefined` when none is passed. */
  readonly values: Values | undefined
}

export type Days = {
  readonly company_id: number
  readonly connection_id: number
  readonly date_from: string | null
  readonly date_to: string | null
}

/** How the documents of a list are shown. */
export type ListView = {
  readonly kind: DocumentKind
  /** JSON text of one document, selected from `<table> d` with `joins` and `shared.amount`. */
  readonly json: string
  readonly joins: string
}

/** The filters of a list in addition to the days. `Values` are the parameters of their SQL; a filter that is not passed is null. */
export type ListFilters<Values> = {
  readonly schema: z.ZodRawShape
  readonly refusals: readonly string[]
  readonly read: (raw: Raw) => { readonly page: Page | undefined; readonly values: Values }
  /** How filtered documents are shown, if different from others. It may contain parameters among the values. */
  readonly view?: ListView
  /** SQL: whether the document with this alias matches. */
  readonly matching: (alias: string) => string
  readonly pageOf: (values: Days & Page & Values) => PageQuery<ListRow>
}

export type ListDescription<Values> = ListView & {
  readonly recordSchema: z.ZodType
  readonly example: object
  readonly notes?: readonly string[]
  readonly filters: (view: ListView) => ListFilters<Values>
}

export const orderOf = (alias: string): string => `${alias}.listed, ${alias}.num_key, ${alias}.id`

export const betweenDays = (alias: string): string =>
  `${alias}.company_id = :company_id and ${listedBetween(`${alias}.listed`, ':date_from', ':date_to')}`

/** Declares a page. Its documents are selected first; only they are joined. */
export const declareDocuments = <Values extends object>(
  { kind, json, joins }: ListView,
  name: string,
  { ctes = '', total, documents }: { readonly ctes?: string; readonly total: string; readonly documents: string },
): ((values: Values) => PageQuery<ListRow>) =>
  declarePage<ListRow, Values>(name, {
    ctes,
    others: `${total} as total`,
    rows: `select ${json} as json from (${documents}) d ${joins} ${joinAmount(kind)} order by ${orderOf('d')} limit :limit`,
  })

/** Declares the statements of pages of all documents between two days. */
export function declarePages<Values extends object>(view: ListView, name: string) {
  const { table, ledger } = view.kind
  const total = listTotal(ledger, ':date_from', ':date_to')
  const firstPage = declareDocuments<Days & Pick<Page, 'limit'> & Values>(view, `${name}.first_page`, {
    total,
    documents: `select o.* from ${table} o where ${betweenDays('o')} order by ${orderOf('o')} limit :limit`,
  })
  const laterPage = declareDocuments<Days & Page & Values>(view, `${name}.page`, {
    ctes: `with start as materialized ${listStart(ledger, ':date_from', ':date_to', ':offset')}`,
    total,
    documents: `select o.* from ${table} o
        where ${betweenDays('o')} and (${orderOf('o')}) >=
          ((select t.listed from start t), (select t.from_key from start t), (select t.from_id from start t))
        order by ${orderOf('o')} offset coalesce((select t.skip from start t), 0) limit :limit`,
  })
  return (values: Days & Page & Values): PageQuery<ListRow> =>
    values.offset === 0 ? firstPage(values) : laterPage(values)
}

/** The query of the whole list. COPY takes no parameters: the validated values are written into the text. */
function wholeList(
  view: ListView,
  { matching, view: filteredView = view }: Pick<ListFilters<unknown>, 'matching' | 'view'>,
) {
  const { kind } = view
  const rows = ({ json, joins }: ListView, amount: string, condition: string): string =>
    `select ',' || ${json} from ${kind.table} d ${joins} ${amount} where ${condition} order by ${orderOf('d')}`
  const condition = (alias: string): string => `${betweenDays(alias)} and ${matching(alias)}`
  const everything = rows(view, joinAmountInList(kind), betweenDays('d'))
  const ofDays = rows(view, joinAmountInList(kind, betweenDays('x')), betweenDays('d'))
  const filtered = rows(filteredView, joinAmountInList(kind, condition('x')), condition('d'))
  return (context: RequestContext, wanted: Wanted<object>): string => {
    const { from, to, values } = wanted
    const isWhole = from === null && to === null && values === undefined
    const query = isWhole ? everything : values === undefined ? ofDays : filtered
    return filledIn(query, { ...daysOf(context, wanted), ...values })
  }
}

export function documentList<Values extends object>(
  description: ListDescription<Values>,
): ReadMethod<Wanted<Values>, ListRow> {
  const { kind } = description
  const { section } = kind
  const filters = description.filters(description)
  const pageOfDays = declarePages(description, kind.table)
  const queryOf = wholeList(description, filters)
  const pageOf = (wanted: Wanted<Values>, context: RequestContext): PageQuery<ListRow> => {
    const values = { ...daysOf(context, wanted), ...(wanted.page ?? { limit: 1000, offset: 0 }) }
    return wanted.values === undefined ? pageOfDays(values) : filters.pageOf({ ...values, ...wanted.values })
  }
  return read({
    path: `${section}/get_list`,
    role: 'worker',
    summary: `List ${section === 'orders' ? 'sales' : section}.`,
    notes: [
      `Ordered by \`${kind.listedBy}\`, newest first; within a day by number, digits compared as numbers (A-9 before A-10); then by id.`,
      'Without `limit` the whole list is returned, streamed as it is read.',
      ...(description.notes ?? []),
    ],
    input: {
      schema: z.object({ ...daysSchema(kind), ...filters.schema, ...pageSchema }),
      read: (raw) => {
        const days = { from: date(raw, 'date_from') ?? null, to: date(raw, 'date_to') ?? null }
        const { page: wantedPage, values } = filters.read(raw)
        const isFiltered = Object.values(values).some((one) => one !== null)
        return { ...days, page: wantedPage, values: isFiltered ? values : undefined }
      },
    },
    output: z.object({
      [section]: z.array(description.recordSchema).describe('Documents; their lines only if they are included.'),
      total: z.int().describe('Number of documents that match, regardless of the limit.'),
    }),
    refusals: [dateRefusal, ...filters.refusals],
    example: {
      request: { limit: 50, offset: 0 },
      response: { success: true, [section]: [description.example], total: 1 },
    },
    query: (wanted, context) => pageOf(wanted, context).statement,
    response: ([row]) => pageResponse(section, row, { total: row?.total ?? 0 }),
    stream: (wanted, context) =>
      wanted.page === undefined ? { field: section, query: queryOf(context, wanted) } : undefined,
    pageRows: (wanted, context) => ({ field: section, query: pageOf(wanted, context).rows() }),
  })
}

const daysOf = (context: RequestContext, { from, to }: Pick<Wanted<unknown>, 'from' | 'to'>): Days => ({
  company_id: context.companyId,
  connection_id: connectionOf(context),
  date_from: from,
  date_to: to,
})

const daysSchema = ({ listedBy }: DocumentKind) => ({
  date_from: z.string().optional().describe(`Documents whose \`${listedBy}\` is this day or later, \`YYYY-MM-DD\`.`),
  date_to: z.string().optional().describe(`Documents whose \`${listedBy}\` is this day or earlier, \`YYYY-MM-DD\`.`),
})

/** A page of the documents that an index finds by one filter. `+ 0` keeps the planner from reading all documents of the days instead. */
export const declareFound = <Values extends object>(
  view: ListView,
  name: string,
  matching: string,
): ((values: Days & Page & Values) => PageQuery<ListRow>) =>
  declareDocuments<Days & Page & Values>(view, name, {
    ctes: `with matching as materialized (
       select o.id, o.listed, o.num_key from ${view.kind.table} o
       where o.company_id = :company_id and ${listedBetween('o.listed + 0', ':date_from', ':date_to')} and ${matching})`,
    total: '(select count(*) from matching)',
    documents: `select o.* from (select m.id from matching m order by ${orderOf('m')} offset :offset limit :limit) p
        join ${view.kind.table} o on o.company_id = :company_id and o.id = p.id`,
  })
