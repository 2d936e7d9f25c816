// Lists of documents: newest day first, within a day by number in natural order. Totals and offsets come from the counters of the list when
// only days are filtered; with other filters the matching rows are counted.

import { z } from 'zod'
import { date } from '../kernel/field.ts'
import { filterRefusals, filtersSchema, pageSchema, readFilters } from '../kernel/filters.ts'
import type { Raw } from '../kernel/json.ts'
import { JsonText, type ReadMethod, read } from '../kernel/method.ts'
import { type Page, page, pageRefusals } from '../kernel/page.ts'
import { type Statement, statement } from '../kernel/statement.ts'
import { listedBetween, listStart, listTotal } from '../platform/lists/list-runs.ts'
import { filledIn } from '../platform/postgres/json-sql.ts'
import { joinAmount, joinAmountInList } from './amount.ts'
import type { DocumentKind } from './document.ts'
import { dateRefusal, statusOf, statusRefusals } from './fields.ts'

type Row = { readonly total: number; readonly rows: string }

type Wanted = {
  readonly from: string | null
  readonly to: string | null
  readonly page: Page | undefined
  /** The other filters; `undefined` when none is passed. */
  readonly others: Others | undefined
}

type Days = { readonly company_id: number; readonly date_from: string | null; readonly date_to: string | null }
type Others = {
  readonly search: string | null
  readonly updated_after: string | null
  readonly ids: readonly number[] | null
  readonly status: number | null
}

export type ListDescription = {
  readonly kind: DocumentKind
  /** JSON text of one document, selected from `<table> d` with `joins` and `shared.amount`. */
  readonly json: string
  readonly joins: string
  readonly recordSchema: z.ZodType
  readonly example: object
  readonly notes?: readonly string[]
  /** Filters in addition to the days. Sales have none, because their parameters are specified. */
  readonly filters?: {
    readonly statuses?: readonly number[]
    /** SQL conditions on d that match the pattern `:search`. */
    readonly search: string
  }
}

const orderOf = (alias: string): string => `${alias}.listed, ${alias}.num_key, ${alias}.id`

const between = (alias: string): string =>
  `${alias}.company_id = :company_id and ${listedBetween(`${alias}.listed`, ':date_from', ':date_to')}`

type Filters = NonNullable<ListDescription['filters']>

const matching = ({ search, statuses }: Filters, alias: string): string => `${between(alias)}
    and (:search::text is null or lower(${alias}.num) like lower(:search) or ${search.replaceAll('d.', `${alias}.`)})
    and (:updated_after::timestamptz is null or ${alias}.updated_at > :updated_after) and (:ids::bigint[] is null or ${alias}.id = any(:ids))
    ${statuses === undefined ? '' : `and (:status::int is null or ${alias}.status = :status)`}`

/** Declares the statements of the pages, and returns the function that selects one of them. */
function declarePages({ kind, json, joins, filters }: ListDescription) {
  const { table, ledger } = kind
  // The page is selected first; only its rows are joined.
  const cutPage = (total: string, cut: string): string => `
    select ${total} as total, (
      select coalesce(string_agg(${json}, ',' order by ${orderOf('d')}), '') from (${cut}) d ${joins} ${joinAmount(kind)}) as rows`
  const firstPage = statement<Row, Days & Pick<Page, 'limit'>>(
    `${table}.first_page`,
    cutPage(
      listTotal(ledger, ':date_from', ':date_to'),
      `select o.* from ${table} o where ${between('o')} order by ${orderOf('o')} limit :limit`,
    ),
  )
  const laterPage = statement<Row, Days & Page>(
    `${table}.page`,
    `with start as materialized ${listStart(ledger, ':date_from', ':date_to', ':offset')}
     ${cutPage(
       listTotal(ledger, ':date_from', ':date_to'),
       `select o.* from ${table} o
        where ${between('o')} and (${orderOf('o')}) >=
          ((select t.listed from start t), (select t.from_key from start t), (select t.from_id from start t))
        order by ${orderOf('o')} offset coalesce((select t.skip from start t), 0) limit :limit`,
     )}`,
  )
  const filteredPage =
    filters === undefined
      ? undefined
      : statement<Row, Days & Page & Others>(
          `${table}.filtered_page`,
          cutPage(
            `(select count(*) from ${table} o where ${matching(filters, 'o')})`,
            `select o.* from ${table} o where ${matching(filters, 'o')} order by ${orderOf('o')} offset :offset limit :limit`,
          ),
        )
  return (companyId: number, wanted: Wanted): Statement<Row> => {
    const { limit, offset } = wanted.page ?? { limit: 1000, offset: 0 }
    const days = daysOf(companyId, wanted)
    if (wanted.others !== undefined && filteredPage !== undefined)
      return filteredPage({ ...days, limit, offset, ...wanted.others })
    return offset === 0 ? firstPage({ ...days, limit }) : laterPage({ ...days, limit, offset })
  }
}

/** The query of the whole list. COPY takes no parameters: the validated values are written into the text. */
function wholeList({ kind, json, joins, filters }: ListDescription) {
  const condition = (alias: string): string => (filters === undefined ? between(alias) : matching(filters, alias))
  const rows = (amount: string): string =>
    `select ',' || ${json} from ${kind.table} d ${joins} ${amount} where ${condition('d')} order by ${orderOf('d')}`
  const everything = rows(joinAmountInList(kind))
  const someOfIt = rows(joinAmountInList(kind, condition('x')))
  return (companyId: number, wanted: Wanted): string =>
    filledIn(isWhole(wanted) ? everything : someOfIt, {
      ...daysOf(companyId, wanted),
      ...(wanted.others ?? noOthers),
    })
}

export function documentList(description: ListDescription): ReadMethod<Wanted, Row> {
  const { kind, filters } = description
  const { section } = kind
  const pageOf = declarePages(description)
  const queryOf = wholeList(description)
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
      schema: z.object({
        ...daysSchema(kind),
        ...(filters === undefined ? {} : othersSchema(filters.statuses)),
        ...pageSchema,
      }),
      read: (raw) => readWanted(raw, filters),
    },
    output: z.object({
      [section]: z.array(description.recordSchema).describe('Documents, without their lines.'),
      total: z.int().describe('Number of documents that match, regardless of the limit.'),
    }),
    refusals: [
      dateRefusal,
      ...(filters === undefined
        ? pageRefusals
        : [...(filters.statuses === undefined ? [] : statusRefusals(filters.statuses)), ...filterRefusals]),
    ],
    example: {
      request: { limit: 50, offset: 0 },
      response: { success: true, [section]: [description.example], total: 1 },
    },
    query: (wanted, { companyId }) => pageOf(companyId, wanted),
    response: ([row]) => ({ [section]: new JsonText(`[${row?.rows ?? ''}]`), total: row?.total ?? 0 }),
    stream: (wanted, { companyId }) =>
      wanted.page === undefined ? { field: section, query: queryOf(companyId, wanted) } : undefined,
  })
}

/** Whether the list is unfiltered. */
const isWhole = ({ from, to, others }: Wanted): boolean => from === null && to === null && others === undefined

const noOthers: Others = { search: null, updated_after: null, ids: null, status: null }

const daysOf = (companyId: number, { from, to }: Wanted): Days => ({
  company_id: companyId,
  date_from: from,
  date_to: to,
})

function readWanted(raw: Raw, filters: ListDescription['filters']): Wanted {
  const days = { from: date(raw, 'date_from') ?? null, to: date(raw, 'date_to') ?? null }
  if (filters === undefined) return { ...days, page: page(raw), others: undefined }
  const status = filters.statuses === undefined ? null : (statusOf(raw, filters.statuses) ?? null)
  const { filters: common, page: wantedPage } = readFilters(raw)
  const others = { search: common.search, updated_after: common.updatedAfter, ids: common.ids, status }
  return { ...days, page: wantedPage, others: Object.values(others).every((one) => one === null) ? undefined : others }
}

const daysSchema = ({ listedBy }: DocumentKind) => ({
  date_from: z.string().optional().describe(`Documents whose \`${listedBy}\` is this day or later, \`YYYY-MM-DD\`.`),
  date_to: z.string().optional().describe(`Documents whose \`${listedBy}\` is this day or earlier, \`YYYY-MM-DD\`.`),
})

const othersSchema = (statuses: readonly number[] | undefined) => ({
  ...(statuses === undefined ? {} : { status: z.int().optional().describe('Only documents with this status.') }),
  ...filtersSchema,
})
