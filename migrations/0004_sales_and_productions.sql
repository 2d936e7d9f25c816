-- Sales with their lines and shipments, and productions, which a sale may order.

create table sales (
  company_id bigint not null,
  id bigint not null check (id > 0),
  num text not null,
  num_key text not null collate "C",
  status smallint not null check (status between 0 and 4),
  payment smallint not null default 0 check (payment between 0 and 2),
  date_placed date not null,
  date_shipped date,
  -- The day the goods are deducted on, while they are; it outlives a cleared date_shipped.
  date_deducted date,
  subtotal numeric(18, 2) not null check (subtotal between -9999999999999999 and 9999999999999999),
  delivery_price numeric(14, 2) not null check (delivery_price between 0 and 999999999999.99),
  discount numeric(14, 2) not null check (discount between 0 and 999999999999.99),
  total numeric(18, 2) not null check (total = subtotal + delivery_price - discount),
  cost numeric(30, 2) not null check (cost between -1e27 and 1e27),
  amount numeric(18, 3) check (amount > 0 and amount <= 999999999999999),
  lines integer not null check (lines between 1 and 5000),
  production boolean not null default false,
  source text not null,
  notes text not null default '',
  products_storage_id bigint not null,
  materials_storage_id bigint not null,
  customer_id bigint not null,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  -- Days counted backwards, so that the order of the list is ascending in every column and one index serves it.
  listed integer not null generated always as (date '9999-12-31' - date_placed) stored,
  primary key (company_id, id),
  foreign key (company_id, products_storage_id) references storages,
  foreign key (company_id, materials_storage_id) references storages,
  foreign key (company_id, customer_id) references customers
);
create index sales_listed on sales (company_id, listed, num_key, id);
create index sales_of_customer on sales (company_id, customer_id);

create table sale_lines (
  company_id bigint not null,
  sale_id bigint not null,
  position integer not null check (position between 0 and 4999),
  item_id bigint not null,
  amount numeric(12, 3) not null check (amount > 0 and amount <= 999999999.999),
  total numeric(14, 2) not null check (total between -999999999999.99 and 999999999999.99),
  cost numeric(30, 2) not null check (cost between -1e27 and 1e27),
  primary key (company_id, sale_id, position),
  foreign key (company_id, sale_id) references sales,
  foreign key (company_id, item_id) references items
);

-- What has left of a partly shipped sale, by item.
create table sale_shipments (
  company_id bigint not null,
  sale_id bigint not null,
  shipment integer not null check (shipment > 0),
  item_id bigint not null,
  date date not null,
  amount numeric(18, 3) not null check (amount > 0 and amount <= 999999999999999),
  primary key (company_id, sale_id, shipment, item_id),
  foreign key (company_id, sale_id) references sales,
  foreign key (company_id, item_id) references items
);

create table productions (
  company_id bigint not null,
  id bigint not null check (id > 0),
  num text not null,
  num_key text not null collate "C",
  status smallint not null check (status in (0, 1, 3, 4)),
  sale_id bigint,
  date_placed date not null,
  date_planned date,
  date_done date,
  products_storage_id bigint not null,
  materials_storage_id bigint not null,
  source text not null,
  notes text not null default '',
  created_at timestamptz not null,
  updated_at timestamptz not null,
  listed integer not null generated always as (date '9999-12-31' - date_placed) stored,
  primary key (company_id, id),
  foreign key (company_id, sale_id) references sales,
  foreign key (company_id, products_storage_id) references storages,
  foreign key (company_id, materials_storage_id) references storages
);
create unique index productions_of_sale on productions (company_id, sale_id) where sale_id is not null;
create index productions_listed on productions (company_id, listed, num_key, id);

create table production_lines (
  company_id bigint not null,
  production_id bigint not null,
  position integer not null check (position between 0 and 4999),
  item_id bigint not null,
  amount numeric(12, 3) not null check (amount > 0 and amount <= 999999999.999),
  primary key (company_id, production_id, position),
  foreign key (company_id, production_id) references productions,
  foreign key (company_id, item_id) references items
);
