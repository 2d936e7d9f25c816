-- Without the id these two were the smallest indexes of their tables, so whatever reads all sales of a company (the screens' sums and counts)
-- walked them and found the rows in the order of the customers: 100,000 sales in 93 ms, by the primary key in 46 ms.
drop index sales_of_customer;
create index sales_of_customer on sales (company_id, customer_id, id);
drop index purchases_of_supplier;
create index purchases_of_supplier on purchases (company_id, supplier_id, id);
