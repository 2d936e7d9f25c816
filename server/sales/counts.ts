// Counts of sales by day, status and payment: the total of a list filtered by them, and the day at which a page of it begins, without
// counting sales.

import { type Statement, statement } from '../kernel/statement.ts'
import { listedBetween } from '../platform/lists/list-runs.ts'
import type { Sale } from './sale.ts'

type Counted = {
  readonly company_id: number
  readonly day: string
  readonly status: number
  readonly payment: number
}

const count = statement<never, Counted>(
  'sale_counts.count',
  `insert into sale_counts (company_id, listed, status, payment, entries)
   values (:company_id, date '9999-12-31' - :day::date, :status, :payment, 1)
   on conflict (company_id, listed, status, payment) do update set entries = sale_counts.entries + 1`,
)
// Servers of version 0.1 do not count the sales they add, until an upgrade is complete and after a rollback; then a backfill counts again.
const uncount = statement<never, Counted>(
  'sale_counts.uncount',
  `update sale_counts set entries = greatest(entries - 1, 0)
   where company_id = :company_id and listed = date '9999-12-31' - :day::date and status = :status and payment = :payment`,
)

type Counting = Pick<Sale, 'datePlaced' | 'status' | 'payment'>

/** Updates the counts when a sale is added (no `before`), deleted (no `after`) or changed. */
export function countSale(companyId: number, before: Counting | undefined, after: Counting | undefined): Statement[] {
  const counted = ({ datePlaced, status, payment }: Counting): Counted => ({
    company_id: companyId,
    day: datePlaced,
    status,
    payment,
  })
  const isSame =
    before?.datePlaced === after?.datePlaced && before?.status === after?.status && before?.payment === after?.payment
  if (isSame) return []
  return [
    ...(before === undefined ? [] : [uncount(counted(before))]),
    ...(after === undefined ? [] : [count(counted(after))]),
  ]
}

const counted = `r.company_id = :company_id and r.status = any(:statuses::smallint[]) and r.payment = any(:payments::smallint[])
    and ${listedBetween('r.listed', ':date_from', ':date_to')}`

/** SQL: the number of sales between two days with one of the statuses and one of the payments. */
export const countOfStatuses = `(select coalesce(sum(r.entries), 0)::bigint from sale_counts r where ${counted})`

/** SQL: the day that contains the offset, and how many of its sales to skip. */
export const startAmongStatuses = `(
  select w.listed, (:offset::bigint - w.before)::bigint as skip
  from (
    select r.listed, sum(r.entries) as entries, sum(sum(r.entries)) over (order by r.listed) - sum(r.entries) as before
    from sale_counts r where ${counted} group by r.listed
  ) w
  where w.before <= :offset::bigint and w.before + w.entries > :offset::bigint
)`
