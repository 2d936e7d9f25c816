-- The example data of a company, which can be removed again.
alter table companies
  add column example_from_seq bigint check (example_from_seq > 0),
  add column example_to_seq bigint check (example_to_seq > 0);
comment on column companies.example_from_seq is 'The number of the event that began to add the example data. Null: there is none.';
comment on column companies.example_to_seq is 'The number of the event that ended it. Null: it is still being added, or there is none.';
