// A company with very many sales, loaded by SQL in the same state as if they had been added one by one: lines, ledger, levels, costs,
// events, clock and the counts of the lists.

import { query } from './database.ts'
import { type Company, given, type SettingsGiven } from './given.ts'

export type LongList = {
  readonly sales: number
  readonly days: number
  readonly lastDay: string
  readonly settings?: SettingsGiven
}

const customers = 20
const unitCost = 2
/** The target size of a run of the list: a run that reached twice this was split in two. */
const entriesOfRun = 1_000

/** The numbers are not in order, so that the list's order differs from that of the ids. 7919 is prime, so none occurs twice. */
const place = (sales: number): string => `((n.i * 7919) % ${sales})`

// Every row below refers to existing rows; a superuser can skip the foreign key checks.
const withoutReferenceChecks = `do $$ begin
  if (select rolsuper from pg_roles where rolname = current_user) then set local session_replication_role = replica; end if;
end $$;`

export async function loadSales({ sales, days, lastDay, settings }: LongList): Promise<Company> {
  if (sales % 7919 === 0) throw new Error('the numbers would repeat')
  const company = await given.company({ daily_limit: 1_000_000_000, ...settings })
  const { id: item } = await given.product(company, { sku: 'LONG' })
  for (let made = 0; made < customers; made++)
    await given.customer(company, { name: `Customer ${made}`, email: `${made}@example.com` })
  await given.stock(company, { item, amount: String(sales), unitCost: String(unitCost), date: '2000-01-01' })

  // One transaction, so that no half-loaded company is visible. Statuses rotate: New, Packed, Shipped, Canceled; so do payments.
  const numbered = `
    select k.company_id, k.seq + n.i as seq, k.last_sale_id + n.i as id, k.last_movement_id + n.i as movement_id,
      'A-' || ${place(sales)} as num, 'A-' || length((${place(sales)})::text) || ${place(sales)} as num_key,
      (array[0, 1, 3, 4])[1 + n.i % 4] as status, n.i / 4 % 3 as payment, date '${lastDay}' - (n.i % ${days})::int as day, 1 + n.i % ${customers} as customer_id
    from company_clock k cross join generate_series(1::bigint, ${sales}) n (i) where k.company_id = ${company.id}`
  const { productsStorageId, materialsStorageId } = company
  await query(
    company.id,
    `${withoutReferenceChecks}
     select 1 from company_clock where company_id = ${company.id} for update;
     create temporary table loaded on commit drop as ${numbered};
     insert into sales (company_id, id, num, num_key, status, payment, date_placed, date_shipped, date_deducted, subtotal, delivery_price, discount, total,
       cost, amount, lines, source, notes, products_storage_id, materials_storage_id, customer_id, created_at, updated_at)
     select x.company_id, x.id, x.num, x.num_key, x.status, x.payment, x.day, case when x.status = 3 then x.day end, case when x.status = 3 then x.day end,
       10, 5, 1, 14, ${unitCost}, 1, 1, 'api', 'Leave it with the neighbours', ${productsStorageId}, ${materialsStorageId}, x.customer_id, now(), now()
     from loaded x;
     insert into sale_lines (company_id, sale_id, position, item_id, amount, total, cost)
     select x.company_id, x.id, 0, ${item}, 1, 10, ${unitCost} from loaded x;
     insert into events (company_id, seq, at, method, source, connection_id, request_id, record, record_id, change)
     select x.company_id, x.seq, now(), 'orders/add', 'api', 1, 'loaded_' || x.seq, 'sale', x.id, jsonb_build_object('num', x.num) from loaded x;
     insert into stock_movements
       (company_id, id, seq, kind, section, document_id, storage_id, item_id, date, on_hand, reserved, value, recorded_at)
     select x.company_id, x.movement_id, x.seq, 'move', 'sales', x.id, ${productsStorageId}, ${item}, x.day,
       case when x.status = 3 then -1 else 0 end, case when x.status < 2 then 1 else 0 end, case when x.status = 3 then -${unitCost} else 0 end, now()
     from loaded x where x.status <> 4;
     update stock_levels v set on_hand = v.on_hand + m.on_hand, reserved = v.reserved + m.reserved
     from (select sum(on_hand) as on_hand, sum(reserved) as reserved from stock_movements where company_id = ${company.id} and section = 'sales') m
     where v.company_id = ${company.id} and v.item_id = ${item};
     update item_costs c set on_hand = c.on_hand + m.on_hand, value = c.value + m.value
     from (select sum(on_hand) as on_hand, sum(value) as value from stock_movements where company_id = ${company.id} and section = 'sales') m
     where c.company_id = ${company.id} and c.item_id = ${item};
     insert into list_runs (company_id, list, listed, from_key, from_id, entries)
     select r.company_id, 'sales', r.listed, case when r.run = 0 then '' else min(r.key) end,
       case when r.run = 0 then 0 else (array_agg(r.id order by r.at))[1] end, count(*)
     from (
       select s.company_id, s.listed, s.num_key as key, s.id, s.at, (s.at - 1) / ${entriesOfRun} as run
       from (select o.*, row_number() over (partition by o.listed order by o.num_key, o.id) as at from sales o where o.company_id = ${company.id}) s
     ) r group by r.company_id, r.listed, r.run;
     insert into sale_counts (company_id, listed, status, payment, entries)
     select s.company_id, s.listed, s.status, s.payment, count(*) from sales s where s.company_id = ${company.id}
     group by s.company_id, s.listed, s.status, s.payment;
     update company_clock set seq = seq + ${sales}, at = now(), last_sale_id = last_sale_id + ${sales},
       last_movement_id = last_movement_id + ${sales} where company_id = ${company.id}`,
  )
  // A table that grows over months is analyzed by autovacuum; this one was just loaded.
  for (const table of [
    'sales',
    'sale_lines',
    'customers',
    'stock_levels',
    'list_runs',
    'sale_counts',
    'events',
    'stock_movements',
  ])
    await query(company.id, `analyze ${table}`)
  return company
}
