-- The numbers of sales entered in the screens, as chosen by the company.
alter table companies
  add column first_sale_number text not null default '',
  add column first_sale_number_key text collate "C" not null default '';
comment on column companies.first_sale_number is 'The first number of the series that the screens propose for sales; empty: they continue the latest series.';
comment on column companies.first_sale_number_key is 'The natural key of first_sale_number.';
