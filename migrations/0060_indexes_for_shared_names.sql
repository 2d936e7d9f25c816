-- The oldest customer or supplier of a name is found without reading the others.
create index concurrently customers_of_name on customers (company_id, name, id) where deleted_at is null;
create index concurrently suppliers_of_name on suppliers (company_id, name, id) where deleted_at is null;
comment on index customers_of_name is 'The oldest customer of a name, which a sale names.';
comment on index suppliers_of_name is 'The oldest supplier of a name, which a purchase names.';
