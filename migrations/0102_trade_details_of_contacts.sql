-- What documents need to know of a customer or supplier, in addition to the addresses: address_real is where goods are delivered, address_legal is billed.
alter table customers
  add column country text not null default '',
  add column vat_number text not null default '',
  add column payment_days int,
  add constraint customers_payment_days_check check (payment_days between 0 and 3650) not valid;
alter table suppliers
  add column country text not null default '',
  add column vat_number text not null default '',
  add column payment_days int,
  add constraint suppliers_payment_days_check check (payment_days between 0 and 3650) not valid;
comment on column customers.country is 'Two letters by ISO 3166-1, or empty.';
comment on column customers.payment_days is 'Days until an invoice is due. Null: nothing was agreed.';
comment on column suppliers.country is 'Two letters by ISO 3166-1, or empty.';
comment on column suppliers.payment_days is 'Days until an invoice is due. Null: nothing was agreed.';
comment on column customers.address_real is 'Delivery address.';
comment on column customers.address_legal is 'Legal address, which is also the billing address.';
comment on column suppliers.address_real is 'Address that goods come from.';
comment on column suppliers.address_legal is 'Legal address, which is also the billing address.';
