-- What is bought, made and sold, where it is kept, and with whom it is traded.
-- Names and codes are ordered by keys computed when they are written (digit runs as numbers), compared byte by byte: an index
-- never depends on the version of a collation library.

create table units (
  company_id bigint not null references companies,
  id bigint not null check (id > 0),
  name text not null,
  full_name text not null default '',
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  primary key (company_id, id)
);

create table storages (
  company_id bigint not null references companies,
  id bigint not null check (id > 0),
  name text not null,
  address text not null default '',
  notes text not null default '',
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  deleted_at timestamptz,
  primary key (company_id, id)
);

-- A company and its first storage locations are made in one transaction, hence deferred.
alter table companies
  add foreign key (company_id, products_storage_id) references storages deferrable initially deferred,
  add foreign key (company_id, materials_storage_id) references storages deferrable initially deferred;

create table categories (
  company_id bigint not null references companies,
  id bigint not null check (id > 0),
  type text not null check (type in ('products', 'materials', 'resources')),
  name text not null,
  parent_id bigint,
  position integer not null default 0,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  primary key (company_id, id),
  foreign key (company_id, parent_id) references categories
);

-- Products, materials and resources share one id space. A deleted item stays for the documents that show it.
create table items (
  company_id bigint not null references companies,
  id bigint not null check (id > 0),
  kind text not null check (kind in ('product', 'material', 'resource')),
  name text not null,
  name_key text not null collate "C",
  sku text not null default '',
  unit_id bigint not null,
  price numeric(14, 2) not null default 0 check (price between 0 and 999999999999.99),
  min_amount numeric(12, 3) not null default 0 check (min_amount between 0 and 999999999.999),
  notes text not null default '',
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  deleted_at timestamptz,
  primary key (company_id, id),
  foreign key (company_id, unit_id) references units
);
create index items_by_name on items (company_id, kind, name_key, id) where deleted_at is null;

-- What an item is found by: its SKU and alternative SKUs (a space of their own for products and for materials) and barcodes
-- (one space for the company). Only living items have codes, so a deleted item's codes are free again.
create table item_codes (
  company_id bigint not null,
  space text not null check (space in ('product', 'material', 'barcode')),
  code text not null,
  item_id bigint not null,
  role text not null check (role in ('sku', 'alternative', 'barcode')),
  position integer not null default 0,
  primary key (company_id, space, code),
  foreign key (company_id, item_id) references items
);
create index item_codes_of_item on item_codes (company_id, item_id, role, position);

create table item_categories (
  company_id bigint not null,
  item_id bigint not null,
  category_id bigint not null,
  primary key (company_id, item_id, category_id),
  foreign key (company_id, item_id) references items,
  foreign key (company_id, category_id) references categories
);
create index item_categories_by_category on item_categories (company_id, category_id, item_id);

create table components (
  company_id bigint not null,
  product_id bigint not null,
  position integer not null check (position >= 0),
  item_id bigint not null,
  amount numeric(18, 6) not null check (amount > 0 and amount <= 999999999),
  primary key (company_id, product_id, position),
  foreign key (company_id, product_id) references items,
  foreign key (company_id, item_id) references items
);
create index components_by_item on components (company_id, item_id);

create table customers (
  company_id bigint not null references companies,
  id bigint not null check (id > 0),
  name text not null,
  name_key text not null collate "C",
  email text not null default '',
  phone text not null default '',
  address_real text not null default '',
  address_legal text not null default '',
  agreement text not null default '',
  manager_name text not null default '',
  manager_post text not null default '',
  notes text not null default '',
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  deleted_at timestamptz,
  primary key (company_id, id)
);
create unique index customers_living_name on customers (company_id, name) where deleted_at is null;
create index customers_by_name on customers (company_id, name_key, id) where deleted_at is null;

create table suppliers (
  company_id bigint not null references companies,
  id bigint not null check (id > 0),
  name text not null,
  name_key text not null collate "C",
  email text not null default '',
  phone text not null default '',
  address_real text not null default '',
  address_legal text not null default '',
  agreement text not null default '',
  manager_name text not null default '',
  manager_post text not null default '',
  notes text not null default '',
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  deleted_at timestamptz,
  primary key (company_id, id)
);
create unique index suppliers_living_name on suppliers (company_id, name) where deleted_at is null;
create index suppliers_by_name on suppliers (company_id, name_key, id) where deleted_at is null;

create table item_suppliers (
  company_id bigint not null,
  item_id bigint not null,
  position integer not null check (position >= 0),
  supplier_id bigint not null,
  sku text not null default '',
  price numeric(14, 2) not null default 0 check (price between 0 and 999999999999.99),
  primary key (company_id, item_id, position),
  foreign key (company_id, item_id) references items,
  foreign key (company_id, supplier_id) references suppliers
);
create index item_suppliers_by_supplier on item_suppliers (company_id, supplier_id);
