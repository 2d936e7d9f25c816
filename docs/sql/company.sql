-- company.find
-- parameters: company_id
-- sent by: company/get
select json_build_object(
  'id', c.company_id, 'name', c.name, 'currency', c.currency, 'timezone', c.timezone
) as company
from companies c
where c.company_id = :company_id;
