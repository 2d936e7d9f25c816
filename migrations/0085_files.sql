-- Pictures of items, and files that users attach to items and documents. They are in the database, so that a backup contains them.
create table files (
  company_id bigint not null,
  id bigint not null check (id > 0),
  item_id bigint,
  sale_id bigint,
  purchase_id bigint,
  production_id bigint,
  writeoff_id bigint,
  transfer_id bigint,
  audit_id bigint,
  is_picture boolean not null,
  name text not null check (char_length(name) between 1 and 255),
  type text not null check (type in ('image/jpeg', 'image/png', 'image/webp', 'application/pdf')),
  size int not null check (size between 1 and 5242880),
  tag text not null check (char_length(tag) = 22),
  content bytea not null,
  thumbnail bytea,
  created_at timestamptz not null,
  primary key (company_id, id),
  constraint files_of_one_record check (num_nonnulls(item_id, sale_id, purchase_id, production_id, writeoff_id, transfer_id, audit_id) = 1),
  constraint files_picture_of_item check (not is_picture or item_id is not null and thumbnail is not null),
  -- Servers of earlier versions delete documents without knowing this table.
  constraint files_item foreign key (company_id, item_id) references items (company_id, id) on delete cascade,
  constraint files_sale foreign key (company_id, sale_id) references sales (company_id, id) on delete cascade,
  constraint files_purchase foreign key (company_id, purchase_id) references purchases (company_id, id) on delete cascade,
  constraint files_production foreign key (company_id, production_id) references productions (company_id, id) on delete cascade,
  constraint files_writeoff foreign key (company_id, writeoff_id) references writeoffs (company_id, id) on delete cascade,
  constraint files_transfer foreign key (company_id, transfer_id) references transfers (company_id, id) on delete cascade,
  constraint files_audit foreign key (company_id, audit_id) references audits (company_id, id) on delete cascade
);
create index files_by_item on files (company_id, item_id) where item_id is not null;
create index files_by_sale on files (company_id, sale_id) where sale_id is not null;
create index files_by_purchase on files (company_id, purchase_id) where purchase_id is not null;
create index files_by_production on files (company_id, production_id) where production_id is not null;
create index files_by_writeoff on files (company_id, writeoff_id) where writeoff_id is not null;
create index files_by_transfer on files (company_id, transfer_id) where transfer_id is not null;
create index files_by_audit on files (company_id, audit_id) where audit_id is not null;
create unique index files_picture on files (company_id, item_id) where is_picture;
comment on table files is 'Pictures of items, and files that are attached to items and documents. At most 20 for each record.';
comment on column files.is_picture is 'The picture of the item. The other files are attached to their record.';
comment on column files.name is 'As the user named it, with the ending of its type.';
comment on column files.size is 'Bytes of content.';
comment on column files.tag is 'The beginning of the SHA-256 of content, as base64url. It is part of the address of the file.';
comment on column files.thumbnail is 'A small picture. Null for other files than pictures.';
-- Pictures and documents are compressed already.
alter table files alter content set storage external, alter thumbnail set storage external;
alter table files alter company_id set (n_distinct = -0.0005), alter id set (n_distinct = 2000);
alter table files enable row level security, force row level security;
create policy own_company on files using (company_id = nullif(current_setting('app.company_id', true), '')::bigint);
grant select, insert, update, delete on files to kontor_server;

alter table company_clock add column last_file_id bigint not null default 0;
