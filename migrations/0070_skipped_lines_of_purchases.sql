-- Lines of purchases that were left out because their item was not found, until somebody assigns or dismisses them. Existing purchases keep what their notes say.
create table purchase_skipped_lines (
  company_id bigint not null,
  purchase_id bigint not null,
  position int not null check (position >= 0),
  kind text not null check (kind in ('product', 'material')),
  named_by text not null check (named_by in ('sku', 'id', 'external_id')),
  code text not null check (char_length(code) <= 255),
  code_key text not null,
  connection_id bigint not null default 0 check (connection_id >= 0),
  amount numeric(12, 3) not null check (amount > 0 and amount <= 999999999.999),
  total numeric(14, 2) not null check (total between -999999999999.99 and 999999999999.99),
  primary key (company_id, purchase_id, position),
  -- Servers of earlier versions delete purchases without knowing this table.
  constraint purchase_skipped_lines_purchase foreign key (company_id, purchase_id) references purchases (company_id, id) on delete cascade
);
create index purchase_skipped_lines_by_code on purchase_skipped_lines (company_id, kind, named_by, code_key, connection_id, purchase_id);
comment on table purchase_skipped_lines is 'Lines of purchases that were left out because their item was not found, until they are assigned to an item or dismissed.';
comment on column purchase_skipped_lines.position is 'Index of the line as it was sent, materials after products.';
comment on column purchase_skipped_lines.named_by is 'Whether the request named the item by SKU, by id or by external id.';
comment on column purchase_skipped_lines.code is 'The SKU, the id or the external id, as it was sent.';
comment on column purchase_skipped_lines.code_key is 'By which lines of the same item are found: the folded SKU; otherwise the code.';
comment on column purchase_skipped_lines.connection_id is 'The API connection whose external id it is; 0 for the screens, and for SKUs and ids, which all connections share.';
comment on index purchase_skipped_lines_by_code is 'The purchases that wait for an item with this code.';

alter table purchase_skipped_lines alter company_id set (n_distinct = -0.0005);
alter table purchase_skipped_lines enable row level security, force row level security;
create policy own_company on purchase_skipped_lines using (company_id = nullif(current_setting('app.company_id', true), '')::bigint);
grant select, insert, update, delete on purchase_skipped_lines to kontor_server;
