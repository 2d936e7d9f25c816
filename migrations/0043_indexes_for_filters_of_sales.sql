-- Pages of orders/get_list: filtered by status or payment, and by the time of the last change.
create index concurrently sales_by_status on sales (company_id, status, payment, listed, num_key, id);
create index concurrently sales_by_change on sales (company_id, updated_at);
comment on index sales_by_status is 'Pages of orders/get_list filtered by status or payment.';
comment on index sales_by_change is 'orders/get_list with updated_after.';
