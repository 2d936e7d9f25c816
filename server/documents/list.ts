// Lists of documents: newest day first, within a day by number in natural order. Totals and offsets come from the counters of the list while
// only days are asked for; with other filters the matching rows are counted.

import { z } from 'zod'
import { code, date, passed } from '../kernel/field.ts'
import { filterRefusals, filtersOnWire, pageOnWire, readFilters } from '../kernel/filters.ts'
import type { Raw } from '../kernel/json.ts'
import { JsonText, type ReadMethod, read } from '../kernel/method.ts'
import { type Page, page, pageRefusals } from '../kernel/page.ts'
import { type Statement, statement } from '../kernel/statement.ts'
import { filledIn } from '../platform/json-sql.ts'
import { listedBetween, listStart, listTotal } from '../platform/list-runs.ts'
import type { DocumentKind } from './document.ts'
import { dateRefusal } from './fields.ts'

type Row = { readonly total: number; readonly rows: string }

type Wanted = {
  readonly from: string | null
  readonly to: string | null
  readonly page: Page | undefined
  /** Values of the other filters; `undefined` when none is passed. */
  readonly others: readonly unknown[] | undefined
}

export type ListDescription = {
  readonly kind: DocumentKind
  /** JSON text of one document, from `<table> d` joined as `joins` says. */
  readonly json: string
  readonly joins: string
  readonly recordOnWire: z.ZodType
  readonly example: object
  readonly notes?: readonly string[]
  /** Filters beside the days. Sales, whose parameters are given, have none. */
  readonly filters?: {
    readonly statuses?: readonly number[]
    /** SQL conditions on d that look for the pattern $6. */
    readonly search: string
  }
}

const orderOf = (alias: string): string => `${alias}.listed, ${alias}.num_key, ${alias}.id`

export function documentList(description: ListDescription): ReadMethod<Wanted, Row> {
  const { kind, json, joins, filters } = description
  const { table, ledger, section } = kind
  const between = (alias: string): string =>
    `${alias}.company_id = $1 and ${listedBetween(`${alias}.listed`, '$2', '$3')}`
  // The rows of the page are cut out first and joined afterwards.
  const cutPage = (total: string, cut: string): string => `
    select ${total} as total, (
      select coalesce(string_agg(${json}, ',' order by ${orderOf('d')}), '') from (${cut}) d ${joins}) as rows`
  const firstPage = statement<Row>(
    `${table}.first_page`,
    cutPage(
      listTotal(ledger, '$2', '$3'),
      `select o.* from ${table} o where ${between('o')} order by ${orderOf('o')} limit $4`,
    ),
  )
  const laterPage = statement<Row>(
    `${table}.page`,
    `with start as materialized ${listStart(ledger, '$2', '$3', '$5')}
     ${cutPage(
       listTotal(ledger, '$2', '$3'),
       `select o.* from ${table} o
        where ${between('o')} and (${orderOf('o')}) >=
          ((select t.listed from start t), (select t.from_key from start t), (select t.from_id from start t))
        order by ${orderOf('o')} offset coalesce((select t.skip from start t), 0) limit $4`,
     )}`,
  )
  const matching = (alias: string): string => `${between(alias)}
    and ($6::text is null or lower(${alias}.num) like lower($6) or ${(filters?.search ?? 'false').replaceAll('d.', `${alias}.`)})
    and ($7::timestamptz is null or ${alias}.updated_at > $7) and ($8::bigint[] is null or ${alias}.id = any($8))
    ${filters?.statuses === undefined ? 'and $9::int is null' : `and ($9::int is null or ${alias}.status = $9)`}`
  const filteredPage =
    filters === undefined
      ? undefined
      : statement<Row>(
          `${table}.filtered_page`,
          cutPage(
            `(select count(*) from ${table} o where ${matching('o')})`,
            `select o.* from ${table} o where ${matching('o')} order by ${orderOf('o')} offset $5 limit $4`,
          ),
        )
  const everything = `select ',' || ${json} from ${table} d ${joins} where ${filters === undefined ? between('d') : matching('d')} order by ${orderOf('d')}`

  const query = (companyId: number, wanted: Wanted): Statement<Row> => {
    const { limit, offset } = wanted.page ?? { limit: 1000, offset: 0 }
    const days = [companyId, wanted.from, wanted.to, limit]
    if (wanted.others !== undefined && filteredPage !== undefined)
      return filteredPage(...days, offset, ...wanted.others)
    return offset === 0 ? firstPage(...days) : laterPage(...days, offset)
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
      wire: z.object({
        ...daysOnWire(kind),
        ...(filters === undefined ? {} : othersOnWire(filters.statuses)),
        ...pageOnWire,
      }),
      read: (raw) => readWanted(raw, filters),
    },
    output: z.object({
      [section]: z.array(description.recordOnWire).describe('Documents, without their lines.'),
      total: z.int().describe('Number of documents that match, whatever the limit.'),
    }),
    refusals: [
      dateRefusal,
      ...(filters === undefined ? pageRefusals : [...statusRefusal(filters.statuses), ...filterRefusals]),
    ],
    example: {
      request: { limit: 50, offset: 0 },
      response: { success: true, [section]: [description.example], total: 1 },
    },
    query: (wanted, { companyId }) => query(companyId, wanted),
    answer: ([row]) => ({ [section]: new JsonText(`[${row?.rows ?? ''}]`), total: row?.total ?? 0 }),
    // COPY takes no parameters: what was checked is written into the statement.
    stream: (wanted, { companyId }) =>
      wanted.page === undefined
        ? {
            field: section,
            query: filledIn(everything, [
              companyId,
              wanted.from,
              wanted.to,
              null,
              null,
              ...(wanted.others ?? noOthers),
            ]),
          }
        : undefined,
  })
}

const noOthers: readonly unknown[] = [null, null, null, null]

function readWanted(raw: Raw, filters: ListDescription['filters']): Wanted {
  const days = { from: date(raw, 'date_from') ?? null, to: date(raw, 'date_to') ?? null }
  if (filters === undefined) return { ...days, page: page(raw), others: undefined }
  const wantedStatus = filters.statuses === undefined ? null : readStatus(raw, filters.statuses)
  const { filters: common, page: wantedPage } = readFilters(raw)
  const others = [common.search, common.updatedAfter, common.ids, wantedStatus]
  return { ...days, page: wantedPage, others: others.every((one) => one === null) ? undefined : others }
}

function readStatus(raw: Raw, statuses: readonly number[]): number | null {
  const value = passed(raw, 'status')
  return value === undefined ? null : code(value, statuses, statusRefusal(statuses)[0] ?? '')
}

const daysOnWire = ({ listedBy }: DocumentKind) => ({
  date_from: z.string().optional().describe(`Documents whose \`${listedBy}\` is this day or later, \`YYYY-MM-DD\`.`),
  date_to: z.string().optional().describe(`Documents whose \`${listedBy}\` is this day or earlier, \`YYYY-MM-DD\`.`),
})

const othersOnWire = (statuses: readonly number[] | undefined) => ({
  ...(statuses === undefined ? {} : { status: z.int().optional().describe('Only documents with this status.') }),
  ...filtersOnWire,
})

const statusRefusal = (statuses: readonly number[] | undefined): readonly string[] =>
  statuses === undefined ? [] : [`Invalid status value. Must be one of: ${statuses.join(', ')}`]
