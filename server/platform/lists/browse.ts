// Lists for the screens, one declaration per section: a page in any order, the number of matching rows, their sums, and the count of each
// cut. Each sort order is a separate statement declared at startup, so that no text from a request gets into SQL.

import { z } from 'zod'
import { textRefusals } from '../../kernel/field.ts'
import { idsRefusals, idsSchema, readIds, searchPattern } from '../../kernel/filters.ts'
import type { Raw } from '../../kernel/json.ts'
import { JsonText, type ReadMethod, type Role, read } from '../../kernel/method.ts'
import { pageOf, pageRefusals } from '../../kernel/page.ts'
import { oneOf } from './browse-filters.ts'
import { type BrowsedRows, browsePage, type Sum } from './browse-sql.ts'
import { declarePage, type PageQuery, type PageRow, pageResponse } from './page-rows.ts'

export type Column = {
  /** SQL of its JSON text, evaluated only for the rows of the page. */
  readonly json: string
  readonly schema: z.ZodType
  readonly example: unknown
  /** The sort expression; a column without one is not sortable. */
  readonly sort?: Sorted
}
export type Sorted = { readonly asc: string; readonly desc: string }

/** Sorted by an expression; missing values come last in both directions. */
export const by = (sql: string): Sorted => ({ asc: `${sql} nulls last`, desc: `${sql} desc nulls last` })
/** Sorted by a column that is never null, so that an index can be used. */
export const byKey = (sql: string): Sorted => ({ asc: sql, desc: `${sql} desc` })

export const column = (json: string, schema: z.ZodType, example: unknown, sort?: Sorted): Column => ({
  json,
  schema,
  example,
  ...(sort === undefined ? {} : { sort }),
})

export type Browsed = Omit<BrowsedRows, 'columns' | 'totals'> & {
  /** Section of the API, and field of its list. */
  readonly section: string
  readonly title: string
  readonly notes?: readonly string[]
  /** The lowest role that may browse it; default `worker`. */
  readonly role?: Role
  /** Prefix of the statement names. */
  readonly name: string
  readonly columns: Readonly<Record<string, Column>>
  /** The default order, and the tie-breaker between equal rows. */
  readonly sort: readonly [column: string, direction: 'asc' | 'desc']
  readonly ties: string
  /** Sums over the matching rows. */
  readonly totals?: Readonly<Record<string, Total>>
}

export type Total = Sum & { readonly meaning: string; readonly example: number }

type Row = PageRow & { readonly total: number; readonly sums: string; readonly counts: string }
type Wanted = {
  readonly sort: string
  readonly direction: 'asc' | 'desc'
  readonly values: Values
}
/** The parameters of every list, and a value for each of its own filters by field name. */
type Values = {
  readonly search: string | null
  readonly ids: readonly number[] | null
  /** Whether neither `search` nor `ids` nor a filter has a value. */
  readonly is_unfiltered: boolean
  readonly limit: number
  readonly offset: number
  readonly cut: string
  readonly [filter: string]: unknown
}

const directions = ['asc', 'desc'] as const

export function browse(list: Browsed): ReadMethod<Wanted, Row> {
  const { section, cuts } = list
  const pages = orderedPages(list)
  const pageOf = ({ sort, direction, values }: Wanted, companyId: number): PageQuery<Row> => {
    const find = pages.get(`${sort} ${direction}`)
    if (find === undefined) throw new Error(`${section} has no order by ${sort}`)
    return find({ ...values, company_id: companyId })
  }
  return read({
    path: `${section}/browse`,
    api: 'app',
    role: list.role ?? 'worker',
    summary: `Browse ${list.title}.`,
    ...(list.notes === undefined ? {} : { notes: list.notes }),
    input: inputOf(list),
    output: outputOf(list),
    refusals: refusalsOf(list),
    example: exampleOf(list),
    query: (wanted, { companyId }) => pageOf(wanted, companyId).statement,
    response: ([row]) =>
      pageResponse(section, row, {
        total: row?.total ?? 0,
        totals: new JsonText(row?.sums ?? '{}'),
        ...(cuts === undefined ? {} : { counts: new JsonText(row?.counts ?? '{}') }),
      }),
    pageRows: (wanted, { companyId }) => ({ field: section, query: pageOf(wanted, companyId).rows() }),
  })
}

const sortableColumns = ({ columns }: Browsed): string[] =>
  Object.keys(columns).filter((name) => columns[name]?.sort !== undefined)
const cutNamesOf = ({ cuts }: Browsed): string[] => (cuts === undefined ? [] : [...Object.keys(cuts), 'all'])
const shown = ({ columns }: Browsed, of: (one: Column) => unknown) =>
  Object.fromEntries(Object.entries(columns).map(([name, one]) => [name, of(one)]))

/** A page for each sortable column and direction. */
function orderedPages(list: Browsed) {
  const page = browsePage(list)
  return new Map(
    sortableColumns(list).flatMap((name) =>
      directions.map((direction) => {
        const order = `${list.columns[name]?.sort?.[direction]}, ${list.ties}`
        const find = declarePage<Row, Values & { readonly company_id: number }>(
          `${list.name}.by_${name}_${direction}`,
          page(order),
        )
        return [`${name} ${direction}`, find] as const
      }),
    ),
  )
}

function inputOf(list: Browsed) {
  const { filters, cuts } = list
  const sortable = sortableColumns(list)
  const cutNames = cutNamesOf(list)
  const cutSchema = () => z.enum(cutNames as [string, ...string[]]).optional()
  return {
    schema: z.object({
      search: z.string().optional().describe('Part of what the list shows; upper and lower case are the same.'),
      sort: z
        .enum(sortable as [string, ...string[]])
        .optional()
        .describe(`Column to order by. Default: ${list.sort[0]}.`),
      direction: z.enum(directions).optional().describe(`Default: ${list.sort[1]} for the default column, else asc.`),
      limit: z.int().min(1).max(1000).optional().describe('Page size, 1 to 1000. Default 50.'),
      offset: z.int().min(0).optional().describe('Rows to skip.'),
      ids: idsSchema.optional().describe('Only the rows with these ids.'),
      ...(cuts === undefined ? {} : { cut: cutSchema().describe('Part of the list. Default: all.') }),
      ...Object.fromEntries(filters.map(({ field, schema }) => [field, schema.optional()])),
    }),
    read: (raw: Raw): Wanted => {
      const search = searchPattern(raw)
      const sort = oneOf(raw, 'sort', sortable) ?? list.sort[0]
      const direction = oneOf(raw, 'direction', directions) ?? (sort === list.sort[0] ? list.sort[1] : 'asc')
      const { limit, offset } = pageOf(raw, 50)
      const ids = readIds(raw)
      const cut = cuts === undefined ? 'all' : (oneOf(raw, 'cut', cutNames) ?? 'all')
      const own = Object.fromEntries(filters.map((filter) => [filter.field, filter.read(raw)]))
      const is_unfiltered = [search, ids, ...Object.values(own)].every((value) => value === null)
      return { sort, direction, values: { search, ids, is_unfiltered, limit, offset, cut, ...own } }
    },
  }
}

function outputOf(list: Browsed): z.ZodObject {
  const { totals = {}, cuts } = list
  const counts = Object.fromEntries(
    cutNamesOf(list).map((name) => [name, z.int().describe(`Rows of the cut ${name}.`)]),
  )
  const sums = Object.entries(totals).map(([name, { meaning }]) => [name, z.number().describe(meaning)])
  return z.object({
    [list.section]: z
      .array(z.object(shown(list, (one) => one.schema) as z.ZodRawShape))
      .describe('The rows of the page.'),
    total: z.int().describe('Number of rows that match.'),
    totals: z
      .object(Object.fromEntries(sums))
      .describe(
        list.summedWhere === undefined
          ? 'Sums over all rows that match.'
          : 'Sums over all rows that match, without canceled ones unless all of them are canceled.',
      ),
    ...(cuts === undefined
      ? {}
      : { counts: z.object(counts).describe('Number of rows that each cut would show, by the same filters.') }),
  })
}

function refusalsOf(list: Browsed): readonly string[] {
  return [
    ...textRefusals,
    `Invalid sort value. Must be one of: ${sortableColumns(list).join(', ')}`,
    `Invalid direction value. Must be one of: ${directions.join(', ')}`,
    ...pageRefusals.slice(0, 2),
    ...idsRefusals,
    ...(list.cuts === undefined ? [] : [`Invalid cut value. Must be one of: ${cutNamesOf(list).join(', ')}`]),
    ...new Set(list.filters.flatMap((filter) => filter.refusals)),
  ]
}

function exampleOf(list: Browsed) {
  const { totals = {}, cuts } = list
  return {
    request: { limit: 50 },
    response: {
      success: true,
      [list.section]: [shown(list, (one) => one.example)],
      total: 1,
      totals: Object.fromEntries(Object.entries(totals).map(([name, { example }]) => [name, example])),
      ...(cuts === undefined ? {} : { counts: Object.fromEntries(cutNamesOf(list).map((name) => [name, 1])) }),
    },
  }
}
