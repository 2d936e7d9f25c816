-- Indexes for the next number of a sale and the search for a number, so that neither reads all sales of a company: the natural-order key of
-- every sale, and of those entered in the screens, whose numbers are continued; and the latest of the latter.
create index sales_by_number on sales (company_id, num_key);
create index sales_by_hand_number on sales (company_id, num_key) where source = 'manual';
create index sales_by_hand on sales (company_id, id) where source = 'manual';
