-- passkeys.delete
-- parameters: company_id, credential_id, user_id
-- sent by: passkeys/delete
delete from passkeys
where company_id = :company_id and credential_id = :credential_id and user_id = :user_id;

-- passkeys.delete_all
-- parameters: company_id, user_id
-- sent by: kontor user reset-second-factors, users/reset_second_factors
delete from passkeys
where company_id = :company_id and user_id = :user_id;

-- passkeys.facts
-- parameters: company_id, user_id, credential_id
-- sent by: passkeys/add
select (
  exists (
    select
    from authenticators f
    where f.company_id = :company_id and f.user_id = :user_id::bigint and f.confirmed_at is not null
  )
    or exists (select from passkeys f where f.company_id = :company_id and f.user_id = :user_id::bigint)
) as has_second_factor,
  (
    select count(*)::int
    from passkeys p
    where p.company_id = :company_id and p.user_id = :user_id
  ) as passkeys,
  exists (
    select
    from passkeys p
    where p.company_id = :company_id and p.credential_id = :credential_id
  ) as is_taken
from company_clock k
where k.company_id = :company_id;

-- passkeys.find
-- parameters: company_id, credential_id, user_id, rp_id
-- sent by: session/passkey_confirm, session/passkey_sign_in
select p.public_key, p.counter::float8 as counter
from passkeys p
join users u on u.company_id = :company_id and u.id = p.user_id and u.deleted_at is null
where p.company_id = :company_id
  and p.credential_id = :credential_id
  and p.user_id = :user_id
  and p.rp_id = :rp_id;

-- passkeys.find_own
-- parameters: company_id, credential_id, user_id
-- sent by: passkeys/delete, passkeys/edit
select (
  select p.name
  from passkeys p
  where p.company_id = :company_id and p.credential_id = :credential_id and p.user_id = :user_id
) as name
from company_clock k
where k.company_id = :company_id;

-- passkeys.insert
-- parameters: company_id, credential_id, user_id, public_key, counter, rp_id, name, at
-- sent by: passkeys/add
insert into passkeys (company_id, credential_id, user_id, public_key, counter, rp_id, name, created_at)
values (:company_id, :credential_id, :user_id, :public_key, :counter, :rp_id, :name, :at);

-- passkeys.known
-- parameters: company_id, user_id
-- sent by: passkeys/begin
select u.email,
  u.name,
  c.name as company,
  (
    select coalesce(json_agg(encode(p.credential_id, 'base64') order by p.created_at), '[]'::json)
    from passkeys p
    where p.company_id = :company_id and p.user_id = u.id
  ) as credentials
from users u
join companies c on c.company_id = :company_id
where u.company_id = :company_id and u.id = :user_id;

-- passkeys.update
-- parameters: company_id, name, credential_id, user_id
-- sent by: passkeys/edit
update passkeys
set name = :name
where company_id = :company_id and credential_id = :credential_id and user_id = :user_id;

-- passkeys.use
-- parameters: company_id, counter, now, credential_id, user_id
-- sent by: session/passkey_confirm, session/passkey_sign_in
update passkeys
set counter = :counter::bigint, last_used_at = :now
where company_id = :company_id
  and credential_id = :credential_id
  and user_id = :user_id
  and (counter < :counter::bigint or (counter = 0 and :counter::bigint = 0))
returning user_id;
