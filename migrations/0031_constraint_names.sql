-- Chosen names for the check constraints over several columns, which PostgreSQL had numbered. Citus does not rename constraints of distributed tables:
-- there they keep their old names. Nothing refers to them by name.
do $$
declare
  renamed record;
begin
  for renamed in
    select * from (values
      ('sales', 'sales_check', 'sales_total_is_sum'),
      ('purchases', 'purchases_check', 'purchases_total_is_sum'),
      ('productions', 'productions_check', 'productions_one_sale'),
      ('transfers', 'transfers_check', 'transfers_two_storages'),
      ('stock_movements', 'stock_movements_check', 'stock_movements_revaluation_without_quantity'),
      ('stock_movements', 'stock_movements_check1', 'stock_movements_value_with_quantity')
    ) as x (of_table, old_name, new_name)
  loop
    begin
      execute format('alter table %I rename constraint %I to %I', renamed.of_table, renamed.old_name, renamed.new_name);
    exception when feature_not_supported then
      null;
    end;
  end loop;
end $$;
