-- test_companies.find_copy
-- parameters: company_id, test_of, user_id, email
-- sent by: session/open_test_company
select u.id
from users u
join companies c on c.company_id = :company_id and c.test_of = :test_of
where u.company_id = :company_id
  and u.id = :user_id
  and u.email = :email
  and u.role = 'owner'
  and u.deleted_at is null;

-- test_companies.find_user
-- parameters: company_id, user_id
-- sent by: session/open_test_company
select (
  select t.test_company_id::float8
  from test_companies t
  where t.company_id = :company_id
) as test_company_id,
  u.email
from users u
where u.company_id = :company_id and u.id = :user_id;

-- test_companies.request
-- parameters: company_id, at
-- sent by: test_company/make
insert into test_companies (company_id, requested_at)
values (:company_id, :at)
on conflict (company_id) do update
set requested_at = excluded.requested_at;

-- test_companies.state
-- parameters: company_id
-- sent by: test_company/get, test_company/make
select c.test_of is not null as is_test,
  to_char(t.made_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"') as made_at,
  t.took_ms,
  to_char(t.requested_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"') as requested_at,
  to_char(t.failed_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"') as failed_at,
  k.written_bytes::float8 as written_bytes
from companies c
join company_clock k on k.company_id = :company_id
left join test_companies t on t.company_id = :company_id
where c.company_id = :company_id;
