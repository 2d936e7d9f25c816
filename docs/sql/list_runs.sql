-- list_runs.count
-- parameters: company_id, list, day, key, id
-- sent by: audits/add, audits/edit, example_data/add, orders/add, orders/edit, productions/add, productions/edit, purchases/add, purchases/edit, transfers/add, transfers/edit, writeoffs/add, writeoffs/edit
insert into list_runs (company_id, list, listed, from_key, from_id, entries)
select c.company_id,
  :list,
  date '9999-12-31' - :day::date,
  coalesce(r.from_key, ''),
  coalesce(r.from_id, 0),
  1
from company_clock c
left join lateral (
  select o.from_key, o.from_id
  from list_runs o
  where o.company_id = :company_id
    and o.list = :list
    and o.listed = date '9999-12-31' - :day::date
    and (o.from_key, o.from_id) <= (:key::text, :id::bigint)
  order by o.from_key desc, o.from_id desc
  limit 1
) r on true
where c.company_id = :company_id
on conflict (company_id, list, listed, from_key, from_id) do update
set entries = list_runs.entries + excluded.entries;

-- list_runs.count_in_only_run
-- parameters: company_id, list, day
-- sent by: audits/add, example_data/add, orders/add, orders/edit, orders/update_status, productions/add, productions/edit, purchases/add, quotes/accept, quotes/accept_shared, the runner of imports, transfers/add, writeoffs/add
update list_runs
set entries = entries + 1
where company_id = :company_id
  and list = :list
  and listed = date '9999-12-31' - :day::date
  and from_key = ''
  and from_id = 0;

-- list_runs.set_entries
-- parameters: company_id, entries, list, day, from_key, from_id
-- sent by: audits/add, orders/add, orders/edit, productions/add, purchases/add, transfers/add, writeoffs/add
update list_runs
set entries = :entries
where company_id = :company_id
  and list = :list
  and listed = date '9999-12-31' - :day::date
  and from_key = :from_key
  and from_id = :from_id;

-- list_runs.split_audits
-- parameters: company_id, entries, half, day, from_key, from_id
-- sent by: audits/add
insert into list_runs (company_id, list, listed, from_key, from_id, entries)
select m.company_id, 'audits', m.listed, m.num_key, m.id, :entries::bigint - :half::bigint
from (
  select t.company_id, t.listed, t.num_key, t.id
  from audits t
  where t.company_id = :company_id
    and t.listed = date '9999-12-31' - :day::date
    and (t.num_key, t.id) >= (:from_key::text, :from_id::bigint)
  order by t.num_key, t.id
  offset :half::bigint
  limit 1
) m;

-- list_runs.split_productions
-- parameters: company_id, entries, half, day, from_key, from_id
-- sent by: orders/edit, productions/add
insert into list_runs (company_id, list, listed, from_key, from_id, entries)
select m.company_id, 'productions', m.listed, m.num_key, m.id, :entries::bigint - :half::bigint
from (
  select t.company_id, t.listed, t.num_key, t.id
  from productions t
  where t.company_id = :company_id
    and t.listed = date '9999-12-31' - :day::date
    and (t.num_key, t.id) >= (:from_key::text, :from_id::bigint)
  order by t.num_key, t.id
  offset :half::bigint
  limit 1
) m;

-- list_runs.split_purchases
-- parameters: company_id, entries, half, day, from_key, from_id
-- sent by: purchases/add
insert into list_runs (company_id, list, listed, from_key, from_id, entries)
select m.company_id, 'purchases', m.listed, m.num_key, m.id, :entries::bigint - :half::bigint
from (
  select t.company_id, t.listed, t.num_key, t.id
  from purchases t
  where t.company_id = :company_id
    and t.listed = date '9999-12-31' - :day::date
    and (t.num_key, t.id) >= (:from_key::text, :from_id::bigint)
  order by t.num_key, t.id
  offset :half::bigint
  limit 1
) m;

-- list_runs.split_sales
-- parameters: company_id, entries, half, day, from_key, from_id
-- sent by: orders/add
insert into list_runs (company_id, list, listed, from_key, from_id, entries)
select m.company_id, 'sales', m.listed, m.num_key, m.id, :entries::bigint - :half::bigint
from (
  select t.company_id, t.listed, t.num_key, t.id
  from sales t
  where t.company_id = :company_id
    and t.listed = date '9999-12-31' - :day::date
    and (t.num_key, t.id) >= (:from_key::text, :from_id::bigint)
  order by t.num_key, t.id
  offset :half::bigint
  limit 1
) m;

-- list_runs.split_transfers
-- parameters: company_id, entries, half, day, from_key, from_id
-- sent by: transfers/add
insert into list_runs (company_id, list, listed, from_key, from_id, entries)
select m.company_id, 'transfers', m.listed, m.num_key, m.id, :entries::bigint - :half::bigint
from (
  select t.company_id, t.listed, t.num_key, t.id
  from transfers t
  where t.company_id = :company_id
    and t.listed = date '9999-12-31' - :day::date
    and (t.num_key, t.id) >= (:from_key::text, :from_id::bigint)
  order by t.num_key, t.id
  offset :half::bigint
  limit 1
) m;

-- list_runs.split_writeoffs
-- parameters: company_id, entries, half, day, from_key, from_id
-- sent by: writeoffs/add
insert into list_runs (company_id, list, listed, from_key, from_id, entries)
select m.company_id, 'writeoffs', m.listed, m.num_key, m.id, :entries::bigint - :half::bigint
from (
  select t.company_id, t.listed, t.num_key, t.id
  from writeoffs t
  where t.company_id = :company_id
    and t.listed = date '9999-12-31' - :day::date
    and (t.num_key, t.id) >= (:from_key::text, :from_id::bigint)
  order by t.num_key, t.id
  offset :half::bigint
  limit 1
) m;

-- list_runs.uncount
-- parameters: company_id, list, day, key, id
-- sent by: audits/delete, audits/edit, example_data/delete, orders/delete, orders/edit, orders/update_status, productions/delete, productions/edit, purchases/delete, purchases/edit, the runner of imports, transfers/delete, transfers/edit, writeoffs/delete, writeoffs/edit
update list_runs
set entries = entries - 1
where company_id = :company_id
  and list = :list
  and listed = date '9999-12-31' - :day::date
  and (from_key, from_id) = (
    select o.from_key, o.from_id
    from list_runs o
    where o.company_id = :company_id
      and o.list = :list
      and o.listed = date '9999-12-31' - :day::date
      and (o.from_key, o.from_id) <= (:key::text, :id::bigint)
    order by o.from_key desc, o.from_id desc
    limit 1
  );
