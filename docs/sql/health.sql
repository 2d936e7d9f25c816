-- health.probe
-- parameters: company_id
-- sent by: the readiness check
select count(*)
from companies
where company_id = :company_id;
