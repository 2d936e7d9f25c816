-- second_factors.facts
-- parameters: company_id, user_id
-- sent by: second_factors/renew_recovery_codes
select (
  exists (
    select
    from authenticators f
    where f.company_id = :company_id and f.user_id = :user_id::bigint and f.confirmed_at is not null
  )
    or exists (select from passkeys f where f.company_id = :company_id and f.user_id = :user_id::bigint)
) as has_second_factor
from company_clock k
where k.company_id = :company_id;

-- second_factors.get
-- parameters: company_id, user_id
-- sent by: second_factors/get
select json_build_object(
  'authenticator_since',
    (
      select coalesce(
        to_char(a.confirmed_at at time zone 'UTC', '"\""YYYY-MM-DD"T"HH24:MI:SS.US"Z\""'), 'null'
      )
      from authenticators a
      where a.company_id = :company_id and a.user_id = :user_id
    )::json,
    'recovery_codes',
    (select count(*) from recovery_codes r where r.company_id = :company_id and r.user_id = :user_id),
    'passkeys',
    coalesce(
      (
        select '[' || string_agg(
          concat(
            '{"passkey":',
              to_json(translate(encode(p.credential_id, 'base64'), E'+/=\n', '-_')),
              ',"name":',
              to_json(p.name),
              ',"created_at":',
              to_char(p.created_at at time zone 'UTC', '"\""YYYY-MM-DD"T"HH24:MI:SS.US"Z\""'),
              ',"last_used_at":',
              coalesce(
                to_char(p.last_used_at at time zone 'UTC', '"\""YYYY-MM-DD"T"HH24:MI:SS.US"Z\""'), 'null'
              ),
              '}'
          ),
            ',' order by p.created_at,
            p.credential_id
        )
          || ']'
        from passkeys p
        where p.company_id = :company_id and p.user_id = :user_id
      ),
        '[]'
    )::json
) as factors
from company_clock k
where k.company_id = :company_id;

-- second_factors.reset_facts
-- parameters: company_id, user_id
-- sent by: kontor user reset-second-factors, users/reset_second_factors
select exists (
  select
  from users u
  where u.company_id = :company_id and u.id = :user_id and u.deleted_at is null
) as user_exists,
  (
    exists (
      select
      from authenticators f
      where f.company_id = :company_id and f.user_id = :user_id::bigint and f.confirmed_at is not null
    )
      or exists (select from passkeys f where f.company_id = :company_id and f.user_id = :user_id::bigint)
  ) as has_second_factor
from company_clock k
where k.company_id = :company_id;
