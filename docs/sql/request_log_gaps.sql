-- request_log_gaps.insert
-- parameters: company_id, first_at, first_request_id, last_at, requests, reason
-- sent by: a timer of the server, after requests could not be logged
insert into request_log_gaps (company_id, first_at, first_request_id, last_at, requests, reason)
select c.company_id,
  :first_at::timestamptz,
  :first_request_id::text,
  :last_at::timestamptz,
  :requests::integer,
  :reason::text
from companies c
where c.company_id = :company_id
on conflict do nothing;
