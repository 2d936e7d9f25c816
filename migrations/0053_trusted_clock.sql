-- The time up to which the clock of the database is known to be right.

create table trusted_clock (
  is_only_row boolean primary key default true constraint trusted_clock_one_row check (is_only_row),
  recorded_at timestamptz not null
);
comment on table trusted_clock is 'One row. If the clock of the database differs too much from it, nothing is deleted because of its age, and requests count for the day recorded last.';
comment on column trusted_clock.recorded_at is 'The time of the database when it was recorded last, every few minutes while the service runs, or confirmed by an operator.';
insert into trusted_clock (recorded_at) values (now());

grant select, update on trusted_clock to kontor_server;
