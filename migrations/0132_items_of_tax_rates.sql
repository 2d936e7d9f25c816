-- Without it, the list of tax rates and the check of a deleted one read all items of the company. Items without a rate of their own are not in it.
create index concurrently items_by_tax_rate on items (company_id, tax_rate_id) where tax_rate_id is not null;
comment on index items_by_tax_rate is 'Whether an item has a tax rate.';
