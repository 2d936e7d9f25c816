-- Imports of files: their rows as sent by the screens, what became of each, and by which event. Kept for 30 days, in which an import can be taken back.

create table imports (
  company_id bigint not null references companies,
  id bigint not null check (id > 0),
  kind text not null check (kind in ('products', 'materials', 'customers', 'suppliers', 'stock')),
  name text not null check (char_length(name) <= 255),
  status text not null check (status in ('draft', 'running', 'done', 'undoing', 'undone')),
  user_id bigint,
  created_at timestamptz not null,
  started_at timestamptz,
  ended_at timestamptz,
  storage_id bigint,
  counted_on text check (counted_on ~ '^\d{4}-\d\d-\d\d$'),
  headings jsonb not null default '[]',
  rows integer not null default 0 check (rows between 0 and 20000),
  next_position integer not null default 0 check (next_position between -1 and 20000),
  lease text,
  leased_until timestamptz,
  primary key (company_id, id)
);
comment on table imports is 'Imports of files. Their rows are checked while an import is a draft, and written in the background.';
comment on column imports.kind is 'The section whose records the rows are; stock: counted quantities.';
comment on column imports.name is 'The name of the file.';
comment on column imports.status is 'draft: rows are sent and checked. running: they are written. done: it can be taken back. undoing, undone: it is being taken back, or has been.';
comment on column imports.storage_id is 'The storage location whose stock the rows count; null for other kinds.';
comment on column imports.counted_on is 'The day of the count, YYYY-MM-DD; null for other kinds, and for the day on which it is written.';
comment on column imports.headings is 'The field that each heading of the file stands for, as [heading, field]; proposed for the next file.';
comment on column imports.rows is 'One more than the position of the last row.';
comment on column imports.next_position is 'The first row that is not written yet; while it is taken back, the last row that is left.';
comment on column imports.lease is 'Of the process that writes the rows. It is valid until leased_until.';

create table import_rows (
  company_id bigint not null,
  import_id bigint not null,
  position integer not null check (position between 0 and 19999),
  line integer not null check (line > 0),
  key text not null check (char_length(key) <= 1024),
  fields jsonb not null,
  state text not null check (state in ('create', 'change', 'unchanged', 'refused', 'created', 'changed', 'undone', 'left')),
  changes jsonb,
  refusal jsonb,
  record text,
  record_id bigint,
  seq bigint check (seq > 0),
  primary key (company_id, import_id, position),
  foreign key (company_id, import_id) references imports (company_id, id) on delete cascade
);
create index import_rows_by_key on import_rows (company_id, import_id, key, position);
create index import_rows_by_state on import_rows (company_id, import_id, state, position);
comment on table import_rows is 'The rows of imports, in the order in which they are written.';
comment on column import_rows.line is 'The line of the file, from 1.';
comment on column import_rows.key is 'What rows of the same record have in common: the folded SKU or name; empty when the row has none.';
comment on column import_rows.fields is 'The fields of the record, with names in place of ids.';
comment on column import_rows.state is 'create, change, unchanged, refused: what the check has found. created, changed: what was written. undone: taken back. left: not taken back, refusal says why.';
comment on column import_rows.changes is 'What the row changes: each field as [before, after].';
comment on column import_rows.refusal is 'Why the row is refused, or not taken back: the text, its code, the field and the value.';
comment on column import_rows.record is 'The kind of the record that was created or changed, as in events.';
comment on column import_rows.seq is 'The number of the event that created or changed it. A later event of the record is a change by somebody else.';

-- Read before the company is known, like webhook_companies, and a reference table on a cluster like it.
create table import_companies (
  company_id bigint primary key,
  is_working boolean not null
);
comment on table import_companies is 'Companies with imports: where a process looks for those that another one has left unfinished, and maintenance for old ones.';
comment on column import_companies.is_working is 'Whether an import is being written or taken back.';

alter table company_clock add column last_import_id bigint not null default 0;

alter table imports alter company_id set (n_distinct = -0.0005), alter id set (n_distinct = 2000);
alter table import_rows alter company_id set (n_distinct = -0.0005);
alter table import_companies alter company_id set (n_distinct = -1);

alter table imports enable row level security, force row level security;
alter table import_rows enable row level security, force row level security;
alter table import_companies enable row level security, force row level security;
create policy own_company on imports using (company_id = nullif(current_setting('app.company_id', true), '')::bigint);
create policy own_company on import_rows using (company_id = nullif(current_setting('app.company_id', true), '')::bigint);
create policy anyone_looks_up on import_companies for select using (true);
create policy own_company_inserts on import_companies for insert with check (company_id = nullif(current_setting('app.company_id', true), '')::bigint);
create policy own_company_updates on import_companies for update using (company_id = nullif(current_setting('app.company_id', true), '')::bigint);
create policy own_company_deletes on import_companies for delete using (company_id = nullif(current_setting('app.company_id', true), '')::bigint);
grant select, insert, update, delete on imports, import_rows, import_companies to kontor_server;
