-- What happens to the access to a company: who signed in from where, who failed to, and who changed passwords, roles, users and keys.

create table security_events (
  company_id bigint not null references companies,
  id text not null check (id ~ '^[A-Za-z0-9_-]{1,32}$'),
  at timestamptz not null,
  kind text not null check (char_length(kind) <= 40),
  user_id bigint,
  about_user_id bigint,
  detail text check (char_length(detail) <= 255),
  address text check (char_length(address) <= 64),
  browser text check (char_length(browser) <= 40),
  system text check (char_length(system) <= 40),
  primary key (company_id, id)
);
create index security_events_by_time on security_events (company_id, at, id);
create index security_events_by_age on security_events (at);
comment on table security_events is 'Sign-ins, failed sign-ins and changes of access, with address and browser. Kept for 365 days. Changes of records are in events as well, without address and browser.';
comment on column security_events.id is 'Of a write, the number of its event after "e"; else random.';
comment on column security_events.user_id is 'Who did it, or was to be signed in as. Null for the operator.';
comment on column security_events.about_user_id is 'Another user whom it is about.';
comment on column security_events.detail is 'What it is about: the invited email, the new role, the visible part of a key.';
comment on column security_events.address is 'IP address; null for the operator.';
comment on column security_events.browser is 'Name of the browser; null if it is not known.';
comment on column security_events.system is 'Name of the operating system; null if it is not known.';

alter table security_events alter company_id set (n_distinct = -0.0005), alter id set (n_distinct = 2000);
alter table security_events enable row level security, force row level security;
create policy own_company on security_events using (company_id = nullif(current_setting('app.company_id', true), '')::bigint);
-- The owner deletes what is older than a year.
do $$
begin
  execute format('create policy owner_keeps on security_events to %I using (true)', current_user);
end $$;
grant select, insert on security_events to kontor_server;
