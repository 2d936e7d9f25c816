-- The data of the benchmark, in the same state as if everything had been added one by one: `kontor audit` finds nothing.
-- Run as the owner by bench/load.ts in a separate database. Only the formulas of bench/world.ts are used elsewhere.

create schema bench;

create table bench.companies (
  company_id bigint primary key,
  sales integer not null,
  api_key text
);

create table bench.loaded (fingerprint text not null);

-- A copy of the company created by the command line: all columns are the same, only the id differs.
create function bench.copy_company(template bigint, company bigint) returns void language plpgsql as $$
declare
  part text;
begin
  perform set_config('app.company_id', company::text, true);
  foreach part in array array['companies', 'company_clock', 'quotas', 'storages', 'units', 'api_connections', 'events'] loop
    execute format(
      'insert into %1$I select (jsonb_populate_record(t, jsonb_build_object(''company_id'', $2))).* from %1$I t where t.company_id = $1', part
    ) using template, company;
  end loop;
  update companies set name = 'Company ' || company, daily_limit = 1000000000 where company_id = company;
  -- Without a prefix a number consists of digits, which is all that pgbench can generate.
  update api_connections set number_prefix = '' where company_id = company;
  -- A second key whose hash pgbench can compute from the company's id; no key with this hash exists, so it gives no access.
  insert into api_keys (company_id, key_hash, connection_id, hint) values (company, sha256(int8send(company)), 1, 'bench');
end $$;

create function bench.fill_company(company bigint, products integer, customers integer, sales integer, days integer)
returns void language plpgsql as $$
declare
  first_seq bigint;
  width integer := products / 3;
begin
  perform set_config('app.company_id', company::text, true);
  -- Foreign keys hold by construction, and the audit checks them again.
  set local session_replication_role = replica;
  select seq into first_seq from company_clock where company_id = company for update;

  insert into items (company_id, id, kind, name, name_key, sku, codes, unit_id, price)
  select company, i, 'product', 'Product ' || i, 'Product ' || length(i::text) || i, 'P-' || i, e'\x1fP-' || i, 1, 10 from generate_series(1, products) i;
  insert into item_codes (company_id, space, code, item_id, role)
  select company, 'product', 'P-' || i, i, 'sku' from generate_series(1, products) i;
  insert into customers (company_id, id, name, name_key, email, phone, address_real, agreement, manager_name)
  select company, i, 'Customer ' || i, 'Customer ' || length(i::text) || i, 'orders' || i || '@customer.example', '+49 30 ' || 100000 + i,
    i || ' Market Street, 10115 Berlin', 'No. ' || i, 'Kim Meyer'
  from generate_series(1, customers) i;

  create temporary table sold on commit drop as
  select i as id, first_seq + 1 + i as seq, (1000000 + (i * 7919) % 9000000)::text as num, (array[0, 1, 3, 4])[1 + i % 4] as status,
    current_date - 1 - (i % days)::int as day, 1 + i % customers as customer_id, 6 as amount, 60 as subtotal, 0::numeric as cost
  from generate_series(1, sales::bigint) i;
  create temporary table sold_lines on commit drop as
  select s.id as sale_id, s.seq, s.status, s.day, k as position, 1 + k * width + (s.id * (array[7919, 104729, 1299709])[k + 1]) % width as item_id,
    1 + (s.id + k) % 3 as amount
  from sold s cross join generate_series(0, 2) k;

  insert into sale_lines (company_id, sale_id, position, item_id, amount, total, cost)
  select company, l.sale_id, l.position, l.item_id, l.amount, l.amount * 10, l.amount * (2 + l.item_id % 7) from sold_lines l;
  insert into sales (company_id, id, num, num_key, status, date_placed, date_shipped, date_deducted, subtotal, delivery_price, discount, total,
    cost, amount, lines, source, notes, products_storage_id, materials_storage_id, customer_id, created_at, updated_at)
  select company, s.id, s.num, '7' || s.num, s.status, s.day, case when s.status = 3 then s.day end, case when s.status = 3 then s.day end,
    s.subtotal, 5, 1, s.subtotal + 4, l.cost, s.amount, 3, 'api', 'Leave it with the neighbours', c.products_storage_id, c.materials_storage_id,
    s.customer_id, now(), now()
  from sold s join (select x.sale_id, sum(x.amount * (2 + x.item_id % 7)) as cost from sold_lines x group by x.sale_id) l on l.sale_id = s.id
  cross join companies c where c.company_id = company;

  insert into events (company_id, seq, at, method, source, connection_id, request_id, record, record_id, change)
  select company, first_seq + 1, now(), 'bench/receipt', 'system', null, 'bench', 'receipt', 1, '{}'
  union all
  select company, s.seq, now(), 'orders/add', 'api', 1, 'req_' || lpad(s.seq::text, 16, '0'), 'sale', s.id, jsonb_build_object(
    'num', s.num, 'status', s.status, 'payment', 0, 'date_placed', s.day, 'date_shipped', null, 'date_deducted', null, 'delivery_price', '5',
    'discount', '1', 'total', '64', 'cost', '24', 'production', false, 'notes', 'Leave it with the neighbours', 'products_storage_id', 1,
    'materials_storage_id', 2, 'customer_id', s.customer_id, 'lines', array[s.id, s.id, s.id], 'shipments', array[]::int[])
  from sold s;

  -- First a receipt of every product, then the reservations and issues of the sales.
  insert into stock_movements
    (company_id, id, seq, kind, section, document_id, storage_id, item_id, date, on_hand, reserved, value, recorded_at)
  select company, i, first_seq + 1, 'move', 'bench', 1, c.products_storage_id, i, current_date - days - 1, 1000000, 0, 1000000 * (2 + i % 7), now()
  from generate_series(1, products) i cross join companies c where c.company_id = company
  union all
  select company, products + row_number() over (order by l.sale_id, l.position), l.seq, 'move', 'sales', l.sale_id, c.products_storage_id, l.item_id,
    l.day, case when l.status = 3 then -l.amount else 0 end, case when l.status < 2 then l.amount else 0 end,
    case when l.status = 3 then -l.amount * (2 + l.item_id % 7) else 0 end, now()
  from sold_lines l cross join companies c where c.company_id = company and l.status <> 4;
  insert into stock_levels (company_id, storage_id, item_id, on_hand, reserved)
  select m.company_id, m.storage_id, m.item_id, sum(m.on_hand), sum(m.reserved)
  from stock_movements m where m.company_id = company group by m.company_id, m.storage_id, m.item_id;
  insert into item_costs (company_id, item_id, on_hand, value, average)
  select m.company_id, m.item_id, sum(m.on_hand), sum(m.value), round(sum(m.value) / sum(m.on_hand), 6)
  from stock_movements m where m.company_id = company group by m.company_id, m.item_id;

  -- Runs of a thousand: the server's target size.
  insert into list_runs (company_id, list, listed, from_key, from_id, entries)
  select r.company_id, 'sales', r.listed, case when r.run = 0 then '' else min(r.num_key) end,
    case when r.run = 0 then 0 else (array_agg(r.id order by r.at))[1] end, count(*)
  from (
    select s.company_id, s.listed, s.num_key, s.id, s.at, (s.at - 1) / 1000 as run
    from (select o.*, row_number() over (partition by o.listed order by o.num_key, o.id) as at from sales o where o.company_id = company) s
  ) r group by r.company_id, r.listed, r.run;
  insert into sale_counts (company_id, listed, status, payment, entries)
  select s.company_id, s.listed, s.status, s.payment, count(*) from sales s where s.company_id = company
  group by s.company_id, s.listed, s.status, s.payment;

  update company_clock set seq = first_seq + 1 + sales, at = now(), last_item_id = products, last_customer_id = customers, last_sale_id = sales,
    last_movement_id = (select max(m.id) from stock_movements m where m.company_id = company)
  where company_id = company;
  drop table sold, sold_lines;
end $$;
