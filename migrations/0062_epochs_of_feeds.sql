-- A client of the feed notices that the database was restored: its numbers belong to a history that has ended.

alter table company_clock add column epoch uuid not null default gen_random_uuid();
alter table company_clock add column raised_by bigint not null default 0 constraint company_clock_raised_by_check check (raised_by >= 0);
comment on column company_clock.epoch is 'Identifies the history that seq counts in. "kontor feed new-epoch" changes it after a restore.';
comment on column company_clock.raised_by is 'How much of seq and of every last_..._id was skipped by "kontor feed new-epoch", so that nothing issued before a restore is issued again.';
