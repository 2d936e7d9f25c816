// Lists as the screens show them, one declaration a section: a page in any order, how many the filters leave, their sums, and how many each
// cut would show. Which columns may order a list is decided here and now: every order is a statement of its own, never text from a request.

import { z } from 'zod'
import { array, id, textRefusals } from '../kernel/field.ts'
import { searchPattern } from '../kernel/filters.ts'
import type { Raw } from '../kernel/json.ts'
import { JsonText, type ReadMethod, read } from '../kernel/method.ts'
import { pageOf, pageRefusals } from '../kernel/page.ts'
import { statement } from '../kernel/statement.ts'
import { type Filter, oneOf } from './browse-filters.ts'
import { object } from './json-sql.ts'

export type Column = {
  /** SQL of its JSON text, built for the rows of the page alone. */
  readonly json: string
  readonly onWire: z.ZodType
  readonly example: unknown
  /** What it is ordered by; a column without it orders nothing. */
  readonly sort?: Sorted
}
export type Sorted = { readonly asc: string; readonly desc: string }

/** Ordered by SQL; what has no value comes last either way. */
export const by = (sql: string): Sorted => ({ asc: `${sql} nulls last`, desc: `${sql} desc nulls last` })
/** Ordered by a column that never lacks a value, as an index keeps it. */
export const byKey = (sql: string): Sorted => ({ asc: sql, desc: `${sql} desc` })

export const column = (json: string, onWire: z.ZodType, example: unknown, sort?: Sorted): Column => ({
  json,
  onWire,
  example,
  ...(sort === undefined ? {} : { sort }),
})

export type Browsed = {
  /** Section of the interface, and field of its list. */
  readonly section: string
  readonly title: string
  readonly notes?: readonly string[]
  /** What the statements are called by. */
  readonly name: string
  /** WITH queries that the rest may use, each `name as (…)`. */
  readonly ctes?: readonly string[]
  /** Everything that orders, filters and sums need. Joins that give nothing unless asked are best left joins: the planner drops them. */
  readonly from: string
  readonly where: string
  /** What tells rows apart. The first is compared with `ids`. */
  readonly keys: readonly string[]
  /** More joins, for what only the rows of the page show. */
  readonly joins?: string
  readonly columns: Readonly<Record<string, Column>>
  /** The order when none is asked for, and what decides between equal rows. */
  readonly sort: readonly [column: string, direction: 'asc' | 'desc']
  readonly ties: string
  /** A condition that looks for the pattern $2. */
  readonly search: string
  readonly filters: readonly Filter[]
  /** Named parts of the list; `all` comes by itself. */
  readonly cuts?: Readonly<Record<string, string>>
  /** Sums over what is shown: SQL of a number. */
  readonly totals?: Readonly<Record<string, Total>>
}

/** A sum of SQL numbers, less another. */
export type Total = {
  readonly sum: string
  readonly less?: string
  readonly meaning: string
  readonly example: number
}

type Row = { readonly total: number; readonly sums: string; readonly counts: string; readonly rows: string }
type Wanted = {
  readonly sort: string
  readonly direction: 'asc' | 'desc'
  /** $2 and on: search, ids, limit, offset, cut, then the list's own filters. */
  readonly values: readonly unknown[]
}

const directions = ['asc', 'desc'] as const
const firstFilter = 7

export function browse(list: Browsed): ReadMethod<Wanted, Row> {
  const { section, columns, filters, totals = {}, cuts } = list
  const sortable = Object.keys(columns).filter((name) => columns[name]?.sort !== undefined)
  const cutNames = cuts === undefined ? [] : [...Object.keys(cuts), 'all']
  const texts = textsOf(list)
  const statements = new Map(
    sortable.flatMap((name) =>
      directions.map((direction) => {
        const order = `${columns[name]?.sort?.[direction]}, ${list.ties}`
        return [`${name} ${direction}`, statement<Row>(`${list.name}.by_${name}_${direction}`, texts(order))] as const
      }),
    ),
  )
  const input = {
    wire: z.object({
      search: z.string().optional().describe('Part of what the list shows; upper and lower case are the same.'),
      sort: z
        .enum(sortable as [string, ...string[]])
        .optional()
        .describe(`Column to order by. Default: ${list.sort[0]}.`),
      direction: z.enum(directions).optional().describe(`Default: ${list.sort[1]} for the default column, else asc.`),
      limit: z.int().min(1).max(1000).optional().describe('Page size, 1 to 1000. Default 50.'),
      offset: z.int().min(0).optional().describe('Rows to skip.'),
      ids: z.array(z.int()).optional().describe('Only the rows with these ids.'),
      ...(cuts === undefined
        ? {}
        : {
            cut: z
              .enum(cutNames as [string, ...string[]])
              .optional()
              .describe('Part of the list. Default: all.'),
          }),
      ...Object.fromEntries(filters.map(({ field, onWire }) => [field, onWire.optional()])),
    }),
    read: (raw: Raw): Wanted => {
      const search = searchPattern(raw)
      const sort = oneOf(raw, 'sort', sortable) ?? list.sort[0]
      const direction = oneOf(raw, 'direction', directions) ?? (sort === list.sort[0] ? list.sort[1] : 'asc')
      const { limit, offset } = pageOf(raw, 50)
      const ids = array(raw, 'ids')?.map(id) ?? null
      const cut = cuts === undefined ? 'all' : (oneOf(raw, 'cut', cutNames) ?? 'all')
      const own = filters.map((filter) => filter.read(raw))
      return { sort, direction, values: [search, ids, limit, offset, cut, ...own] }
    },
  }
  const shown = (of: (one: Column) => unknown) =>
    Object.fromEntries(Object.entries(columns).map(([name, one]) => [name, of(one)]))
  return read({
    path: `${section}/browse`,
    door: 'screens',
    role: 'worker',
    summary: `Browse ${list.title}.`,
    ...(list.notes === undefined ? {} : { notes: list.notes }),
    input,
    output: z.object({
      [section]: z.array(z.object(shown((one) => one.onWire) as z.ZodRawShape)).describe('The rows of the page.'),
      total: z.int().describe('Number of rows that match.'),
      totals: z
        .object(
          Object.fromEntries(Object.entries(totals).map(([name, { meaning }]) => [name, z.number().describe(meaning)])),
        )
        .describe('Sums over all rows that match.'),
      ...(cuts === undefined
        ? {}
        : {
            counts: z
              .object(Object.fromEntries(cutNames.map((name) => [name, z.int().describe(`Rows of the cut ${name}.`)])))
              .describe('Number of rows that each cut would show, by the same filters.'),
          }),
    }),
    refusals: [
      ...textRefusals,
      `Invalid sort value. Must be one of: ${sortable.join(', ')}`,
      `Invalid direction value. Must be one of: ${directions.join(', ')}`,
      ...pageRefusals.slice(0, 2),
      'Ids is not an array',
      ...(cuts === undefined ? [] : [`Invalid cut value. Must be one of: ${cutNames.join(', ')}`]),
      ...new Set(filters.flatMap((filter) => filter.refusals)),
    ],
    example: {
      request: { limit: 50 },
      response: {
        success: true,
        [section]: [shown((one) => one.example)],
        total: 1,
        totals: Object.fromEntries(Object.entries(totals).map(([name, { example }]) => [name, example])),
        ...(cuts === undefined ? {} : { counts: Object.fromEntries(cutNames.map((name) => [name, 1])) }),
      },
    },
    query: ({ sort, direction, values }, { companyId }) => {
      const find = statements.get(`${sort} ${direction}`)
      if (find === undefined) throw new Error(`${section} has no order by ${sort}`)
      return find(companyId, ...values)
    },
    answer: ([row]) => ({
      [section]: new JsonText(`[${row?.rows ?? ''}]`),
      total: row?.total ?? 0,
      totals: new JsonText(row?.sums ?? '{}'),
      ...(cuts === undefined ? {} : { counts: new JsonText(row?.counts ?? '{}') }),
    }),
  })
}

/** The text of the list's statement, given its order. */
function textsOf(list: Browsed): (order: string) => string {
  const { from, keys, joins = '', columns, filters, cuts, totals = {}, ctes = [] } = list
  const asked = [
    `($2::text is null or ${list.search})`,
    `($3::bigint[] is null or ${keys[0]} = any($3))`,
    ...filters.map(({ sql }, at) => sql(`$${at + firstFilter}`)),
  ]
  // The planner takes each filter for one that leaves next to nothing, and then joins a hundred thousand rows one by one. Of a CASE it knows
  // nothing: it expects half of the rows, and joins them by hashing.
  const conditions = `${list.where} and case when ${asked.join(' and ')} then true else false end`
  const cutNames = Object.keys(cuts ?? {})
  const inCut =
    cuts === undefined
      ? '$6::text is not null'
      : `case $6::text ${cutNames.map((name) => `when '${name}' then ${cuts[name]}`).join(' ')} else true end`
  const flags = cutNames.map((name, at) => `(${cuts?.[name]}) as cut_${at}`)
  const isShown =
    cuts === undefined
      ? '$6::text is not null'
      : `case $6::text ${cutNames.map((name, at) => `when '${name}' then each_row.cut_${at}`).join(' ')} else true end`
  const terms = [
    ...new Set(Object.values(totals).flatMap(({ sum, less }) => (less === undefined ? [sum] : [sum, less]))),
  ]
  const summed = (term: string): string =>
    `coalesce(sum(each_row.sum_${terms.indexOf(term)}) filter (where each_row.is_shown), 0)`
  const sums = Object.entries(totals).map(([name, { sum, less }]): [string, string] => [
    name,
    `trim_scale(${summed(sum)}${less === undefined ? '' : ` - ${summed(less)}`})::text`,
  ])
  // `offset 0` keeps the cuts, and which of them is asked for, from being worked out once for every sum that needs them.
  const summary = `select count(*) filter (where each_row.is_shown) as total,
      ${sums.length === 0 ? `'{}'` : object(sums)} as sums,
      ${object([...cutNames.map((name, at): [string, string] => [name, `(count(*) filter (where each_row.cut_${at}))::text`]), ['all', 'count(*)::text']])} as counts
    from (
      select each_row.*, ${isShown} as is_shown from (
        select ${[...flags, ...terms.map((term, at) => `${term} as sum_${at}`), '1 as one'].join(', ')}
        from ${from} where ${conditions} offset 0) each_row offset 0) each_row`
  const json = object(Object.entries(columns).map(([name, one]) => [name, one.json]))
  const slices = keys.map((_, at) => (keys.length === 1 ? 'cut_out.found' : `cut_out.found[1:][${at + 1}:${at + 1}]`))
  const names = keys.map((_, at) => `key_${at}`)
  // The rows of the page are found first, by what tells them apart; only they are joined and built.
  return (
    order,
  ) => `${ctes.length === 0 ? '' : `with ${ctes.join(',\n')} `}select summary.total, summary.sums, summary.counts, (
      select coalesce(string_agg(${json}, ',' order by page.place), '')
      from (select array(
          select ${keys.length === 1 ? keys[0] : `array[${keys.join(', ')}]`} from ${from}
          where ${conditions} and ${inCut} order by ${order} limit $4::bigint offset $5::bigint) as found offset 0) cut_out
      cross join lateral unnest(${slices.join(', ')}) with ordinality as page (${names.join(', ')}, place)
      join ${from.includes(' join ') ? `(${from})` : from} on ${keys.map((key, at) => `${key} = page.key_${at}`).join(' and ')} ${joins}
      where ${list.where}) as rows
    from (${summary}) summary`
}
