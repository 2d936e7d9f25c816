-- Filters of orders/get_list. Counts by day, status and payment give the total of a filtered list and the day at which a page begins, without reading the sales:
-- counting the 250,000 sales with one status among 1,000,000 takes longer than the page itself.
create table sale_counts (
  company_id bigint not null references companies,
  listed integer not null,
  status smallint not null check (status between 0 and 4),
  payment smallint not null check (payment between 0 and 2),
  entries bigint not null check (entries >= 0),
  primary key (company_id, listed, status, payment)
) with (fillfactor = 60);
comment on table sale_counts is 'How many sales a company has by day, status and payment: totals and offsets of filtered lists without counting rows.';
comment on column sale_counts.listed is 'The day of the sales, counted backwards from 9999-12-31, as in sales.listed.';

alter table sale_counts alter company_id set (n_distinct = -0.0005);
alter table sale_counts enable row level security, force row level security;
create policy own_company on sale_counts using (company_id = nullif(current_setting('app.company_id', true), '')::bigint);
grant select, insert, update, delete on sale_counts to kontor_server;

-- Company by company, because row level security also applies to the owner of the tables.
do $$
declare
  company bigint;
begin
  for company in select c.company_id from companies c loop
    perform set_config('app.company_id', company::text, true);
    insert into sale_counts (company_id, listed, status, payment, entries)
    select s.company_id, s.listed, s.status, s.payment, count(*) from sales s
    where s.company_id = company group by s.company_id, s.listed, s.status, s.payment;
  end loop;
  perform set_config('app.company_id', '', true);
end $$;
analyze sale_counts;
