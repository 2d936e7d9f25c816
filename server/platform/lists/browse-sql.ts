// The statement of a list for the screens: a page in one order, the number of matching rows, their sums, and the count of each cut.

import { object } from '../postgres/json-sql.ts'
import type { Filter } from './browse-filters.ts'
import type { declarePage } from './page-rows.ts'

/** The SQL of a list. */
export type BrowsedRows = {
  /** WITH queries that the rest may use, each `name as (…)`. */
  readonly ctes?: readonly string[]
  /** Everything that sort orders, filters and sums need. Use left joins where possible: the planner removes those that are not used. */
  readonly from: string
  readonly where: string
  /** The columns that identify a row. The first is compared with `ids`. */
  readonly keys: readonly string[]
  /** More joins, for columns that are needed only for the rows of the page. */
  readonly joins?: string
  /** SQL of the JSON text of each column, evaluated only for the rows of the page. */
  readonly columns: Readonly<Record<string, { readonly json: string }>>
  /** A condition with the pattern `:search`. */
  readonly search: string
  readonly filters: readonly Filter[]
  /** Named parts of the list: conditions. `all` is added automatically. */
  readonly cuts?: Readonly<Record<string, string>>
  /** Sums over the matching rows. */
  readonly totals?: Readonly<Record<string, Sum>>
  /** A condition. Rows that do not meet it, such as canceled documents, are excluded from the sums unless no matching row meets it. */
  readonly summedWhere?: string
}

/** A sum of SQL numbers, minus another sum; without `sum` the number of rows. */
export type Sum = {
  readonly sum?: string
  readonly less?: string
  /** A condition: other rows are left out. */
  readonly only?: string
  /** The sum of values with more decimals is rounded once to this number of decimals. */
  readonly decimals?: number
}

/** The parts of the list's statement, given its order. */
export function browsePage(list: BrowsedRows): (order: string) => Parameters<typeof declarePage>[1] {
  const { from, keys, joins = '', columns, cuts, ctes = [], where } = list
  const conditions = conditionsOf(list)
  const inCut = cuts === undefined ? 'true' : shownWhere(Object.entries(cuts))
  const json = object(Object.entries(columns).map(([name, one]) => [name, one.json]))
  const slices = keys.map((_, at) => (keys.length === 1 ? 'cut_out.found' : `cut_out.found[1:][${at + 1}:${at + 1}]`))
  const names = keys.map((_, at) => `key_${at}`)
  const summary = summaryOf(list, conditions)
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
      where ${where} order by page.place limit :limit::bigint`,
  })
}

/**
 * The planner estimates that each filter leaves almost no rows, and then joins a hundred thousand rows with nested loops. For a CASE it has no statistics:
 * it expects half of the rows, and uses hash joins. Testing for every filter whether it has a value takes longer than reading the row, so `is_unfiltered`
 * is tested first.
 */
function conditionsOf({ where, search, keys, filters }: BrowsedRows): string {
  const all = [
    `(:search::text is null or ${search})`,
    `(:ids::bigint[] is null or ${keys[0]} = any(:ids))`,
    ...filters.map(({ sql }) => sql),
  ]
  return `${where} and case when :is_unfiltered::boolean then true when ${all.join(' and ')} then true else false end`
}

/** Whether a row is in the cut that is asked for. */
const shownWhere = (conditions: readonly (readonly [cut: string, condition: string])[]): string =>
  `case :cut::text when 'all' then true ${conditions.map(([name, condition]) => `when '${name}' then ${condition}`).join(' ')} end`

/**
 * The number, the sums and the counts. Rows are first grouped by the conditions of cuts and sums that they meet: each row is then added to each sum once,
 * however many conditions there are, and the rest is computed from the few groups. Without `offset 0` PostgreSQL expects almost as many groups as rows, and
 * sorts the rows.
 */
function summaryOf({ from, cuts, totals = {}, summedWhere }: BrowsedRows, where: string): string {
  const sums = Object.entries(totals)
  const conditions = [
    ...new Set([
      ...Object.values(cuts ?? {}),
      ...(summedWhere === undefined ? [] : [summedWhere]),
      ...sums.flatMap(([, { only }]) => only ?? []),
    ]),
  ]
  const terms = [...new Set(sums.flatMap(([, { sum, less }]) => [sum, less]))].filter((term) => term !== undefined)
  // One number says which conditions a row meets: grouping by one column is faster than by several.
  const bits = conditions.map((condition, at) => `case when ${condition} then ${2 ** at} else 0 end`).join(' + ')
  const meets = (condition: string): string => `(each_group.met & ${2 ** conditions.indexOf(condition)} <> 0)`
  const added = (column: string, condition: string): string =>
    `coalesce(sum(each_group.${column}) filter (where ${condition}), 0)`
  const isShown =
    cuts === undefined ? 'true' : shownWhere(Object.entries(cuts).map(([name, cut]) => [name, meets(cut)]))
  const summed = (term: string | undefined, only: string | undefined): string =>
    added(
      term === undefined ? 'entries' : `sum_${terms.indexOf(term)}`,
      only === undefined ? 'each_group.is_summed' : `each_group.is_summed and ${meets(only)}`,
    )
  const isSummed =
    summedWhere === undefined
      ? 'each_group.is_shown'
      : `each_group.is_shown and (${meets(summedWhere)} or not bool_or(each_group.is_shown and ${meets(summedWhere)}) over ())`
  const sumTexts = sums.map(([name, { sum, less, only, decimals }]): [string, string] => {
    const whole = `${summed(sum, only)}${less === undefined ? '' : ` - ${summed(less, only)}`}`
    return [name, `trim_scale(${decimals === undefined ? whole : `round(${whole}, ${decimals})`})::text`]
  })
  const countTexts = [
    ...Object.entries(cuts ?? {}).map(([name, cut]): [string, string] => [
      name,
      `${added('entries', meets(cut))}::text`,
    ]),
    ['all', `${added('entries', 'true')}::text`] as [string, string],
  ]
  const ofRow = [`${bits === '' ? '0' : bits} as met`, ...terms.map((term, at) => `${term} as term_${at}`)]
  const ofGroup = [
    'each_row.met',
    'count(*) as entries',
    ...terms.map((_, at) => `sum(each_row.term_${at}) as sum_${at}`),
  ]
  return `select ${added('entries', 'each_group.is_shown')}::bigint as total,
      ${sumTexts.length === 0 ? `'{}'` : object(sumTexts)} as sums, ${object(countTexts)} as counts
    from (
      select each_group.*, ${isSummed} as is_summed
      from (
        select each_group.*, ${isShown} as is_shown
        from (
          select ${ofGroup.join(', ')}
          from (select ${ofRow.join(', ')} from ${from} where ${where} offset 0) each_row group by each_row.met) each_group) each_group) each_group`
}
