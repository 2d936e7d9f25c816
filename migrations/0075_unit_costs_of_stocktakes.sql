-- What a surplus of a stocktake is worth.
alter table audit_lines
  add column unit_cost numeric(18,6),
  add column cost_source text,
  add constraint audit_lines_unit_cost_check check (unit_cost between 0 and 999999999999.999999) not valid,
  add constraint audit_lines_cost_source_check check (cost_source in ('given', 'average', 'price', 'components', 'none')) not valid;
comment on column audit_lines.unit_cost is 'Cost of one unit of a surplus, as it was entered. Null: none was.';
comment on column audit_lines.cost_source is 'What the difference is valued at: the unit cost of the line, the average cost, the purchase price, the planned cost by components, or nothing that is known. Null in lines of older servers.';
