-- request_log_gaps.insert
-- parameters: company_id, first_at, first_request_id, last_at, requests, reason
-- sent by: a timer of the server, after requests could not be logged
insert into request_log_gaps (company_id, first_at, first_request_id, last_at, requests, reason)
values (:company_id, :first_at, :first_request_id, :last_at, :requests, :reason)
on conflict do nothing;
