-- tax_rates.delete
-- parameters: company_id, tax_rate_id
-- sent by: tax_rates/delete
delete from tax_rates
where company_id = :company_id and id = :tax_rate_id;

-- tax_rates.facts
-- parameters: company_id, tax_rate_id
-- sent by: tax_rates/add, tax_rates/delete, tax_rates/edit
select (
  select json_build_object(
    'name',
      t.name,
      'percent',
      trim_scale(t.percent)::text,
      'is_archived',
      t.is_archived,
      'is_default',
      c.default_tax_rate_id is not distinct from t.id
  )
  from tax_rates t
  where t.company_id = :company_id and t.id = :tax_rate_id
) as record,
  (select count(*) from tax_rates t where t.company_id = :company_id) as rates,
  c.default_tax_rate_id as default_id,
  exists (
    select
    from tax_rates t
    where t.company_id = :company_id and t.id <> :tax_rate_id and not t.is_archived
  ) as has_others,
  exists (select from items i where i.company_id = :company_id and i.tax_rate_id = :tax_rate_id) as is_used
from companies c
where c.company_id = :company_id;

-- tax_rates.insert
-- parameters: company_id, tax_rate_id, name, percent, at
-- sent by: tax_rates/add
insert into tax_rates (company_id, id, name, percent, created_at, updated_at)
values (:company_id, :tax_rate_id, :name, :percent, :at, :at);

-- tax_rates.list
-- parameters: company_id
-- sent by: tax_rates/get_list
select coalesce(
  (
    select '[' || string_agg(
      concat(
        '{"id":',
          t.id,
          ',"name":',
          to_json(t.name),
          ',"percent":',
          trim_scale(t.percent),
          ',"is_default":',
          (t.id is not distinct from c.default_tax_rate_id)::text,
          ',"is_archived":',
          (t.is_archived)::text,
          ',"is_used":',
          (exists (select from items i where i.company_id = :company_id and i.tax_rate_id = t.id))::text,
          '}'
      ),
        ',' order by t.is_archived,
        t.percent desc,
        t.id
    )
      || ']'
    from tax_rates t
    where t.company_id = :company_id
  ),
    '[]'
) as rows,
  c.prices_include_tax
from companies c
where c.company_id = :company_id;

-- tax_rates.set_default
-- parameters: company_id, default_tax_rate_id
-- sent by: tax_rates/edit
update companies
set default_tax_rate_id = :default_tax_rate_id
where company_id = :company_id;

-- tax_rates.update
-- parameters: company_id, name, percent, is_archived, at, tax_rate_id
-- sent by: tax_rates/edit
update tax_rates
set name = :name, percent = :percent, is_archived = :is_archived, updated_at = :at
where company_id = :company_id and id = :tax_rate_id;
