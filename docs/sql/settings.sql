-- settings.facts
-- parameters: company_id, timezone, user_id
-- sent by: kontor company set, settings/edit
select (
  select json_build_object(
    'name',
      c.name,
      'currency',
      c.currency,
      'first_sale_number',
      c.first_sale_number,
      'timezone',
      c.timezone,
      'default_sale_status',
      c.default_sale_status,
      'materials_in_sales',
      c.materials_in_sales,
      'products_storage_id',
      c.products_storage_id,
      'materials_storage_id',
      c.materials_storage_id,
      'default_fulfillment',
      c.default_fulfillment,
      'show_payment_status',
      c.show_payment_status,
      'daily_limit',
      c.daily_limit,
      'requires_second_factor',
      c.requires_second_factor,
      'prices_include_tax',
      c.prices_include_tax,
      'default_tax_rate_id',
      c.default_tax_rate_id
  )::jsonb || jsonb_build_object(
    'number_prefix',
      coalesce(
        (select n.number_prefix from api_connections n where n.company_id = :company_id and n.id = 1), ''
      ),
      'request_log_days',
      c.request_log_days,
      'storage_limit_mib',
      (select k.storage_limit_mib from company_clock k where k.company_id = :company_id)
  )
  from companies c
  where c.company_id = :company_id
) as before,
  (
    select coalesce(json_agg(t.id), '[]'::json)
    from storages t
    where t.company_id = :company_id and t.deleted_at is null
  ) as storages,
  :timezone::text is null
    or exists (select from pg_timezone_names z where z.name = :timezone) as known_timezone,
  (
    exists (
      select
      from authenticators f
      where f.company_id = :company_id and f.user_id = :user_id::bigint and f.confirmed_at is not null
    )
      or exists (select from passkeys f where f.company_id = :company_id and f.user_id = :user_id::bigint)
  ) as has_second_factor;

-- settings.find
-- parameters: company_id
-- sent by: every request to the public API that is refused
select timezone,
  default_sale_status,
  materials_in_sales,
  products_storage_id,
  materials_storage_id,
  default_fulfillment,
  show_payment_status,
  daily_limit
from companies
where company_id = :company_id;

-- settings.get
-- parameters: company_id
-- sent by: settings/get
select json_build_object(
  'name',
    c.name,
    'currency',
    c.currency,
    'first_sale_number',
    c.first_sale_number,
    'timezone',
    c.timezone,
    'default_sale_status',
    c.default_sale_status,
    'materials_in_sales',
    c.materials_in_sales,
    'products_storage_id',
    c.products_storage_id,
    'materials_storage_id',
    c.materials_storage_id,
    'default_fulfillment',
    c.default_fulfillment,
    'show_payment_status',
    c.show_payment_status,
    'daily_limit',
    c.daily_limit,
    'requires_second_factor',
    c.requires_second_factor,
    'prices_include_tax',
    c.prices_include_tax,
    'default_tax_rate_id',
    c.default_tax_rate_id
) as settings
from companies c
where c.company_id = :company_id;

-- settings.update
-- parameters: company_id, name, currency, first_sale_number, timezone, default_sale_status, materials_in_sales, products_storage_id, materials_storage_id, default_fulfillment, show_payment_status, daily_limit, requires_second_factor, prices_include_tax, default_tax_rate_id, first_sale_number_key
-- sent by: kontor company set, settings/edit
update companies
set name = :name,
  currency = :currency,
  first_sale_number = :first_sale_number,
  timezone = :timezone,
  default_sale_status = :default_sale_status,
  materials_in_sales = :materials_in_sales,
  products_storage_id = :products_storage_id,
  materials_storage_id = :materials_storage_id,
  default_fulfillment = :default_fulfillment,
  show_payment_status = :show_payment_status,
  daily_limit = :daily_limit,
  requires_second_factor = :requires_second_factor,
  prices_include_tax = :prices_include_tax,
  default_tax_rate_id = :default_tax_rate_id,
  first_sale_number_key = :first_sale_number_key
where company_id = :company_id;

-- settings.update_log_days
-- parameters: company_id, request_log_days
-- sent by: kontor company set
update companies
set request_log_days = :request_log_days
where company_id = :company_id;

-- settings.update_storage_limit
-- parameters: company_id, storage_limit_mib
-- sent by: kontor company set
update company_clock
set storage_limit_mib = :storage_limit_mib
where company_id = :company_id;
