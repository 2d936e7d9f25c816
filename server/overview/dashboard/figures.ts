// The figures of the dashboard, each as JSON text that the database builds.

import { canceled, openSales, paymentStatus } from '../../kernel/document-statuses.ts'
import { array, integer, nullable, number, object, text } from '../../platform/postgres/json-sql.ts'
import { canShip, waitingCtes } from '../../sales/availability.ts'
import { costIsKnown, knownMargin } from '../../sales/known-cost.ts'
import { inTransit } from '../../stock/in-transit.ts'

export const shownDays = 60
export const bestDays = 30
export const maxBest = 8
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
  select d.status, count(*) as sales, sum(d.total) as total, count(*) filter (where ${canShip}) as can_ship,
    count(*) filter (where d.payment < ${paymentStatus.paid}) as unpaid, sum(d.total) filter (where d.payment < ${paymentStatus.paid}) as unpaid_total
  from sales d where d.company_id = :company_id and d.status <> ${canceled} group by d.status)`

const states = array(
  object([
    ['status', integer('k.status')],
    ['count', integer('k.sales')],
    ['total', number('k.total')],
  ]),
  `from counted k where k.status in (${openSales})`,
  'k.status',
)

const best = array(
  object([
    ['id', integer('i.id')],
    ['name', text('i.name')],
    ['amount', number('b.amount')],
    ['total', number('b.total')],
  ]),
  `from (
     select l.item_id, sum(l.amount) as amount, sum(l.total) as total from sales d
     join sale_lines l on l.company_id = :company_id and l.sale_id = d.id
     where d.company_id = :company_id and d.status <> ${canceled} and d.listed < date '9999-12-31' - (select t.today - ${bestDays} from today t)
       and d.listed >= date '9999-12-31' - (select t.today from today t)
     group by l.item_id order by 3 desc, 1 limit ${maxBest}) b
   join items i on i.company_id = :company_id and i.id = b.item_id`,
  'b.total desc, i.id',
)

// The value of what is on hand, and of what is in transit to a storage location.
const owned = `owned as materialized (
  select l.storage_id, l.on_hand * coalesce(c.average, 0) as value from stock_levels l
  left join item_costs c on c.company_id = :company_id and c.item_id = l.item_id where l.company_id = :company_id
  union all select q.storage_id, q.value from (${inTransit}) q)`

const stockValue = array(
  object([
    ['storage_id', integer('t.id')],
    ['storage_name', text('t.name')],
    ['total_cost', number('coalesce(v.worth, 0)')],
  ]),
  `from storages t left join (
     select o.storage_id, round(sum(o.value), 2) as worth from owned o group by o.storage_id) v on v.storage_id = t.id
   where t.company_id = :company_id and (t.deleted_at is null or v.worth <> 0)`,
  't.id',
)

// Rounded once, not summed from the rounded values of the storage locations.
const stockTotal = number('coalesce((select round(sum(o.value), 2) from owned o), 0)')

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

const requests = `(
  select ${object([
    ['used', integer('case when q.day = t.today then q.used else 0 end')],
    ['daily_limit', integer('c.daily_limit')],
  ])}
  from companies c cross join today t join quotas q on q.company_id = :company_id where c.company_id = :company_id)`

const sumOf = (sql: string): string => `coalesce((select sum(${sql}) from counted k), 0)`

/** Each figure by its name in the response. */
export const figures: readonly (readonly [name: string, json: string])[] = [
  ['days', days],
  ['states', states],
  ['best', best],
  ['stock_value', stockValue],
  ['stock_total_cost', stockTotal],
  [
    'to_ship',
    object([
      ['count', `${sumOf('k.can_ship')}::text`],
      ['orders', toShip],
    ]),
  ],
  [
    'unpaid',
    object([
      ['count', `${sumOf('k.unpaid')}::text`],
      ['total', number(sumOf('k.unpaid_total'))],
    ]),
  ],
  ['low', low],
  ['low_count', '(select count(*) from low_items)::text'],
  ['negative_count', '(select count(*) from stock_levels l where l.company_id = :company_id and l.on_hand < 0)::text'],
  ['requests', requests],
]

/** WITH queries that the figures use. */
export const figureCtes: readonly string[] = [
  'today as materialized (select (now() at time zone c.timezone)::date as today from companies c where c.company_id = :company_id)',
  ...waitingCtes(),
  counted,
  owned,
  lowItems,
]
