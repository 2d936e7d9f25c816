-- Whether the cost of a sale is known, so that lists and sums do not read an unknown cost as zero. The backfill known_costs_of_sales fills it in.
alter table sales add column cost_known boolean;
comment on column sales.cost_known is 'Whether every line has a cost; false without lines. Null in rows that were written before this column existed.';
