-- Components that are products are taken from the products storage location. Productions finished before this migration took everything from the
-- materials storage location, and are edited and undone in the same way: they have the value false.
alter table productions add column components_by_kind boolean not null default false;

-- The canceled sale that the goods were made for: when the sale is reopened, the production is linked to it again.
alter table productions
  add column former_sale_id bigint,
  add foreign key (company_id, former_sale_id) references sales,
  add check (former_sale_id is null or sale_id is null);
create unique index productions_of_former_sale on productions (company_id, former_sale_id) where former_sale_id is not null;
