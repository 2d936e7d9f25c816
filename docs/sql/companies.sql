-- companies.find_timezone
-- parameters: timezone
-- sent by: kontor company create, session/sign_up
select name
from pg_timezone_names
where name = :timezone;

-- companies.insert
-- parameters: company_id, name, timezone
-- sent by: kontor company create, session/sign_up
insert into companies (company_id, name, timezone, products_storage_id, materials_storage_id)
values (:company_id, :name, :timezone, 1, 2);

-- companies.insert_clock
-- parameters: company_id, at, last_user_id
-- sent by: kontor company create, session/sign_up
insert into company_clock (
  company_id, seq, at, last_connection_id, last_unit_id, last_storage_id, last_user_id
)
values (:company_id, 3, :at, 1, 1, 2, :last_user_id);

-- companies.insert_events
-- parameters: company_id, at, request_id
-- sent by: kontor company create, session/sign_up
insert into events (company_id, seq, at, method, source, request_id, record, record_id, change)
values (
  :company_id,
    1,
    :at,
    'companies/add',
    'system',
    :request_id,
    'storage',
    1,
    '{"name": "Finished goods", "default_products": true, "default_materials": false}'
),
  (
    :company_id,
      2,
      :at,
      'companies/add',
      'system',
      :request_id,
      'storage',
      2,
      '{"name": "Materials", "default_products": false, "default_materials": true}'
  ),
  (
    :company_id,
      3,
      :at,
      'companies/add',
      'system',
      :request_id,
      'unit',
      1,
      '{"name": "pcs", "full_name": "pieces"}'
  );

-- companies.insert_quota
-- parameters: company_id, timezone
-- sent by: kontor company create, session/sign_up
insert into quotas (company_id, day)
values (:company_id, (now() at time zone :timezone)::date);

-- companies.insert_storages
-- parameters: company_id
-- sent by: kontor company create, session/sign_up
insert into storages (company_id, id, name)
values (:company_id, 1, 'Finished goods'), (:company_id, 2, 'Materials');

-- companies.insert_unit
-- parameters: company_id
-- sent by: kontor company create, session/sign_up
insert into units (company_id, id, name, full_name)
values (:company_id, 1, 'pcs', 'pieces');
