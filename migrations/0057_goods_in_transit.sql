-- Goods in transit are shown with the levels of their destination.
create index concurrently transfers_in_transit on transfers (company_id, id) where status = 1;
comment on index transfers_in_transit is 'Goods in transit: stock levels, the value of stock, expected goods, deletion of items.';
