-- companies.find_timezone
-- parameters: timezone
-- sent by: kontor company create, session/sign_up
select name
from pg_timezone_names
where name = :timezone;

-- companies.insert
-- parameters: company_id, name, timezone, shows_first_steps
-- sent by: kontor company create, session/confirm_sign_up, session/sign_up
insert into companies (
  company_id, name, timezone, products_storage_id, materials_storage_id, shows_first_steps
)
values (:company_id, :name, :timezone, 1, 2, :shows_first_steps);

-- companies.insert_clock
-- parameters: company_id, seq, at, last_unit_id, last_user_id
-- sent by: kontor company create, session/confirm_sign_up, session/sign_up
insert into company_clock (
  company_id, seq, at, last_connection_id, last_unit_id, last_storage_id, last_user_id
)
values (:company_id, :seq, :at, 1, :last_unit_id, 2, :last_user_id);

-- companies.insert_quota
-- parameters: company_id, timezone
-- sent by: kontor company create, session/confirm_sign_up, session/sign_up
insert into quotas (company_id, day)
values (:company_id, (now() at time zone :timezone)::date);

-- companies.insert_storages
-- parameters: company_id, products_storage, materials_storage
-- sent by: kontor company create, session/confirm_sign_up, session/sign_up
insert into storages (company_id, id, name)
values (:company_id, 1, :products_storage), (:company_id, 2, :materials_storage);

-- companies.insert_units
-- parameters: company_id, id, name, full_name
-- sent by: kontor company create, session/confirm_sign_up, session/sign_up
insert into units (company_id, id, name, full_name)
select c.company_id, x.id, x.name, x.full_name
from company_clock c
cross join unnest(:id::bigint[], :name::text[], :full_name::text[]) as x (id, name, full_name)
where c.company_id = :company_id;

-- companies.insert_units.rows_8
-- a variant of companies.insert_units; the others between the two: .rows_1, .rows_2, .rows_3, .rows_4, .rows_5, .rows_6, .rows_7
insert into units (company_id, id, name, full_name)
values (:company_id, :id_1, :name_1, :full_name_1),
  (:company_id, :id_2, :name_2, :full_name_2),
  (:company_id, :id_3, :name_3, :full_name_3),
  (:company_id, :id_4, :name_4, :full_name_4),
  (:company_id, :id_5, :name_5, :full_name_5),
  (:company_id, :id_6, :name_6, :full_name_6),
  (:company_id, :id_7, :name_7, :full_name_7),
  (:company_id, :id_8, :name_8, :full_name_8);
