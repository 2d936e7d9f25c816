-- users.delete
-- parameters: company_id, deleted_at, user_id
-- sent by: kontor user end, users/delete
update users
set deleted_at = :deleted_at
where company_id = :company_id and id = :user_id;

-- users.facts
-- parameters: company_id, user_id
-- sent by: kontor user end, users/delete, users/edit, users/end_sessions
select (
  select json_build_object('name', u.name, 'role', u.role)
  from users u
  where u.company_id = :company_id and u.id = :user_id and u.deleted_at is null
) as user,
  (
    select count(*)
    from users o
    where o.company_id = :company_id and o.id <> :user_id and o.role = 'owner' and o.deleted_at is null
  ) as other_owners;

-- users.find_account
-- parameters: company_id, user_id
-- sent by: session/change_password, session/confirm
select u.password_hash, u.name, u.email, c.name as company
from users u
join companies c on c.company_id = :company_id
where u.company_id = :company_id and u.id = :user_id and u.deleted_at is null;

-- users.find_password
-- parameters: company_id, user_id
-- sent by: invitations/accept, kontor user password, session/change_password, session/reset_password, session/sign_in, session/sign_up, session/single_sign_on
select u.password_hash,
  (
    exists (
      select
      from authenticators f
      where f.company_id = :company_id and f.user_id = u.id and f.confirmed_at is not null
    )
      or exists (select from passkeys f where f.company_id = :company_id and f.user_id = u.id)
  ) as has_second_factor,
  extract(epoch from u.last_seen_at)::float8 * 1000 as seen_ms
from users u
where u.company_id = :company_id and u.id = :user_id and u.deleted_at is null;

-- users.find_shortages_daily
-- parameters: company_id, user_id
-- sent by: session/get_mails
select shortages_daily
from users
where company_id = :company_id and id = :user_id;

-- users.insert
-- parameters: company_id, user_id, name, email, role, password_hash, created_at
-- sent by: invitations/accept, session/confirm_sign_up, session/sign_up
insert into users (company_id, id, name, email, role, password_hash, created_at)
values (:company_id, :user_id, :name, :email, :role, :password_hash, :created_at);

-- users.list
-- parameters: company_id
-- sent by: kontor user list, users/get_list
select coalesce(
  (
    select '[' || string_agg(
      concat(
        '{"id":',
          u.id,
          ',"name":',
          to_json(u.name),
          ',"email":',
          to_json(u.email),
          ',"role":',
          to_json(u.role),
          ',"created_at":',
          to_char(u.created_at at time zone 'UTC', '"\""YYYY-MM-DD"T"HH24:MI:SS.US"Z\""'),
          ',"last_seen_at":',
          coalesce(to_char(u.last_seen_at at time zone 'UTC', '"\""YYYY-MM-DD"T"HH24:MI:SS.US"Z\""'), 'null'),
          ',"has_second_factor":',
          (
            (
              exists (
                select
                from authenticators f
                where f.company_id = :company_id and f.user_id = u.id and f.confirmed_at is not null
              )
                or exists (select from passkeys f where f.company_id = :company_id and f.user_id = u.id)
            )
          )::text,
          '}'
      ),
        ',' order by u.id
    )
      || ']'
    from users u
    where u.company_id = :company_id and u.deleted_at is null
  ),
    '[]'
) as users,
  coalesce(
    (
      select '[' || string_agg(
        concat(
          '{"id":',
            i.id,
            ',"email":',
            to_json(i.email),
            ',"role":',
            to_json(i.role),
            ',"created_at":',
            to_char(i.created_at at time zone 'UTC', '"\""YYYY-MM-DD"T"HH24:MI:SS.US"Z\""'),
            ',"expires_at":',
            to_char(i.expires_at at time zone 'UTC', '"\""YYYY-MM-DD"T"HH24:MI:SS.US"Z\""'),
            '}'
        ),
          ',' order by i.id
      )
        || ']'
      from invitations i
      where i.company_id = :company_id and i.expires_at > now()
    ),
      '[]'
  ) as invitations;

-- users.no_facts
-- parameters: company_id
-- sent by: kontor user password, session/change_password
select seq
from company_clock
where company_id = :company_id;

-- users.renew_password_hash
-- parameters: company_id, new_hash, user_id, old_hash
-- sent by: session/sign_in
update users
set password_hash = :new_hash
where company_id = :company_id and id = :user_id and password_hash = :old_hash;

-- users.seen
-- parameters: company_id, last_seen_at, user_id
-- sent by: every request to the app API, at most once in ten minutes
update users
set last_seen_at = :last_seen_at
where company_id = :company_id and id = :user_id;

-- users.set_language
-- parameters: company_id, language, user_id
-- sent by: session/sign_up
update users
set language = :language
where company_id = :company_id and id = :user_id;

-- users.set_shortages_daily
-- parameters: company_id, shortages_daily, user_id
-- sent by: session/edit_mails
update users
set shortages_daily = :shortages_daily
where company_id = :company_id and id = :user_id;

-- users.signed_in
-- parameters: company_id, now, user_id, password_hash, has_second_factor
-- sent by: invitations/accept, session/confirm_sign_up, session/open_test_company, session/passkey_sign_in, session/second_factor, session/sign_in, session/sign_up, session/single_sign_on
update users
set last_seen_at = :now
where company_id = :company_id
  and id = :user_id
  and deleted_at is null
  and (:password_hash::text is null or password_hash = :password_hash::text)
  and (
    :has_second_factor::boolean
      or not (
        exists (
          select
          from authenticators f
          where f.company_id = :company_id and f.user_id = users.id and f.confirmed_at is not null
        )
          or exists (select from passkeys f where f.company_id = :company_id and f.user_id = users.id)
      )
  );

-- users.update
-- parameters: company_id, name, role, user_id
-- sent by: users/edit
update users
set name = :name, role = :role
where company_id = :company_id and id = :user_id;

-- users.update_password
-- parameters: company_id, password_hash, user_id
-- sent by: kontor user password, session/change_password, session/reset_password
update users
set password_hash = :password_hash
where company_id = :company_id and id = :user_id;
