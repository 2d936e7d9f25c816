// The filters of the list of sales, and the statements of its filtered pages. Statements are planned once for all companies, so each
// filter with an index of its own has a statement that is certain to use it.

import { z } from 'zod'
import { searchedName } from '../contacts/contact.ts'
import { statusOf, statusRefusals } from '../documents/fields.ts'
import {
  betweenDays,
  type Days,
  declareDocuments,
  declareFound,
  declarePages,
  type ListFilters,
  type ListView,
  orderOf,
} from '../documents/list.ts'
import { paymentStatusTable, saleStatusTable } from '../kernel/document-statuses.ts'
import { code, nameLength, passed, text } from '../kernel/field.ts'
import { searched } from '../kernel/filters.ts'
import { foldedLower, foldedSql } from '../kernel/folded-text.ts'
import type { Raw } from '../kernel/json.ts'
import { naturalKey } from '../kernel/natural.ts'
import { type Page, page, pageRefusals } from '../kernel/page.ts'
import { allCodes } from '../kernel/status.ts'
import { ifPassed, indexedConditions, type ListFilterValues, listInput } from '../platform/lists/list-filters.ts'
import type { ListRow, PageQuery } from '../platform/lists/page-rows.ts'
import { countOfStatuses, startAmongStatuses } from './counts.ts'
import { type Shown, shownMeanings, shownSaleJoins, shownSaleJson } from './view.ts'

type SaleFilters = ListFilterValues &
  Shown & {
    readonly status: number | null
    readonly payment: number | null
    readonly num: string | null
    readonly num_key: string | null
  }

const statuses = allCodes(saleStatusTable)
const payments = allCodes(paymentStatusTable)
const paymentRefusal = `Invalid payment value. Must be one of: ${payments.join(', ')}`

/** The number of a sale with its prefix, which has at most 32 characters. */
const longestNumber = nameLength + 32

const common = listInput('sale', shownMeanings)

const schema = {
  status: z.int().optional().describe('Only sales with this status.'),
  payment: z.int().optional().describe('Only sales with this payment status.'),
  num: z.string().optional().describe('Only sales with exactly this number, prefix included.'),
  ...common.schema,
  search: z
    .string()
    .optional()
    .describe('Part of the number or of the name of the customer; upper and lower case are the same.'),
}

/** The page is read first: its errors are in the specification, those of the filters are not. */
function read(raw: Raw): { readonly page: Page | undefined; readonly values: SaleFilters } {
  const wantedPage = page(raw)
  const status = statusOf(raw, statuses) ?? null
  const paid = passed(raw, 'payment')
  const payment = paid === undefined ? null : code(paid, payments, paymentRefusal, 'payment')
  const num = text(raw, 'num', { max: longestNumber, trim: true }) ?? null
  const num_key = num === null ? null : naturalKey(num)
  return { page: wantedPage, values: { status, payment, num, num_key, ...common.read(raw) } }
}

/** SQL of each filter on a sale with the alias. */
const conditions = (alias: string) => ({
  ...indexedConditions('sale', alias),
  num: `${alias}.num_key = :num_key::text and ${alias}.num = :num::text`,
  // The stored column first: it also contains the notes, but nothing has to be converted to lower case for most sales.
  search: `(${foldedLower(searched(`${alias}.found_by`))} like :search::text and ${foldedSql(`${alias}.num`)} like :search::text or ${alias}.customer_id in (
      select q.id from customers q where q.company_id = :company_id and ${searchedName('q')} like :search::text))`,
  status: `${alias}.status = :status::smallint`,
  payment: `${alias}.payment = :payment::smallint`,
})

type Filter = keyof ReturnType<typeof conditions>
const types: Readonly<Record<Filter, string>> = {
  ids: 'bigint[]',
  external_ids: 'text[]',
  num: 'text',
  updated_after: 'timestamptz',
  search: 'text',
  status: 'smallint',
  payment: 'smallint',
}
const filters = Object.keys(types) as Filter[]

/** SQL: the sale matches every filter that is passed, and `certain`, which is passed for certain. */
function matching(alias: string, certain?: Filter): string {
  const of = conditions(alias)
  return filters
    .map((filter) => (filter === certain ? of[filter] : ifPassed(filter, types[filter], of[filter])))
    .join(' and ')
}

type StatusValues = Days & Page & Shown & { readonly statuses: readonly number[]; readonly payments: readonly number[] }

/** A page of the sales with some statuses and payments: the first ones of each pair, from the day at which the page begins. */
const declareByStatus = (view: ListView): ((values: StatusValues) => PageQuery<ListRow>) =>
  declareDocuments<StatusValues>(view, 'sales.page_by_status', {
    ctes: `with start as materialized ${startAmongStatuses}`,
    total: countOfStatuses,
    documents: `select o.* from (
          select k.id from start t
          cross join unnest(:statuses::smallint[]) s (status) cross join unnest(:payments::smallint[]) p (payment)
          cross join lateral (
            select o.listed, o.num_key, o.id from sales o
            where ${betweenDays('o')} and o.status = s.status and o.payment = p.payment and o.listed >= t.listed
            order by ${orderOf('o')} limit t.skip + :limit::bigint) k
          order by ${orderOf('k')} offset (select t.skip from start t) limit :limit::bigint) p
        join sales o on o.company_id = :company_id and o.id = p.id`,
  })

/** Filters with an index of their own, the most selective first; without one of them the search reads all sales. */
const found = ['ids', 'external_ids', 'num', 'updated_after', 'search'] as const

export function saleFilters({ kind }: ListView): ListFilters<SaleFilters> {
  const view = { kind, json: shownSaleJson, joins: shownSaleJoins }
  const pageOfDays = declarePages<Shown>(view, 'sales.shown')
  const pages = found.map(
    (filter) => [filter, declareFound<SaleFilters>(view, `sales.page_by_${filter}`, matching('o', filter))] as const,
  )
  const pageByStatus = declareByStatus(view)
  return {
    schema,
    refusals: [...pageRefusals, ...statusRefusals(statuses), paymentRefusal, ...common.refusals],
    read,
    view,
    matching,
    pageOf: (values) => {
      const pageOf = pages.find(([filter]) => values[filter] !== null)?.[1]
      if (pageOf !== undefined) return pageOf(values)
      const { status, payment } = values
      if (status === null && payment === null) return pageOfDays(values)
      return pageByStatus({
        ...values,
        statuses: status === null ? statuses : [status],
        payments: payment === null ? payments : [payment],
      })
    },
  }
}
