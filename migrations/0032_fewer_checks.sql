-- PostgreSQL reads every check constraint of a table from its stored text at each execution of a write: the tables of a sale had 29, a tenth
-- of its cost. Upper and lower limits follow from the precision of the column types. One constraint per table keeps NaN out, which every type
-- numeric accepts, and holds the signs. `X < 'NaN'` is true for every number, and a sum with NaN is NaN.
-- The new constraints are validated by 0034, with a lock that does not stop the service; until then they apply to new rows.
alter table sales
  drop constraint if exists sales_amount_check,
  drop constraint if exists sales_cost_check,
  drop constraint if exists sales_delivery_price_check,
  drop constraint if exists sales_discount_check,
  drop constraint if exists sales_id_check,
  drop constraint if exists sales_lines_check,
  drop constraint if exists sales_subtotal_check,
  add constraint sales_figures_check check (
    delivery_price >= 0 and discount >= 0 and subtotal + delivery_price + discount + cost + coalesce(amount, 0) < 'NaN') not valid;

alter table sale_lines
  drop constraint if exists sale_lines_amount_check,
  drop constraint if exists sale_lines_cost_check,
  drop constraint if exists sale_lines_position_check,
  drop constraint if exists sale_lines_total_check,
  add constraint sale_lines_figures_check check (amount > 0 and amount + total + cost < 'NaN') not valid;

alter table stock_movements
  drop constraint if exists stock_movements_id_check,
  drop constraint if exists stock_movements_on_hand_check,
  drop constraint if exists stock_movements_reserved_check,
  drop constraint if exists stock_movements_value_check,
  add constraint stock_movements_figures_check check (on_hand + reserved + value < 'NaN') not valid;

alter table stock_levels
  drop constraint if exists stock_levels_on_hand_check,
  drop constraint if exists stock_levels_reserved_check,
  add constraint stock_levels_figures_check check (on_hand + reserved < 'NaN') not valid;

alter table item_costs
  drop constraint if exists item_costs_average_check,
  drop constraint if exists item_costs_on_hand_check,
  drop constraint if exists item_costs_value_check,
  add constraint item_costs_figures_check check (average >= 0 and on_hand + value + average < 'NaN') not valid;

-- Counters that only their own increment changes.
alter table company_clock drop constraint if exists company_clock_seq_check;
alter table events drop constraint if exists events_seq_check;
alter table quotas drop constraint if exists quotas_used_check;
