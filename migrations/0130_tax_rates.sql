-- Tax rates of a company. A company without a default rate charges no tax, and sees nothing of it.
create table tax_rates (
  company_id bigint not null references companies,
  id bigint not null check (id > 0),
  name text not null check (char_length(name) between 1 and 255),
  percent numeric(6, 3) not null check (percent between 0 and 100),
  is_archived boolean not null default false,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (company_id, id)
);
comment on table tax_rates is 'Tax rates of companies, at most 50 each. Documents keep copies, so a rate may change.';
comment on column tax_rates.is_archived is 'It is not offered any more; items that have it keep it.';
alter table tax_rates alter company_id set (n_distinct = -0.3), alter id set (n_distinct = 50);
alter table tax_rates enable row level security, force row level security;
create policy own_company on tax_rates using (company_id = nullif(current_setting('app.company_id', true), '')::bigint);
grant select, insert, update, delete on tax_rates to kontor_server;

alter table company_clock add column last_tax_rate_id bigint not null default 0;

alter table companies add column prices_include_tax boolean not null default false;
alter table companies add column default_tax_rate_id bigint;
comment on column companies.prices_include_tax is 'Whether the prices of sales contain the tax, or it is added to them.';
comment on column companies.default_tax_rate_id is 'The rate of items that have none of their own. Null: the company charges no tax.';

alter table items add column tax_rate_id bigint;
alter table items add constraint items_tax_rate foreign key (company_id, tax_rate_id) references tax_rates (company_id, id) not valid;
comment on column items.tax_rate_id is 'Null: the default rate of the company.';

alter table customers add column tax_treatment text not null default '';
alter table customers add column tax_reason text not null default '';
alter table customers add constraint customers_tax_treatment_check check (tax_treatment in ('', 'exempt', 'reverse_charge')) not valid;
comment on column customers.tax_treatment is 'Empty: tax is charged. reverse_charge: the customer owes it.';
comment on column customers.tax_reason is 'Why no tax is charged, as documents say it.';
