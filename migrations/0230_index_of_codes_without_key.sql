-- Codes of an older version, which have no key yet. Without it PostgreSQL may read all codes of a company for each one, while it knows little about a new table.
create index concurrently item_codes_without_key on item_codes (company_id, space, code) where code_key is null;
comment on index item_codes_without_key is 'Codes that an older version wrote; usually none.';
