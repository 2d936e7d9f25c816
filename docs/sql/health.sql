-- health.probe
-- parameters: company_id
select count(*)
from companies
where company_id = :company_id;
