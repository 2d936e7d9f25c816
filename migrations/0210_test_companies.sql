-- Test companies: copies of companies, in which everything can be tried.

alter table companies add column test_of bigint check (test_of > 0);
comment on column companies.test_of is 'The company of which this one is a copy for tests. Null: it is none.';

-- Read before the company is known, like import_companies, and a reference table on a cluster like it.
create table test_companies (
  company_id bigint primary key,
  test_company_id bigint check (test_company_id > 0),
  made_at timestamptz,
  took_ms integer check (took_ms >= 0),
  requested_at timestamptz,
  failed_at timestamptz,
  constraint test_companies_made check ((test_company_id is null) = (made_at is null) and (made_at is null) = (took_ms is null))
);
create index test_companies_requested on test_companies (requested_at) where requested_at is not null;
comment on table test_companies is 'The test company of a company, and whether it is to be made anew. Read by the process that makes it for all companies.';
comment on column test_companies.test_company_id is 'Null: it was never made.';
comment on column test_companies.made_at is 'When its rows were copied.';
comment on column test_companies.took_ms is 'How long that took. It decides when the next copy can be asked for.';
comment on column test_companies.requested_at is 'Since when it is to be made. Null: it is not.';
comment on column test_companies.failed_at is 'When making it failed last. Null: the last one was made.';
comment on index test_companies_requested is 'Finds those to be made.';

alter table test_companies alter company_id set (n_distinct = -1);
alter table test_companies enable row level security, force row level security;
create policy anyone_looks_up on test_companies for select using (true);
create policy own_company_inserts on test_companies for insert
  with check (company_id = nullif(current_setting('app.company_id', true), '')::bigint);
create policy own_company_updates on test_companies for update
  using (company_id = nullif(current_setting('app.company_id', true), '')::bigint);
create policy own_company_deletes on test_companies for delete
  using (company_id = nullif(current_setting('app.company_id', true), '')::bigint);
grant select, insert, update on test_companies to kontor_server;
-- The keys of a test company move to its next copy.
grant delete on api_keys to kontor_server;
