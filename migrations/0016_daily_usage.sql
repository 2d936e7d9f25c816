-- The daily usage of a company in addition to its counted API requests: requests of the screens, and bytes of the request log. Written in batches.

create table daily_usage (
  company_id bigint primary key references companies,
  day date not null,
  session_requests bigint not null default 0 check (session_requests >= 0),
  log_bytes bigint not null default 0 check (log_bytes >= 0)
) with (fillfactor = 50);
insert into daily_usage (company_id, day) select company_id, current_date from companies;

alter table daily_usage alter company_id set (n_distinct = -0.0005);

alter table daily_usage enable row level security, force row level security;
create policy own_company on daily_usage using (company_id = nullif(current_setting('app.company_id', true), '')::bigint);
grant select, insert, update on daily_usage to kontor_server;

-- Rows beyond the daily budget of a company are stored without the bodies of request and response.
alter table request_log add column bodies_left_out boolean not null default false;
