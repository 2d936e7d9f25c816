-- updated_after of lists: the records that were changed last are found without reading the others.
create index concurrently purchases_by_change on purchases (company_id, updated_at);
create index concurrently productions_by_change on productions (company_id, updated_at);
create index concurrently writeoffs_by_change on writeoffs (company_id, updated_at);
create index concurrently transfers_by_change on transfers (company_id, updated_at);
create index concurrently audits_by_change on audits (company_id, updated_at);
create index concurrently customers_by_change on customers (company_id, updated_at) where deleted_at is null;
create index concurrently suppliers_by_change on suppliers (company_id, updated_at) where deleted_at is null;
create index concurrently items_by_change on items (company_id, kind, updated_at) where deleted_at is null;
comment on index purchases_by_change is 'purchases/get_list with updated_after.';
comment on index productions_by_change is 'productions/get_list with updated_after.';
comment on index writeoffs_by_change is 'writeoffs/get_list with updated_after.';
comment on index transfers_by_change is 'transfers/get_list with updated_after.';
comment on index audits_by_change is 'audits/get_list with updated_after.';
comment on index customers_by_change is 'customers/get_list with updated_after.';
comment on index suppliers_by_change is 'suppliers/get_list with updated_after.';
comment on index items_by_change is 'products/get_list, materials/get_list and resources/get_list with updated_after.';
