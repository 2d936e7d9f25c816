-- examples.facts
-- parameters: company_id
select count(*) as items
from items
where company_id = :company_id;
