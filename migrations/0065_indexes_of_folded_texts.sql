-- Items by SKU, customers and suppliers by name. Rows without a folded text are found by the exact one, with the indexes that exist.
create index concurrently item_codes_by_key on item_codes (company_id, space, code_key) where code_key is not null;
create index concurrently customers_by_folded_name on customers (company_id, folded_name, id) where deleted_at is null;
create index concurrently suppliers_by_folded_name on suppliers (company_id, folded_name, id) where deleted_at is null;
comment on index item_codes_by_key is 'Items by SKU or barcode, whatever its case.';
comment on index customers_by_folded_name is 'The oldest customer of a name, whatever its case.';
comment on index suppliers_by_folded_name is 'The oldest supplier of a name, whatever its case.';
