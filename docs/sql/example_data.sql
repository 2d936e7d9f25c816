-- example_data.created
-- parameters: company_id, request_id, from_seq, to_seq
-- sent by: example_data/delete
select e.record,
  e.record_id as id,
  exists (
    select
    from events t
    where t.company_id = :company_id
      and t.record = e.record
      and t.record_id = e.record_id
      and t.seq > e.seq
      and t.request_id <> :request_id
  ) as is_touched,
  case e.record
    when 'sale' then (select d.num from sales d where d.company_id = :company_id and d.id = e.record_id)
    when 'purchase' then (
      select d.num
      from purchases d
      where d.company_id = :company_id and d.id = e.record_id
    )
    when 'production' then (
      select d.num
      from productions d
      where d.company_id = :company_id and d.id = e.record_id
    )
    when 'audit' then (select d.num from audits d where d.company_id = :company_id and d.id = e.record_id)
    when 'customer' then (
      select c.name
      from customers c
      where c.company_id = :company_id and c.id = e.record_id and c.deleted_at is null
    )
    when 'supplier' then (
      select c.name
      from suppliers c
      where c.company_id = :company_id and c.id = e.record_id and c.deleted_at is null
    )
    else (
      select i.name
      from items i
      where i.company_id = :company_id and i.id = e.record_id and i.deleted_at is null
    )
    end as name
from events e
where e.company_id = :company_id
  and e.seq between :from_seq and :to_seq
  and e.request_id = :request_id
  and (e.action = 'created' or (e.action is null and e.method like '%/add'))
order by e.seq desc;

-- example_data.facts
-- parameters: company_id
-- sent by: example_data/add, example_data/delete
select c.example_from_seq as from_seq,
  c.example_to_seq as to_seq,
  c.products_storage_id as storage_id,
  to_char(
    coalesce(
      (select e.at from events e where e.company_id = :company_id and e.seq = c.example_from_seq), now()
    ) at time zone c.timezone,
      'YYYY-MM-DD'
  ) as day,
  exists (select from items i where i.company_id = :company_id and i.deleted_at is null) as has_items
from companies c
where c.company_id = :company_id;

-- example_data.range
-- parameters: company_id
-- sent by: example_data/delete
select example_from_seq as from_seq, example_to_seq as to_seq
from companies
where company_id = :company_id;

-- example_data.update
-- parameters: company_id, from_seq, to_seq
-- sent by: example_data/add, example_data/delete
update companies
set example_from_seq = :from_seq, example_to_seq = :to_seq
where company_id = :company_id;

-- example_data.uses
-- parameters: company_id, item_ids, customer_ids, supplier_ids
-- sent by: example_data/delete
select coalesce(json_agg(json_build_array(u.record, u.id, u.used, u.used_id)), '[]'::json) as uses
from (
  select x.record, x.id, i.kind as used, i.id as used_id
  from (
    select 'sale', l.sale_id, l.item_id
    from sale_lines l
    where l.company_id = :company_id and l.item_id = any(:item_ids::bigint[])
    union
    select 'purchase', l.purchase_id, l.item_id
    from purchase_lines l
    where l.company_id = :company_id and l.item_id = any(:item_ids::bigint[])
    union
    select 'production', l.production_id, l.item_id
    from production_lines l
    where l.company_id = :company_id and l.item_id = any(:item_ids::bigint[])
    union
    select 'writeoff', l.writeoff_id, l.item_id
    from writeoff_lines l
    where l.company_id = :company_id and l.item_id = any(:item_ids::bigint[])
    union
    select 'transfer', l.transfer_id, l.item_id
    from transfer_lines l
    where l.company_id = :company_id and l.item_id = any(:item_ids::bigint[])
    union
    select 'audit', l.audit_id, l.item_id
    from audit_lines l
    where l.company_id = :company_id and l.item_id = any(:item_ids::bigint[])
    union
    select 'quote', l.quote_id, l.item_id
    from quote_lines l
    where l.company_id = :company_id and l.item_id = any(:item_ids::bigint[])
    union
    select case m.section when 'sales' then 'sale' else rtrim(m.section, 's') end, m.document_id, m.item_id
    from stock_movements m
    where m.company_id = :company_id and m.item_id = any(:item_ids::bigint[])
    group by m.section, m.document_id, m.item_id
    having sum(m.on_hand) <> 0 or sum(m.reserved) <> 0
    union
    select 'product', p.product_id, p.item_id
    from components p
    join items o on o.company_id = :company_id and o.id = p.product_id and o.deleted_at is null
    where p.company_id = :company_id and p.item_id = any(:item_ids::bigint[])
  ) x (record, id, item_id)
  join items i on i.company_id = :company_id and i.id = x.item_id
  union
  select 'sale', d.id, 'customer', d.customer_id
  from sales d
  where d.company_id = :company_id and d.customer_id = any(:customer_ids::bigint[])
  union
  select 'quote', d.id, 'customer', d.customer_id
  from quotes d
  where d.company_id = :company_id and d.customer_id = any(:customer_ids::bigint[])
  union
  select 'purchase', d.id, 'supplier', d.supplier_id
  from purchases d
  where d.company_id = :company_id and d.supplier_id = any(:supplier_ids::bigint[])
  union
  select i.kind, i.id, 'supplier', s.supplier_id
  from item_suppliers s
  join items i on i.company_id = :company_id and i.id = s.item_id and i.deleted_at is null
  where s.company_id = :company_id and s.supplier_id = any(:supplier_ids::bigint[])
  union
  select 'production', d.id, 'sale', d.sale_id
  from productions d
  where d.company_id = :company_id and d.sale_id is not null
) u;
