-- examples.facts
-- parameters: company_id
-- sent by: kontor company create
select count(*) as items
from items
where company_id = :company_id;
