-- authenticators.confirm
-- parameters: company_id, at, step, user_id, secret
-- sent by: second_factors/confirm_authenticator
update authenticators
set confirmed_at = :at, last_step = :step
where company_id = :company_id and user_id = :user_id and secret = :secret and confirmed_at is null;

-- authenticators.delete
-- parameters: company_id, user_id
-- sent by: kontor user reset-second-factors, second_factors/delete_authenticator, users/reset_second_factors
delete from authenticators
where company_id = :company_id and user_id = :user_id;

-- authenticators.find
-- parameters: company_id, user_id
-- sent by: second_factors/add_authenticator, second_factors/confirm_authenticator, second_factors/delete_authenticator, session/confirm, session/second_factor
select u.email,
  (select c.name from companies c where c.company_id = :company_id) as company,
  a.secret,
  a.confirmed_at is not null as is_confirmed
from users u
left join authenticators a on a.company_id = :company_id and a.user_id = u.id
where u.company_id = :company_id and u.id = :user_id;

-- authenticators.insert
-- parameters: company_id, user_id, secret, at
-- sent by: second_factors/add_authenticator
insert into authenticators (company_id, user_id, secret, created_at)
values (:company_id, :user_id, :secret, :at)
on conflict (company_id, user_id) do update
set secret = excluded.secret, created_at = excluded.created_at
where authenticators.confirmed_at is null;

-- authenticators.use_step
-- parameters: company_id, step, user_id, secret
-- sent by: session/confirm, session/second_factor
update authenticators
set last_step = :step
where company_id = :company_id
  and user_id = :user_id
  and secret = :secret
  and confirmed_at is not null
  and last_step < :step
returning user_id;
