-- external_ids.delete
-- parameters: company_id, record, record_id, connection_id
-- sent by: orders/edit
delete from external_ids
where company_id = :company_id
  and record = :record
  and record_id = :record_id
  and connection_id = :connection_id;

-- external_ids.delete_of_record
-- parameters: company_id, record, record_id
-- sent by: customers/delete, example_data/delete, materials/delete, orders/delete, products/delete, purchases/delete, suppliers/delete, the runner of imports
delete from external_ids
where company_id = :company_id and record = :record and record_id = :record_id;

-- external_ids.delete_same
-- parameters: company_id, connection_id, by_connection_id
-- sent by: connections/replace
delete from external_ids x using external_ids y
where x.company_id = :company_id
  and x.connection_id = :connection_id
  and y.company_id = :company_id
  and y.connection_id = :by_connection_id
  and y.record = x.record
  and y.record_id = x.record_id;

-- external_ids.facts
-- parameters: company_id, connection_id, record, external_id, record_id
-- sent by: customers/add, materials/add, orders/add, orders/edit, products/add, products/edit, purchases/add, suppliers/add
select (
  select x.record_id
  from external_ids x
  where x.company_id = :company_id
    and x.connection_id = :connection_id
    and x.record = :record::text
    and x.external_id = :external_id::text
) as holder,
  (
    select x.external_id
    from external_ids x
    where x.company_id = :company_id
      and x.record = :record::text
      and x.record_id = :record_id::bigint
      and x.connection_id = :connection_id
  ) as own_external_id,
  (
    select max(e.seq)
    from events e
    where e.company_id = :company_id and e.record = :record::text and e.record_id = :record_id::bigint
  ) as version;

-- external_ids.find
-- parameters: company_id, connection_id, record, external_id
-- sent by: customers/delete, customers/edit, materials/delete, materials/edit, orders/delete, orders/edit, orders/ship, orders/update_payment, orders/update_status, products/delete, products/edit, purchases/delete, purchases/edit, purchases/update_payment, purchases/update_status, suppliers/delete, suppliers/edit
select x.record_id as id
from external_ids x
where x.company_id = :company_id
  and x.connection_id = :connection_id
  and x.record = :record
  and x.external_id = :external_id;

-- external_ids.insert
-- parameters: company_id, connection_id, record, external_id, record_id
-- sent by: customers/add, customers/upsert, materials/add, materials/upsert, orders/add, orders/edit, products/add, products/edit, products/upsert, purchases/add, suppliers/add, suppliers/upsert
insert into external_ids (company_id, connection_id, record, external_id, record_id)
values (:company_id, :connection_id, :record, :external_id, :record_id);

-- external_ids.move
-- parameters: company_id, by_connection_id, connection_id
-- sent by: connections/replace
update external_ids x
set connection_id = :by_connection_id
where x.company_id = :company_id and x.connection_id = :connection_id;
