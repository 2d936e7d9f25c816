-- Ids that other systems give to records. Each API connection has its own, so that two shops can use the same id.
create table external_ids (
  company_id bigint not null references companies,
  connection_id bigint not null check (connection_id >= 0),
  record text not null check (record in ('sale', 'purchase', 'customer', 'supplier', 'product', 'material')),
  external_id text not null check (external_id <> '' and char_length(external_id) <= 255),
  record_id bigint not null check (record_id > 0),
  primary key (company_id, connection_id, record, external_id)
);
create unique index external_ids_of_record on external_ids (company_id, record, record_id, connection_id);
comment on table external_ids is 'Ids of records in other systems, unique for each API connection and type of record. The ids of a deleted record are deleted.';
comment on column external_ids.connection_id is 'The API connection that set the id; 0 for the screens.';
comment on column external_ids.record is 'Type of the record, as in events.';
comment on index external_ids_of_record is 'The external id of a record that is read, changed or deleted.';

alter table external_ids alter company_id set (n_distinct = -0.0005);
alter table external_ids enable row level security, force row level security;
create policy own_company on external_ids using (company_id = nullif(current_setting('app.company_id', true), '')::bigint);
grant select, insert, update, delete on external_ids to kontor_server;
