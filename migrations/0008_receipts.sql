-- What has come of a partly received purchase, by item: the mirror of sale_shipments.

create table purchase_receipts (
  company_id bigint not null,
  purchase_id bigint not null,
  receipt integer not null check (receipt > 0),
  item_id bigint not null,
  date date not null,
  amount numeric(18, 3) not null check (amount > 0 and amount <= 999999999999999),
  primary key (company_id, purchase_id, receipt, item_id),
  foreign key (company_id, purchase_id) references purchases,
  foreign key (company_id, item_id) references items
);

alter table purchase_receipts enable row level security, force row level security;
create policy own_company on purchase_receipts
  using (company_id = nullif(current_setting('app.company_id', true), '')::bigint);
grant select, insert, update, delete on purchase_receipts to kontor_server;
