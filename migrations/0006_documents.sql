-- The documents beside sales: purchases, productions, write-offs, transfers, audits. All are listed by day and number, all have lines,
-- all act on stock through the ledger.

-- A document that takes goods in one place and brings them in another has two parts (0 takes, 1 brings).
alter table stock_movements add column part smallint not null default 0 check (part in (0, 1));

alter table company_clock
  add column last_purchase_id bigint not null default 0,
  add column last_purchase_number bigint not null default 0,
  add column last_writeoff_id bigint not null default 0,
  add column last_writeoff_number bigint not null default 0,
  add column last_transfer_id bigint not null default 0,
  add column last_transfer_number bigint not null default 0,
  add column last_audit_id bigint not null default 0,
  add column last_audit_number bigint not null default 0;

create table purchases (
  company_id bigint not null,
  id bigint not null check (id > 0),
  num text not null,
  num_key text not null collate "C",
  status smallint not null check (status between 0 and 4),
  payment smallint not null default 0 check (payment between 0 and 2),
  date_placed date not null,
  date_received date,
  date_effective date,
  products_storage_id bigint not null,
  materials_storage_id bigint not null,
  supplier_id bigint not null,
  delivery_price numeric(14, 2) not null check (delivery_price between 0 and 999999999999.99),
  discount numeric(14, 2) not null check (discount between 0 and 999999999999.99),
  subtotal numeric(18, 2) not null check (subtotal between -9999999999999999 and 9999999999999999),
  total numeric(18, 2) not null check (total = subtotal + delivery_price - discount),
  cost numeric(30, 2) not null check (cost between -1e27 and 1e27),
  amount numeric(18, 3) check (amount > 0 and amount <= 999999999999999),
  lines integer not null check (lines between 1 and 5000),
  source text not null,
  notes text not null default '',
  created_at timestamptz not null,
  updated_at timestamptz not null,
  listed integer not null generated always as (date '9999-12-31' - date_placed) stored,
  primary key (company_id, id),
  foreign key (company_id, products_storage_id) references storages,
  foreign key (company_id, materials_storage_id) references storages,
  foreign key (company_id, supplier_id) references suppliers
);
create index purchases_listed on purchases (company_id, listed, num_key, id);
create index purchases_of_supplier on purchases (company_id, supplier_id);

create table purchase_lines (
  company_id bigint not null,
  purchase_id bigint not null,
  position integer not null check (position between 0 and 4999),
  item_id bigint not null,
  amount numeric(12, 3) not null check (amount > 0 and amount <= 999999999.999),
  total numeric(14, 2) not null check (total between -999999999999.99 and 999999999999.99),
  cost numeric(30, 2) not null check (cost between -1e27 and 1e27),
  primary key (company_id, purchase_id, position),
  foreign key (company_id, purchase_id) references purchases,
  foreign key (company_id, item_id) references items
);

-- A production knows what it costs, what it uses, and whether that was told or follows from the components.
alter table productions
  add column date_effective date,
  add column cost numeric(30, 2) not null default 0 check (cost between -1e27 and 1e27),
  add column amount numeric(18, 3) check (amount > 0 and amount <= 999999999999999),
  add column lines integer not null default 0 check (lines between 0 and 5000),
  add column use_told boolean not null default false;
alter table production_lines add column cost numeric(30, 2) not null default 0 check (cost between -1e27 and 1e27);

create table production_uses (
  company_id bigint not null,
  production_id bigint not null,
  position integer not null check (position >= 0),
  -- The product line that it is used for; none when it was told for the whole production.
  line integer check (line between 0 and 4999),
  item_id bigint not null,
  amount numeric(18, 3) not null check (amount > 0 and amount <= 999999999999999),
  cost numeric(30, 2) not null check (cost between -1e27 and 1e27),
  primary key (company_id, production_id, position),
  foreign key (company_id, production_id) references productions,
  foreign key (company_id, item_id) references items
);

create table writeoffs (
  company_id bigint not null,
  id bigint not null check (id > 0),
  num text not null,
  num_key text not null collate "C",
  date date not null,
  products_storage_id bigint not null,
  materials_storage_id bigint not null,
  cost numeric(30, 2) not null check (cost between -1e27 and 1e27),
  amount numeric(18, 3) check (amount > 0 and amount <= 999999999999999),
  lines integer not null check (lines between 1 and 5000),
  source text not null,
  notes text not null default '',
  created_at timestamptz not null,
  updated_at timestamptz not null,
  listed integer not null generated always as (date '9999-12-31' - date) stored,
  primary key (company_id, id),
  foreign key (company_id, products_storage_id) references storages,
  foreign key (company_id, materials_storage_id) references storages
);
create index writeoffs_listed on writeoffs (company_id, listed, num_key, id);

create table writeoff_lines (
  company_id bigint not null,
  writeoff_id bigint not null,
  position integer not null check (position between 0 and 4999),
  item_id bigint not null,
  amount numeric(12, 3) not null check (amount > 0 and amount <= 999999999.999),
  cost numeric(30, 2) not null check (cost between -1e27 and 1e27),
  primary key (company_id, writeoff_id, position),
  foreign key (company_id, writeoff_id) references writeoffs,
  foreign key (company_id, item_id) references items
);

create table transfers (
  company_id bigint not null,
  id bigint not null check (id > 0),
  num text not null,
  num_key text not null collate "C",
  status smallint not null check (status in (0, 1, 3, 4)),
  date date not null,
  date_received date,
  storage_from_id bigint not null,
  storage_to_id bigint not null check (storage_to_id <> storage_from_id),
  cost numeric(30, 2) not null check (cost between -1e27 and 1e27),
  amount numeric(18, 3) check (amount > 0 and amount <= 999999999999999),
  lines integer not null check (lines between 1 and 5000),
  source text not null,
  notes text not null default '',
  created_at timestamptz not null,
  updated_at timestamptz not null,
  listed integer not null generated always as (date '9999-12-31' - date) stored,
  primary key (company_id, id),
  foreign key (company_id, storage_from_id) references storages,
  foreign key (company_id, storage_to_id) references storages
);
create index transfers_listed on transfers (company_id, listed, num_key, id);

create table transfer_lines (
  company_id bigint not null,
  transfer_id bigint not null,
  position integer not null check (position between 0 and 4999),
  item_id bigint not null,
  amount numeric(12, 3) not null check (amount > 0 and amount <= 999999999.999),
  cost numeric(30, 2) not null check (cost between -1e27 and 1e27),
  primary key (company_id, transfer_id, position),
  foreign key (company_id, transfer_id) references transfers,
  foreign key (company_id, item_id) references items
);

create table audits (
  company_id bigint not null,
  id bigint not null check (id > 0),
  num text not null,
  num_key text not null collate "C",
  status smallint not null check (status in (0, 3, 4)),
  date date not null,
  storage_id bigint not null,
  cost numeric(30, 2) not null check (cost between -1e27 and 1e27),
  amount numeric(18, 3) check (amount between 0 and 999999999999999),
  lines integer not null check (lines between 1 and 5000),
  source text not null,
  notes text not null default '',
  created_at timestamptz not null,
  updated_at timestamptz not null,
  listed integer not null generated always as (date '9999-12-31' - date) stored,
  primary key (company_id, id),
  foreign key (company_id, storage_id) references storages
);
create index audits_listed on audits (company_id, listed, num_key, id);

-- What the books said is fixed when a line is counted, so goods may move while a count goes on.
create table audit_lines (
  company_id bigint not null,
  audit_id bigint not null,
  position integer not null check (position between 0 and 4999),
  item_id bigint not null,
  expected numeric(24, 3) not null check (expected between -1e20 and 1e20),
  counted numeric(12, 3) not null check (counted between 0 and 999999999.999),
  counted_at timestamptz not null,
  cost numeric(30, 2) not null check (cost between -1e27 and 1e27),
  primary key (company_id, audit_id, position),
  foreign key (company_id, audit_id) references audits,
  foreign key (company_id, item_id) references items
);

do $$
declare
  tenant text;
begin
  foreach tenant in array array[
    'purchases', 'purchase_lines', 'production_uses', 'writeoffs', 'writeoff_lines', 'transfers', 'transfer_lines', 'audits', 'audit_lines'
  ] loop
    execute format('alter table %I enable row level security, force row level security', tenant);
    execute format(
      'create policy own_company on %I using (company_id = nullif(current_setting(''app.company_id'', true), '''')::bigint)',
      tenant
    );
    execute format('grant select, insert, update, delete on %I to kontor_server', tenant);
  end loop;
end $$;
