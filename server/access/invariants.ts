// Invariants of clocks, events, keys and list counters.

import { counters, newEpochMethod } from '../kernel/clock.ts'
import type { Invariant } from '../kernel/invariant.ts'

const counted: Readonly<Record<string, string>> = {
  connection_id: 'api_connections',
  user_id: 'users',
  invitation_id: 'invitations',
  unit_id: 'units',
  category_id: 'categories',
  storage_id: 'storages',
  item_id: 'items',
  customer_id: 'customers',
  supplier_id: 'suppliers',
  sale_id: 'sales',
  production_id: 'productions',
  purchase_id: 'purchases',
  writeoff_id: 'writeoffs',
  transfer_id: 'transfers',
  audit_id: 'audits',
  movement_id: 'stock_movements',
  webhook_id: 'webhook_endpoints',
  quote_id: 'quotes',
  tax_rate_id: 'tax_rates',
}

/** Records and the name of each in events. Documents other than productions have an invariant of their own. */
const recordTables: Readonly<Record<string, string>> = {
  units: `select 'unit' as record, id from units where company_id = :company_id`,
  categories: `select 'category' as record, id from categories where company_id = :company_id`,
  storages: `select 'storage' as record, id from storages where company_id = :company_id and deleted_at is null`,
  items: 'select kind as record, id from items where company_id = :company_id and deleted_at is null',
  customers: `select 'customer' as record, id from customers where company_id = :company_id and deleted_at is null`,
  suppliers: `select 'supplier' as record, id from suppliers where company_id = :company_id and deleted_at is null`,
  productions: `select 'production' as record, id from productions where company_id = :company_id`,
}

export const accessInvariants: readonly Invariant[] = [
  {
    name: 'events are gapless and end at the clock',
    // Except for the numbers that "kontor feed new-epoch" skipped; its event says which.
    sql: `select k.seq as clock, count(e.seq) as events, min(e.seq) as first, max(e.seq) as last
          from company_clock k left join (
            select seq, coalesce(case when method = '${newEpochMethod}' then (change -> 'seq' ->> 1)::bigint - (change -> 'seq' ->> 0)::bigint end, 1) as numbers
            from events where company_id = :company_id) e on true
          where k.company_id = :company_id group by k.seq
          having coalesce(sum(e.numbers), 0) <> k.seq or coalesce(max(e.seq), 0) <> k.seq or coalesce(min(e.seq), 1) <> 1`,
  },
  {
    name: 'events follow each other in time',
    sql: `select seq, at, before from (
            select seq, at, lag(at) over (order by seq) as before from events where company_id = :company_id) e
          where at < before`,
  },
  ...Object.entries(recordTables).map(([table, records]) => ({
    name: `${table} have events of their creation`,
    filledInBy: 'events_of_records',
    sql: `select r.record, r.id from (${records}) r where not exists (
            select from events e where e.company_id = :company_id and e.record = r.record and e.record_id = r.id
              and (e.action = 'created' or (e.action is null and e.method like '%/add')))`,
  })),
  {
    name: 'stored responses refer to events',
    sql: `select i.key, i.seq from idempotency_keys i left join events e on e.company_id = :company_id and e.seq = i.seq
          where i.company_id = :company_id and i.seq is not null and e.seq is null`,
  },
  {
    name: 'a company has its clock, its quota and a time zone',
    sql: `select c.company_id from companies c
          left join company_clock k on k.company_id = :company_id left join quotas q on q.company_id = :company_id
          where c.company_id = :company_id and (k.company_id is null or q.company_id is null or c.timezone = '')`,
  },
  {
    name: 'every user signs in with one email, deleted users and those of a test company with none',
    sql: `select u.id, u.deleted_at, count(s.user_id) as sign_ins
          from users u join companies c on c.company_id = :company_id left join (
            select user_id from sign_ins where company_id = :company_id
            union all select user_id from further_sign_ins where company_id = :company_id) s on s.user_id = u.id
          where u.company_id = :company_id group by u.id, u.deleted_at, c.test_of
          having count(s.user_id) <> (u.deleted_at is null and c.test_of is null)::int`,
  },
  {
    name: 'no id is beyond its counter',
    sql: counters
      .flatMap((counter) => {
        const table = counted[counter]
        return table === undefined
          ? []
          : [
              `select '${table}' as table_name, t.id, k.last_${counter} as counter
               from company_clock k cross join lateral (select max(x.id) as id from ${table} x where x.company_id = :company_id) t
               where k.company_id = :company_id and t.id > k.last_${counter}`,
            ]
      })
      .join(' union all '),
  },
]
