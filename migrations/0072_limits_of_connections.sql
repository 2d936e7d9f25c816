-- The requests of the day of each API connection, so that a connection can be given a limit below that of its company. They are in the row that every
-- request changes anyway: a second row for each connection would be a second change.
alter table api_connections
  add column daily_limit integer,
  add constraint api_connections_daily_limit_check check (daily_limit between 0 and 1000000000) not valid;
alter table quotas add column counted_on date, add column used_by jsonb not null default '{}';
comment on column api_connections.daily_limit is 'Requests per day. Null: all those of the company.';
comment on column quotas.counted_on is 'The day of used_by. Another one than day if a server of an earlier release has counted since.';
comment on column quotas.used_by is 'Requests of that day by connection, also those beyond the limit of the connection.';
