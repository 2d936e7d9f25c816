-- What older versions need to know about migrations that came after them, and the progress of backfills.

create table schema_expansions (
  name text primary key,
  run_on timestamptz not null default now()
);
comment on table schema_expansions is 'Expanding migrations that were run: older versions work without knowing them. Separate from schema_migrations, because version 0.1 does not start when that table has a name it does not know.';

alter table schema_migrations add column oldest_version text;
comment on table schema_migrations is 'Migrations that were run: those up to 0036, and contracting ones.';
comment on column schema_migrations.oldest_version is 'The first version that works after a contracting migration; null for those up to 0036.';

create table backfills (
  name text primary key,
  started_at timestamptz not null default now(),
  finished_at timestamptz,
  last_company_id bigint not null default 0,
  companies_left bigint not null constraint backfills_left_not_negative check (companies_left >= 0),
  changed_rows bigint not null default 0
);
comment on table backfills is 'Changes of existing rows that are made in small portions while the service runs, one company after the other.';
comment on column backfills.finished_at is 'When the last company was finished.';
comment on column backfills.last_company_id is 'The last company that is finished; companies are processed in the order of their ids.';
comment on column backfills.companies_left is 'Companies that are not finished.';
comment on column backfills.changed_rows is 'Rows changed since the start.';

grant select on schema_expansions, backfills to kontor_server;
