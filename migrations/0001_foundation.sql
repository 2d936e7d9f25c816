-- Companies, who may call for them, the clock that orders their writes, and what is kept of every request.
-- Every table but api_keys starts its keys with company_id: a cluster distributes by it, and row level security filters by it.
-- Tables that every write touches do not reference companies: the write has locked the company's clock row, which does, and a
-- foreign key would lock the company's row again for each row inserted.

do $$
begin
  create role kontor_server nologin nosuperuser nobypassrls nocreatedb nocreaterole;
exception when duplicate_object or unique_violation then
  null; -- roles belong to the whole cluster: another database of ours made it already
end $$;

do $$
begin
  -- Whoever migrates is whoever serves: it must be able to step down to the role that requests run as.
  if not pg_has_role(current_user, 'kontor_server', 'member') then
    execute format('grant kontor_server to %I', current_user);
  end if;
  execute format('grant usage on schema %I to kontor_server', current_schema());
end $$;

create table companies (
  company_id bigint primary key check (company_id > 0),
  name text not null,
  timezone text not null default 'UTC',
  default_sale_status smallint not null default 0 check (default_sale_status in (0, 1, 3, 4)),
  materials_in_sales boolean not null default false,
  products_storage_id bigint not null,
  materials_storage_id bigint not null,
  default_fulfillment text not null default 'stock' check (default_fulfillment in ('stock', 'production')),
  show_payment_status boolean not null default true,
  daily_limit integer not null default 10000 check (daily_limit between 0 and 1000000000),
  created_at timestamptz not null default now()
);

-- One row per company: the lock that lets one writer in, the witness of order, and the source of its ids.
-- Updated twice by every write, so pages keep room for the new versions.
create table company_clock (
  company_id bigint primary key references companies,
  seq bigint not null default 0 check (seq >= 0),
  at timestamptz not null default now(),
  last_connection_id bigint not null default 0,
  last_unit_id bigint not null default 0,
  last_category_id bigint not null default 0,
  last_storage_id bigint not null default 0,
  last_item_id bigint not null default 0,
  last_customer_id bigint not null default 0,
  last_supplier_id bigint not null default 0,
  last_sale_id bigint not null default 0,
  last_production_id bigint not null default 0,
  last_production_number bigint not null default 0,
  last_movement_id bigint not null default 0
) with (fillfactor = 40);

-- One row per change, in the order of the clock, written with the change.
create table events (
  company_id bigint not null,
  seq bigint not null check (seq > 0),
  at timestamptz not null,
  method text not null,
  source text not null check (source in ('api', 'manual', 'system')),
  connection_id bigint,
  user_id bigint,
  request_id text not null,
  record text not null,
  record_id bigint not null,
  change jsonb not null,
  primary key (company_id, seq)
);
create index events_of_record on events (company_id, record, record_id, seq);

create table api_connections (
  company_id bigint not null references companies,
  id bigint not null check (id > 0),
  name text not null,
  number_prefix text not null default 'A-' check (char_length(number_prefix) <= 32),
  created_at timestamptz not null default now(),
  primary key (company_id, id)
);

-- The one table that is read before the company is known: hashes of keys, nothing else that is worth reading.
-- A cluster holds it as a reference table, so it has no foreign key into a company's tables.
create table api_keys (
  key_hash bytea primary key check (octet_length(key_hash) = 32),
  company_id bigint not null,
  connection_id bigint not null,
  hint text not null,
  created_at timestamptz not null default now(),
  expires_at timestamptz,
  revoked_at timestamptz
);
create index api_keys_of_company on api_keys (company_id, connection_id);

-- Requests of the company's present day. One row, updated by every request.
create table quotas (
  company_id bigint primary key references companies,
  day date not null,
  used bigint not null default 0 check (used >= 0)
) with (fillfactor = 20);

create table idempotency_keys (
  company_id bigint not null,
  key text not null check (char_length(key) between 1 and 255),
  request_hash bytea not null,
  status smallint not null,
  answer text not null,
  seq bigint,
  created_at timestamptz not null default now(),
  primary key (company_id, key),
  foreign key (company_id, seq) references events
);
create index idempotency_keys_by_age on idempotency_keys (company_id, created_at);

-- What was asked and answered, for support. Written in batches beside the request's way, kept for a number of days.
create table request_log (
  company_id bigint not null,
  at timestamptz not null,
  request_id text not null,
  connection_id bigint,
  method text not null,
  status smallint not null,
  duration_ms real not null,
  error text,
  request text not null,
  answer text not null,
  primary key (company_id, at, request_id)
) partition by range (at);
create table request_log_other partition of request_log default;

-- Where a list's pages begin: each row counts the records of one day from one place in the list's order to the next such
-- place. Their sum is a list's total, and an offset skips whole rows of it. A run that grows long is split in two.
create table list_runs (
  company_id bigint not null,
  list text not null,
  listed integer not null,
  from_key text not null collate "C",
  from_id bigint not null,
  entries bigint not null check (entries >= 0),
  primary key (company_id, list, listed, from_key, from_id)
) with (fillfactor = 60);
