-- How much a company may store, and for how long its requests are kept. The limit is in the clock row because every write reads and updates that row: checking it
-- costs no round trip and no other row.

alter table company_clock
  add column written_bytes bigint not null default 0 constraint company_clock_written_bytes_check check (written_bytes >= 0),
  add column storage_limit_mib integer constraint company_clock_storage_limit_mib_check check (storage_limit_mib >= 0);
comment on column company_clock.written_bytes is 'Size of the values that all writes of the company have stored. Deleting does not lower it; "kontor company measure" sets it to the size of the present rows.';
comment on column company_clock.storage_limit_mib is 'How much the company may write, in MiB. Null: STORAGE_LIMIT_MIB of the installation.';

alter table companies
  add column request_log_days smallint constraint companies_request_log_days_check check (request_log_days between 0 and 3650);
comment on column companies.request_log_days is 'Days that the requests of the company are kept in the request log, if fewer than REQUEST_LOG_DAYS. Null: as long as those of others.';
