-- Webhooks. An endpoint is a position in the events of its company, which are an ordered and durable feed already. So there is no row for each event and
-- endpoint; only events that have failed several times have one, with a schedule of their own.

create table webhook_endpoints (
  company_id bigint not null references companies,
  id bigint not null check (id > 0),
  url text not null check (char_length(url) between 1 and 2048),
  types text[],
  description text not null default '' check (char_length(description) <= 255),
  enabled boolean not null default true,
  secret text not null,
  former_secret text,
  former_secret_until timestamptz,
  created_at timestamptz not null,
  position bigint not null check (position >= 0),
  attempts smallint not null default 0 check (attempts >= 0),
  next_at timestamptz,
  failing_since timestamptz,
  last_at timestamptz,
  last_status smallint,
  last_error text,
  last_duration_ms integer check (last_duration_ms >= 0),
  last_delivered_at timestamptz,
  deliveries bigint not null default 0 check (deliveries >= 0),
  disabled_at timestamptz,
  disabled_reason text check (disabled_reason in ('user', 'gone', 'failing')),
  lease text,
  leased_until timestamptz,
  primary key (company_id, id)
) with (fillfactor = 50);
comment on table webhook_endpoints is 'Webhook endpoints: addresses to which the changes of a company are sent. At most 20 per company.';
comment on column webhook_endpoints.types is 'Types of events that are sent, such as order.created. Null: all.';
comment on column webhook_endpoints.secret is 'Signs the messages, so it is stored as it is: whsec_ and the base64 of 32 bytes.';
comment on column webhook_endpoints.former_secret is 'The secret before the last one; messages are signed with both until former_secret_until.';
comment on column webhook_endpoints.position is 'The last event that was delivered, skipped because of its type, or moved to webhook_parked.';
comment on column webhook_endpoints.attempts is 'Failed attempts to deliver the event after position.';
comment on column webhook_endpoints.next_at is 'When that event is tried again. Null: at once.';
comment on column webhook_endpoints.failing_since is 'The first failure since the last success. Null while deliveries succeed.';
comment on column webhook_endpoints.last_at is 'The latest attempt; last_status, last_error and last_duration_ms are its result.';
comment on column webhook_endpoints.deliveries is 'Number of the last row of webhook_deliveries.';
comment on column webhook_endpoints.disabled_reason is 'user: turned off by a user. gone: the endpoint answered 410. failing: nothing but failures for five days.';
comment on column webhook_endpoints.lease is 'Of the process that is sending to the endpoint. It is valid until leased_until.';

create table webhook_parked (
  company_id bigint not null references companies,
  webhook_id bigint not null,
  seq bigint not null check (seq >= 0),
  attempts smallint not null default 0 check (attempts >= 0),
  next_at timestamptz not null,
  created_at timestamptz not null,
  primary key (company_id, webhook_id, seq)
);
comment on table webhook_parked is 'Messages that are sent apart from the order of the feed: events that failed three times, events that are sent again on request, and tests.';
comment on column webhook_parked.seq is 'The event; 0 for a test.';
comment on column webhook_parked.attempts is 'Failed attempts so far.';

create table webhook_deliveries (
  company_id bigint not null references companies,
  webhook_id bigint not null,
  number bigint not null check (number > 0),
  seq bigint not null check (seq >= 0),
  type text not null,
  attempt smallint not null check (attempt > 0),
  at timestamptz not null,
  status smallint,
  error text,
  duration_ms integer not null check (duration_ms >= 0),
  response text not null check (char_length(response) <= 1024),
  primary key (company_id, webhook_id, number)
);
comment on table webhook_deliveries is 'The attempts to deliver messages. Kept for 30 days, at most 50,000 for each endpoint.';
comment on column webhook_deliveries.number is 'Counts the attempts of an endpoint.';
comment on column webhook_deliveries.seq is 'The event; 0 for a test.';
comment on column webhook_deliveries.status is 'The HTTP status. Null without a response.';
comment on column webhook_deliveries.error is 'Why there is no complete response. Null if there is one.';
comment on column webhook_deliveries.response is 'The first 1,024 characters of the response.';

-- Read before the company is known, like api_keys, and a reference table on a cluster like it. It changes only with the first and the last endpoint of a company.
create table webhook_companies (
  company_id bigint primary key
);
comment on table webhook_companies is 'Companies with webhook endpoints: where a process looks for messages that another one has left behind.';

alter table company_clock
  add column last_webhook_id bigint not null default 0,
  add column has_webhooks boolean not null default false;
comment on column company_clock.has_webhooks is 'Whether the company has an endpoint that is turned on. In the clock row because every write reads it: a company without webhooks pays nothing.';

alter table webhook_endpoints alter company_id set (n_distinct = -0.0005), alter id set (n_distinct = 2000);
alter table webhook_parked alter company_id set (n_distinct = -0.0005);
alter table webhook_deliveries alter company_id set (n_distinct = -0.0005);
alter table webhook_companies alter company_id set (n_distinct = -1);

alter table webhook_endpoints enable row level security, force row level security;
alter table webhook_parked enable row level security, force row level security;
alter table webhook_deliveries enable row level security, force row level security;
alter table webhook_companies enable row level security, force row level security;
create policy own_company on webhook_endpoints using (company_id = nullif(current_setting('app.company_id', true), '')::bigint);
create policy own_company on webhook_parked using (company_id = nullif(current_setting('app.company_id', true), '')::bigint);
create policy own_company on webhook_deliveries using (company_id = nullif(current_setting('app.company_id', true), '')::bigint);
create policy anyone_looks_up on webhook_companies for select using (true);
create policy own_company_inserts on webhook_companies for insert with check (company_id = nullif(current_setting('app.company_id', true), '')::bigint);
create policy own_company_deletes on webhook_companies for delete using (company_id = nullif(current_setting('app.company_id', true), '')::bigint);
grant select, insert, update, delete on webhook_endpoints, webhook_parked to kontor_server;
grant select, insert, delete on webhook_deliveries, webhook_companies to kontor_server;
