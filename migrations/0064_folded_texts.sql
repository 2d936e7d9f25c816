-- Names, SKUs and searches compare in Unicode normal form C with full case folding. The service computes the folded texts; a backfill fills in existing rows.

alter table items add column search_key text;
comment on column items.search_key is 'Text that the search reads: name and codes, folded. Null until the backfill has reached the item; then found_by is read.';
alter table item_codes add column code_key text;
comment on column item_codes.code_key is 'The folded code, by which SKUs are found. Null until the backfill has reached the item; then the code is found by its exact text.';
alter table customers add column folded_name text;
comment on column customers.folded_name is 'The folded name, by which the customer is found. Null until the backfill has reached the customer; then it is found by its exact name.';
alter table suppliers add column folded_name text;
comment on column suppliers.folded_name is 'The folded name, by which the supplier is found. Null until the backfill has reached the supplier; then it is found by its exact name.';
