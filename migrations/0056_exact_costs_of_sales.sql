-- Costs of sale lines before rounding, so that the cost of a sale is rounded once.

alter table sale_lines
  add column exact_cost numeric(36, 6),
  add constraint sale_lines_exact_cost_check check (exact_cost between -1000000000000000000000000000000 and 1000000000000000000000000000000) not valid;
comment on column sale_lines.exact_cost is 'Cost with all its decimals. Null in rows that were written before this column existed.';
