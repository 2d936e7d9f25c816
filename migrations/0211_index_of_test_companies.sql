-- The copies of a company.
create index concurrently companies_test_of on companies (test_of) where test_of is not null;
comment on index companies_test_of is 'Finds the copies of a company, when it is deleted or copied again.';
