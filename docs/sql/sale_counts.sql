-- sale_counts.count
-- parameters: company_id, day, status, payment
-- sent by: example_data/add, orders/add, orders/edit, orders/ship, orders/ship_part, orders/undo_shipment, orders/update_payment, orders/update_status, quotes/accept, quotes/accept_shared
insert into sale_counts (company_id, listed, status, payment, entries)
values (:company_id, date '9999-12-31' - :day::date, :status, :payment, 1)
on conflict (company_id, listed, status, payment) do update
set entries = sale_counts.entries + 1;

-- sale_counts.uncount
-- parameters: company_id, day, status, payment
-- sent by: example_data/add, example_data/delete, orders/delete, orders/edit, orders/ship, orders/ship_part, orders/undo_shipment, orders/update_payment, orders/update_status
update sale_counts
set entries = greatest(entries - 1, 0)
where company_id = :company_id
  and listed = date '9999-12-31' - :day::date
  and status = :status
  and payment = :payment;
