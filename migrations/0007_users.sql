-- Who signs in: users of a company, their sessions, invitations, and what stands between a password and whoever guesses it.

alter table companies add column currency text not null default 'EUR' check (currency ~ '^[A-Z]{3}$');

alter table company_clock
  add column last_user_id bigint not null default 0,
  add column last_invitation_id bigint not null default 0;

-- A user who was deleted stays as a name in the history.
create table users (
  company_id bigint not null references companies,
  id bigint not null check (id > 0),
  name text not null,
  email text not null,
  role text not null check (role in ('worker', 'manager', 'owner')),
  password_hash text not null,
  created_at timestamptz not null,
  last_seen_at timestamptz,
  deleted_at timestamptz,
  primary key (company_id, id)
);

-- Where an email address signs in. Read before the company is known, like api_keys, and a reference table on a cluster like it; it holds
-- hashes of addresses and nothing else that is worth reading.
create table sign_ins (
  email_hash bytea primary key check (octet_length(email_hash) = 32),
  company_id bigint not null,
  user_id bigint not null
);
create index sign_ins_of_company on sign_ins (company_id, user_id);

create table sessions (
  company_id bigint not null,
  secret_hash bytea not null check (octet_length(secret_hash) = 32),
  user_id bigint not null,
  created_at timestamptz not null,
  seen_at timestamptz not null,
  expires_at timestamptz not null,
  primary key (company_id, secret_hash),
  foreign key (company_id, user_id) references users
);
create index sessions_of_user on sessions (company_id, user_id);
create index sessions_by_age on sessions (company_id, expires_at);

-- Browsers that a user has signed in from. Guesses made elsewhere do not shut them out.
create table devices (
  company_id bigint not null,
  secret_hash bytea not null check (octet_length(secret_hash) = 32),
  user_id bigint not null,
  seen_at timestamptz not null,
  primary key (company_id, secret_hash),
  foreign key (company_id, user_id) references users
);
create index devices_of_user on devices (company_id, user_id, seen_at);

create table invitations (
  company_id bigint not null,
  id bigint not null check (id > 0),
  token_hash bytea not null check (octet_length(token_hash) = 32),
  email text not null,
  role text not null check (role in ('worker', 'manager', 'owner')),
  created_at timestamptz not null,
  expires_at timestamptz not null,
  primary key (company_id, id)
);
create unique index invitations_by_token on invitations (company_id, token_hash);

-- Failed attempts to sign in, by what they have in common: an account, an address, both. An address belongs to no company, and neither does
-- an account that is not there; so here company_id is a number drawn from the hash of what is counted, below zero, which no company has.
create table sign_in_attempts (
  company_id bigint not null check (company_id < 0),
  counted bytea not null check (octet_length(counted) = 32),
  failures integer not null check (failures between 0 and 1000000),
  until timestamptz not null,
  primary key (company_id, counted)
);

do $$
declare
  tenant text;
begin
  foreach tenant in array array['users', 'sessions', 'devices', 'invitations', 'sign_in_attempts'] loop
    execute format('alter table %I enable row level security, force row level security', tenant);
    execute format(
      'create policy own_company on %I using (company_id = nullif(current_setting(''app.company_id'', true), '''')::bigint)',
      tenant
    );
    execute format('grant select, insert, update, delete on %I to kontor_server', tenant);
  end loop;
  execute format('create policy owner_keeps on sign_in_attempts to %I using (true)', current_user);
end $$;
revoke delete on users from kontor_server;

alter table sign_ins enable row level security, force row level security;
create policy anyone_looks_up on sign_ins for select using (true);
create policy own_company_inserts on sign_ins for insert
  with check (company_id = nullif(current_setting('app.company_id', true), '')::bigint);
create policy own_company_deletes on sign_ins for delete
  using (company_id = nullif(current_setting('app.company_id', true), '')::bigint);
grant select, insert, delete on sign_ins to kontor_server;
