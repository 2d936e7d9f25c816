-- The ledger, and what is derived from it. Only server/stock/ledger.ts writes these three tables.

-- Append-only. A row changes what is on hand (and what that is worth), what is reserved, or both.
-- Its item and storage location are checked by the foreign keys of stock_levels, which every row also touches.
create table stock_movements (
  company_id bigint not null,
  id bigint not null check (id > 0),
  seq bigint not null,
  kind text not null check (kind in ('move', 'revaluation')),
  section text not null,
  document_id bigint not null,
  storage_id bigint not null,
  item_id bigint not null,
  date date not null,
  on_hand numeric(24, 3) not null check (on_hand between -999999999999999 and 999999999999999),
  reserved numeric(24, 3) not null check (reserved between -999999999999999 and 999999999999999),
  value numeric(36, 6) not null check (value between -1e29 and 1e29),
  recorded_at timestamptz not null,
  primary key (company_id, id),
  check (kind = 'move' or (on_hand = 0 and reserved = 0)),
  check (on_hand <> 0 or kind = 'revaluation' or value = 0)
);
create index stock_movements_of_document on stock_movements (company_id, section, document_id);
create index stock_movements_of_item on stock_movements (company_id, item_id, date, id);

create table stock_levels (
  company_id bigint not null,
  storage_id bigint not null,
  item_id bigint not null,
  on_hand numeric(24, 3) not null check (on_hand between -1e20 and 1e20),
  reserved numeric(24, 3) not null check (reserved between -1e20 and 1e20),
  primary key (company_id, storage_id, item_id),
  foreign key (company_id, storage_id) references storages,
  foreign key (company_id, item_id) references items
) with (fillfactor = 80);
create index stock_levels_of_item on stock_levels (company_id, item_id);

-- What an item is worth over the whole company.
create table item_costs (
  company_id bigint not null,
  item_id bigint not null,
  on_hand numeric(24, 3) not null check (on_hand between -1e20 and 1e20),
  value numeric(36, 6) not null check (value between -1e29 and 1e29),
  average numeric(30, 6) not null check (average between 0 and 1e23),
  primary key (company_id, item_id),
  foreign key (company_id, item_id) references items
) with (fillfactor = 80);
