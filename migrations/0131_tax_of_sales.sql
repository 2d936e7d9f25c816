-- The tax of a sale: the rates of its items, copied when it was made, and the sums that follow from them.
alter table sales add column tax jsonb;
comment on column sales.tax is 'Whether prices include it, why none is charged, and its sums by rate, with the items that have each rate. Null in sales of a company without tax rates, and of older servers.';
