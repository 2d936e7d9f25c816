-- Requests that are missing from the request log, so that nobody takes a gap for a time without requests.

create table request_log_gaps (
  company_id bigint not null references companies,
  first_at timestamptz not null,
  first_request_id text not null,
  last_at timestamptz not null,
  requests integer not null constraint request_log_gaps_not_empty check (requests > 0),
  reason text not null constraint request_log_gaps_known_reason check (reason in ('full', 'refused')),
  primary key (company_id, first_at, first_request_id),
  constraint request_log_gaps_in_order check (first_at <= last_at)
);
comment on table request_log_gaps is 'Requests that are missing from request_log, counted by company and time. Kept as long as the log.';
comment on column request_log_gaps.first_at is 'Time of the earliest missing request.';
comment on column request_log_gaps.first_request_id is 'Id of the earliest missing request. Distinguishes the gaps of several processes, and makes a repeated insert harmless.';
comment on column request_log_gaps.last_at is 'Time of the latest missing request. Other requests between the two times may be in the log.';
comment on column request_log_gaps.requests is 'How many requests are missing.';
comment on column request_log_gaps.reason is 'full: the server had no room for more unwritten rows. refused: PostgreSQL did not accept the row.';

alter table request_log_gaps alter company_id set (n_distinct = -0.0005);

alter table request_log_gaps enable row level security, force row level security;
create policy own_company on request_log_gaps using (company_id = nullif(current_setting('app.company_id', true), '')::bigint);
-- The owner deletes what is older than the log.
do $$
begin
  execute format('create policy owner_keeps on request_log_gaps to %I using (true)', current_user);
end $$;
grant select, insert on request_log_gaps to kontor_server;
