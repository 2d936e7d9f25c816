-- Row level security on every table of a company, forced on its owner too, and the rights of the role that requests run as.

do $$
declare
  tenant text;
begin
  foreach tenant in array array[
    'companies', 'company_clock', 'events', 'api_connections', 'quotas', 'idempotency_keys', 'list_runs',
    'units', 'storages', 'categories', 'items', 'item_codes', 'item_categories', 'components', 'customers', 'suppliers',
    'item_suppliers', 'stock_movements', 'stock_levels', 'item_costs', 'sales', 'sale_lines', 'sale_shipments',
    'productions', 'production_lines'
  ] loop
    execute format('alter table %I enable row level security, force row level security', tenant);
    execute format(
      'create policy own_company on %I using (company_id = nullif(current_setting(''app.company_id'', true), '''')::bigint)',
      tenant
    );
    execute format('grant select, insert, update, delete on %I to kontor_server', tenant);
  end loop;
end $$;

-- What happened stays as it was written.
revoke update, delete on events, stock_movements from kontor_server;
revoke delete on companies, company_clock, quotas from kontor_server;

-- The owner lists companies for the command line and moves rows of the request log into the partitions of their days; everything else
-- it does as one company at a time.
do $$
begin
  execute format('create policy owner_lists on companies for select to %I using (true)', current_user);
  execute format('create policy owner_keeps on request_log_other to %I using (true)', current_user);
end $$;

-- Keys are looked up before the company is known; they are made and ended only by their own company.
alter table api_keys enable row level security, force row level security;
create policy anyone_looks_up on api_keys for select using (true);
create policy own_company_inserts on api_keys for insert
  with check (company_id = nullif(current_setting('app.company_id', true), '')::bigint);
create policy own_company_updates on api_keys for update
  using (company_id = nullif(current_setting('app.company_id', true), '')::bigint);
grant select, insert, update on api_keys to kontor_server;

-- The log takes rows of many companies in one batch, and shows each company its own.
alter table request_log enable row level security, force row level security;
alter table request_log_other enable row level security, force row level security;
create policy anyone_appends on request_log for insert with check (true);
create policy own_company on request_log for select
  using (company_id = nullif(current_setting('app.company_id', true), '')::bigint);
grant select, insert on request_log to kontor_server;
