// Lists for the screens, one declaration per section: a page in any order, the number of matching rows, their sums, and the count of each
// cut. Each sort order is a separate statement declared at startup, so that no text from a request gets into SQL.
// Long because the method and the text of its statement are built from the same declaration.

import { z } from 'zod'
import { textRefusals } from '../../kernel/field.ts'
import { idsRefusals, idsSchema, readIds, searchPattern } from '../../kernel/filters.ts'
import type { Raw } from '../../kernel/json.ts'
import { JsonText, type ReadMethod, type Role, read } from '../../kernel/method.ts'
import { pageOf, pageRefusals } from '../../kernel/page.ts'
import { object } from '../postgres/json-sql.ts'
import { type Filter, oneOf } from './browse-filters.ts'
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

export type Browsed = {
  /** Section of the API, and field of its list. */
  readonly section: string
  readonly title: string
  readonly notes?: readonly string[]
  /** The lowest role that may browse it; default `worker`. */
  readonly role?: Role
  /** Prefix of the statement names. */
  readonly name: string
  /** WITH queries that the rest may use, each `name as (…)`. */
  readonly ctes?: readonly string[]
  /** Everything that sort orders, filters and sums need. Use left joins where possible: the planner removes those that are not used. */
  readonly from: string
  readonly where: string
  /** The columns that identify a row. The first is compared with `ids`. */
  readonly keys: readonly string[]
  /** More joins, for columns that are needed only for the rows of the page. */
  readonly joins?: string
  readonly columns: Readonly<Record<string, Column>>
  /** The default order, and the tie-breaker between equal rows. */
  readonly sort: readonly [column: string, direction: 'asc' | 'desc']
  readonly ties: string
  /** A condition with the pattern `:search`. */
  readonly search: string
  readonly filters: readonly Filter[]
  /** Named parts of the list; `all` is added automatically. */
  readonly cuts?: Readonly<Record<string, string>>
  /** Sums over the matching rows: SQL of a number. */
  readonly totals?: Readonly<Record<string, Total>>
  /** A condition. Rows that do not meet it, such as canceled documents, are excluded from the sums unless no matching row meets it. */
  readonly summedWhere?: string
}

/** A sum of SQL numbers, minus another sum. */
export type Total = {
  readonly sum: string
  readonly less?: string
  /** The sum of values with more decimals is rounded once to this number of decimals. */
  readonly decimals?: number
  readonly meaning: string
  readonly example: number
}

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
  const parts = partsOf(list)
  return new Map(
    sortableColumns(list).flatMap((name) =>
      directions.map((direction) => {
        const order = `${list.columns[name]?.sort?.[direction]}, ${list.ties}`
        const find = declarePage<Row, Values & { readonly company_id: number }>(
          `${list.name}.by_${name}_${direction}`,
          parts(order),
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
      return { sort, direction, values: { search, ids, limit, offset, cut, ...own } }
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

/** The parts of the list's statement, given its order. */
function partsOf(list: Browsed): (order: string) => Parameters<typeof declarePage>[1] {
  const { from, keys, joins = '', columns, filters, cuts, totals = {}, ctes = [] } = list
  const filterConditions = [
    `(:search::text is null or ${list.search})`,
    `(:ids::bigint[] is null or ${keys[0]} = any(:ids))`,
    ...filters.map(({ sql }) => sql),
  ]
  // The planner estimates that each filter leaves almost no rows, and then joins a hundred thousand rows with nested loops. For a CASE it has
  // no statistics: it expects half of the rows, and uses hash joins.
  const conditions = `${list.where} and case when ${filterConditions.join(' and ')} then true else false end`
  const cutNames = Object.keys(cuts ?? {})
  const inCut =
    cuts === undefined
      ? 'true'
      : `case :cut::text ${cutNames.map((name) => `when '${name}' then ${cuts[name]}`).join(' ')} else true end`
  const flags = cutNames.map((name, at) => `(${cuts?.[name]}) as cut_${at}`)
  const isShown =
    cuts === undefined
      ? 'true'
      : `case :cut::text ${cutNames.map((name, at) => `when '${name}' then each_row.cut_${at}`).join(' ')} else true end`
  const terms = [
    ...new Set(Object.values(totals).flatMap(({ sum, less }) => (less === undefined ? [sum] : [sum, less]))),
  ]
  const summed = (term: string): string => {
    const of = (condition: string): string =>
      `coalesce(sum(each_row.sum_${terms.indexOf(term)}) filter (where ${condition}), 0)`
    if (list.summedWhere === undefined) return of('each_row.is_shown')
    // Every row is added to one of the two sums, so that two sums take no longer than one.
    const isSummed = 'each_row.is_shown and each_row.is_summed'
    const isLeftOut = 'each_row.is_shown and not each_row.is_summed'
    return `(case when bool_or(${isSummed}) then ${of(isSummed)} else ${of(isLeftOut)} end)`
  }
  const sums = Object.entries(totals).map(([name, { sum, less, decimals }]): [string, string] => {
    const whole = `${summed(sum)}${less === undefined ? '' : ` - ${summed(less)}`}`
    return [name, `trim_scale(${decimals === undefined ? whole : `round(${whole}, ${decimals})`})::text`]
  })
  // `offset 0` prevents the cuts, and the choice between them, from being evaluated again for every sum.
  const summary = `select count(*) filter (where each_row.is_shown) as total,
      ${sums.length === 0 ? `'{}'` : object(sums)} as sums,
      ${object([...cutNames.map((name, at): [string, string] => [name, `(count(*) filter (where each_row.cut_${at}))::text`]), ['all', 'count(*)::text']])} as counts
    from (
      select each_row.*, ${isShown} as is_shown from (
        select ${[...flags, ...(list.summedWhere === undefined ? [] : [`(${list.summedWhere}) as is_summed`]), ...terms.map((term, at) => `${term} as sum_${at}`), '1 as one'].join(', ')}
        from ${from} where ${conditions} offset 0) each_row offset 0) each_row`
  const json = object(Object.entries(columns).map(([name, one]) => [name, one.json]))
  const slices = keys.map((_, at) => (keys.length === 1 ? 'cut_out.found' : `cut_out.found[1:][${at + 1}:${at + 1}]`))
  const names = keys.map((_, at) => `key_${at}`)
  // The keys of the page are found first; only its rows are joined and converted to JSON.
  return (order) => ({
    ctes: ctes.length === 0 ? '' : `with ${ctes.join(',\n')}`,
    others: 'summary.total, summary.sums, summary.counts',
    from: `from (${summary}) summary`,
    rows: `select ${json} as json
      from (select array(
          select ${keys.length === 1 ? keys[0] : `array[${keys.join(', ')}]`} from ${from}
          where ${conditions} and ${inCut} order by ${order} limit :limit::bigint offset :offset::bigint) as found offset 0) cut_out
      cross join lateral unnest(${slices.join(', ')}) with ordinality as page (${names.join(', ')}, place)
      join ${from.includes(' join ') ? `(${from})` : from} on ${keys.map((key, at) => `${key} = page.key_${at}`).join(' and ')} ${joins}
      where ${list.where} order by page.place limit :limit::bigint`,
  })
}
