-- Numbers of documents: a number that a document has is left out by the sequence.
create index concurrently purchases_by_number on purchases (company_id, num);
create index concurrently productions_by_number on productions (company_id, num);
create index concurrently writeoffs_by_number on writeoffs (company_id, num);
create index concurrently transfers_by_number on transfers (company_id, num);
create index concurrently audits_by_number on audits (company_id, num);
comment on index purchases_by_number is 'Whether a number of the sequence is taken.';
comment on index productions_by_number is 'Whether a number of the sequence is taken.';
comment on index writeoffs_by_number is 'Whether a number of the sequence is taken.';
comment on index transfers_by_number is 'Whether a number of the sequence is taken.';
comment on index audits_by_number is 'Whether a number of the sequence is taken.';
