-- The constraints that 0032 added: existing rows are checked while the service reads and writes.
alter table sales validate constraint sales_figures_check;
alter table sale_lines validate constraint sale_lines_figures_check;
alter table stock_movements validate constraint stock_movements_figures_check;
alter table stock_levels validate constraint stock_levels_figures_check;
alter table item_costs validate constraint item_costs_figures_check;
