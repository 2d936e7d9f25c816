-- The reference measurement for orders/add: the least that a service must write for a sale of three lines, without constraints other than primary keys,
-- without row level security and without checks. It does not change when the server does. Run by bench/bare.ts in a schema of its own.

create schema lean;

create table lean.quotas (company_id bigint primary key, used bigint not null);
create table lean.clock (company_id bigint primary key, seq bigint not null, last_sale_id bigint not null, last_movement_id bigint not null);
create table lean.items (company_id bigint, id bigint, price numeric not null, average numeric not null, primary key (company_id, id));
create table lean.customers (company_id bigint, id bigint, name text not null, primary key (company_id, id));
create table lean.sales (
  company_id bigint, id bigint, num text not null, status smallint not null, day date not null, customer_id bigint not null, subtotal numeric not null,
  delivery_price numeric not null, discount numeric not null, total numeric not null, cost numeric not null, notes text not null,
  created_at timestamptz not null, primary key (company_id, id)
);
create index on lean.sales (company_id, day desc, num);
create table lean.sale_lines (
  company_id bigint, sale_id bigint, position smallint, item_id bigint not null, amount numeric not null, total numeric not null, cost numeric not null,
  primary key (company_id, sale_id, position)
);
create table lean.movements (
  company_id bigint, id bigint, seq bigint not null, sale_id bigint not null, item_id bigint not null, day date not null, on_hand numeric not null,
  reserved numeric not null, value numeric not null, primary key (company_id, id)
);
create index on lean.movements (company_id, item_id, id);
create table lean.levels (
  company_id bigint, item_id bigint, on_hand numeric not null, reserved numeric not null, primary key (company_id, item_id)
) with (fillfactor = 80);
create table lean.events (company_id bigint, seq bigint, at timestamptz not null, method text not null, change jsonb not null, primary key (company_id, seq));
create table lean.days (company_id bigint, day date, entries bigint not null, primary key (company_id, day));

insert into lean.quotas select company_id, 0 from bench.companies;
insert into lean.clock select company_id, 0, 0, 0 from bench.companies;
insert into lean.items select i.company_id, i.id, i.price, 1 from items i where i.company_id in (select company_id from bench.companies);
insert into lean.customers select u.company_id, u.id, u.name from customers u where u.company_id in (select company_id from bench.companies);
insert into lean.levels select i.company_id, i.id, 1000000, 0 from lean.items i;
insert into lean.days select company_id, current_date, 0 from bench.companies;

-- pgbench runs it with the settings of the server's sessions, their role included.
grant usage on schema lean to kontor_server;
grant select, insert, update on all tables in schema lean to kontor_server;
