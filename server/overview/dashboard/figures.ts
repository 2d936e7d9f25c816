// The figures of the dashboard, each as JSON text that the database builds.

import { canceled, openSales, paymentStatus } from '../../kernel/document-statuses.ts'
import { array, integer, nullable, number, object, text } from '../../platform/postgres/json-sql.ts'
import { canShip, waitingCtes } from '../../sales/availability.ts'
import { costIsKnown, knownMargin } from '../../sales/known-cost.ts'
import { inTransit } from '../../stock/in-transit.ts'

export const shownDays = 60
export const maxToShip = 10
export const maxLow = 10

const days = array(
  object([
    ['day', text('w.day')],
    ['total', number('coalesce(o.total, 0)')],
    ['margin', nullable(number('(case when o.date_placed is null then 0 else o.margin end)'))],
    ['sales', integer('coalesce(o.sales, 0)')],
    ['without_cost', integer('coalesce(o.without_cost, 0)')],
  ]),
  `from (select t.today - g.back as day from today t cross join generate_series(0, ${shownDays - 1}) g (back)) w
   left join (
     select d.date_placed, sum(d.total) as total, sum(${knownMargin}) as margin,
       count(*) as sales, count(*) filter (where not ${costIsKnown}) as without_cost from sales d
     where d.company_id = :company_id and d.status <> ${canceled} and d.listed <= date '9999-12-31' - (select t.today - ${shownDays} from today t)
     group by d.date_placed) o on o.date_placed = w.day`,
  'w.day',
)

// One pass over the sales for all counts.
const counted = `counted as materialized (
  select count(*) filter (where ${canShip}) as can_ship, count(*) filter (where d.payment < ${paymentStatus.paid}) as unpaid,
    coalesce(sum(d.total) filter (where d.payment < ${paymentStatus.paid}), 0) as unpaid_total
  from sales d where d.company_id = :company_id and d.status <> ${canceled})`

// The value of what is on hand and of what is in transit, rounded once.
const stockTotal = number(`coalesce((select round(sum(o.value), 2) from (
  select l.on_hand * coalesce(c.average, 0) as value from stock_levels l
  left join item_costs c on c.company_id = :company_id and c.item_id = l.item_id where l.company_id = :company_id
  union all select q.value from (${inTransit}) q) o), 0)`)

// Oldest first.
const toShip = array(
  object([
    ['id', integer('d.id')],
    ['num', text('d.num')],
    ['customer_name', text('u.name')],
    ['date_placed', text('d.date_placed')],
  ]),
  `from (
     select d.id, d.num, d.customer_id, d.date_placed, d.listed from sales d
     where d.company_id = :company_id and d.status in (${openSales}) and ${canShip} order by d.listed desc, d.id limit ${maxToShip}) d
   join customers u on u.company_id = :company_id and u.id = d.customer_id`,
  'd.listed desc, d.id',
)

const lowItems = `low_items as materialized (
  select i.id, i.kind, i.name, i.name_key, i.unit_id, i.min_amount, coalesce(v.on_hand - v.reserved, 0) as available
  from items i left join (
    select l.item_id, sum(l.on_hand) as on_hand, sum(l.reserved) as reserved from stock_levels l where l.company_id = :company_id group by l.item_id) v
    on v.item_id = i.id
  where i.company_id = :company_id and i.deleted_at is null and i.min_amount > 0 and coalesce(v.on_hand, 0) < i.min_amount)`

const low = array(
  object([
    ['id', integer('i.id')],
    ['type', text('i.kind')],
    ['name', text('i.name')],
    ['available', number('i.available')],
    ['min_amount', number('i.min_amount')],
    ['unit', text('n.name')],
  ]),
  `from (select o.* from low_items o order by o.name_key, o.id limit ${maxLow}) i join units n on n.company_id = :company_id and n.id = i.unit_id`,
  'i.name_key, i.id',
)

/** Each figure by its name in the response. */
export const figures: readonly (readonly [name: string, json: string])[] = [
  ['days', days],
  ['stock_total_cost', stockTotal],
  [
    'to_ship',
    object([
      ['count', '(select k.can_ship from counted k)::text'],
      ['orders', toShip],
    ]),
  ],
  [
    'unpaid',
    object([
      ['count', '(select k.unpaid from counted k)::text'],
      ['total', number('(select k.unpaid_total from counted k)')],
    ]),
  ],
  ['low', low],
  ['low_count', '(select count(*) from low_items)::text'],
  ['negative_count', '(select count(*) from stock_levels l where l.company_id = :company_id and l.on_hand < 0)::text'],
]

/** WITH queries that the figures use. */
export const figureCtes: readonly string[] = [
  'today as materialized (select (now() at time zone c.timezone)::date as today from companies c where c.company_id = :company_id)',
  ...waitingCtes(),
  counted,
  lowItems,
]
