-- sessions.confirm
-- parameters: company_id, now, secret_hash
-- sent by: session/confirm, session/passkey_confirm
update sessions
set authenticated_at = :now
where company_id = :company_id and secret_hash = :secret_hash;

-- sessions.delete
-- parameters: company_id, secret_hash
-- sent by: session/sign_out
delete from sessions
where company_id = :company_id and secret_hash = :secret_hash;

-- sessions.delete_old
-- parameters: company_id, now
-- sent by: invitations/accept, session/confirm_sign_up, session/open_test_company, session/passkey_sign_in, session/second_factor, session/sign_in, session/sign_up, session/single_sign_on
delete from sessions
where company_id = :company_id and expires_at < :now;

-- sessions.end_all
-- parameters: company_id, user_id
-- sent by: kontor user end, session/reset_password, users/delete, users/end_sessions
delete from sessions
where company_id = :company_id and user_id = :user_id;

-- sessions.end_freshness
-- parameters: company_id, user_id, kept_secret_hash
-- sent by: passkeys/add, second_factors/confirm_authenticator
update sessions
set authenticated_at = '-infinity'
where company_id = :company_id and user_id = :user_id and secret_hash <> :kept_secret_hash;

-- sessions.end_others
-- parameters: company_id, user_id, kept_secret_hash
-- sent by: kontor user password, session/change_password, sessions/end_others
delete from sessions
where company_id = :company_id and user_id = :user_id and secret_hash <> :kept_secret_hash;

-- sessions.end_own
-- parameters: company_id, user_id, session_id, secret_hash
-- sent by: sessions/end
delete from sessions s
where s.company_id = :company_id
  and s.user_id = :user_id
  and left(encode(s.secret_hash, 'hex'), 16) = :session_id
returning s.secret_hash = :secret_hash as is_current;

-- sessions.end_surplus
-- parameters: company_id, user_id
-- sent by: invitations/accept, session/confirm_sign_up, session/open_test_company, session/passkey_sign_in, session/second_factor, session/sign_in, session/sign_up, session/single_sign_on
delete from sessions
where company_id = :company_id
  and user_id = :user_id
  and secret_hash not in (
    select s.secret_hash
    from sessions s
    where s.company_id = :company_id and s.user_id = :user_id
    order by s.seen_at desc, s.created_at desc
    limit 20
  );

-- sessions.find
-- parameters: company_id, stale_before, fresh_after, secret_hash, now
-- sent by: every request to the app API
select s.user_id,
  u.role,
  s.seen_at < :stale_before::timestamptz as is_stale,
  c.test_of is not null as is_test,
  c.test_of is not null or coalesce(s.authenticated_at, s.created_at) > :fresh_after::timestamptz as is_fresh,
  (
    exists (
      select
      from authenticators f
      where f.company_id = :company_id and f.user_id = s.user_id and f.confirmed_at is not null
    )
      or exists (select from passkeys f where f.company_id = :company_id and f.user_id = s.user_id)
  ) as has_second_factor,
  c.requires_second_factor
    and not (
      exists (
        select
        from authenticators f
        where f.company_id = :company_id and f.user_id = s.user_id and f.confirmed_at is not null
      )
        or exists (select from passkeys f where f.company_id = :company_id and f.user_id = s.user_id)
    ) as must_set_up,
  c.timezone,
  c.default_sale_status,
  c.materials_in_sales,
  c.products_storage_id,
  c.materials_storage_id,
  c.default_fulfillment,
  c.show_payment_status,
  c.daily_limit
from sessions s
join users u on u.company_id = :company_id and u.id = s.user_id and u.deleted_at is null
join companies c on c.company_id = :company_id
where s.company_id = :company_id
  and s.secret_hash = :secret_hash
  and (s.expires_at > :now::timestamptz and s.created_at > :now::timestamptz - interval '90 days')
  and (c.test_of is null or s.created_at > :now::timestamptz - interval '8 hours');

-- sessions.find_company
-- parameters: company_id, secret_hash, now
-- sent by: invitations/accept, session/get_companies, session/open_test_company, session/sign_in, session/sign_out, session/sign_up, session/switch_company
select s.user_id, u.email, c.name as company, c.test_of is not null as is_test
from sessions s
join users u on u.company_id = :company_id and u.id = s.user_id and u.deleted_at is null
join companies c on c.company_id = :company_id
where s.company_id = :company_id
  and s.secret_hash = :secret_hash
  and (s.expires_at > :now::timestamptz and s.created_at > :now::timestamptz - interval '90 days')
  and (c.test_of is null or s.created_at > :now::timestamptz - interval '8 hours');

-- sessions.insert
-- parameters: company_id, secret_hash, now, expires_at, authenticated_at, address, browser, system, user_id, password_hash, has_second_factor
-- sent by: invitations/accept, session/confirm_sign_up, session/open_test_company, session/passkey_sign_in, session/second_factor, session/sign_in, session/sign_up, session/single_sign_on
insert into sessions as added (
  company_id,
    secret_hash,
    user_id,
    created_at,
    seen_at,
    expires_at,
    authenticated_at,
    address,
    browser,
    system
)
select company_id,
  :secret_hash::bytea,
  id,
  :now::timestamptz,
  :now::timestamptz,
  :expires_at::timestamptz,
  :authenticated_at::timestamptz,
  :address::text,
  :browser::text,
  :system::text
from users
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
  )
returning user_id;

-- sessions.keep
-- parameters: company_id, seen_at, expires_at, secret_hash
-- sent by: every request to the app API, at most once in ten minutes
update sessions
set seen_at = :seen_at, expires_at = :expires_at
where company_id = :company_id and secret_hash = :secret_hash;

-- sessions.list
-- parameters: company_id, secret_hash, user_id, now
-- sent by: sessions/get_list
select coalesce(string_agg(x.json, ',' order by x.is_current desc, x.seen_at desc, x.secret_hash), '') as rows
from (
  select concat(
    '{"id":',
      to_json(left(encode(s.secret_hash, 'hex'), 16)),
      ',"created_at":',
      to_char(s.created_at at time zone 'UTC', '"\""YYYY-MM-DD"T"HH24:MI:SS.US"Z\""'),
      ',"seen_at":',
      to_char(s.seen_at at time zone 'UTC', '"\""YYYY-MM-DD"T"HH24:MI:SS.US"Z\""'),
      ',"address":',
      coalesce(to_json(s.address)::text, 'null'),
      ',"browser":',
      coalesce(to_json(s.browser)::text, 'null'),
      ',"system":',
      coalesce(to_json(s.system)::text, 'null'),
      ',"is_current":',
      (s.secret_hash = :secret_hash)::text,
      '}'
  ) as json,
    s.secret_hash = :secret_hash as is_current,
    s.seen_at,
    s.secret_hash
  from sessions s
  where s.company_id = :company_id
    and s.user_id = :user_id
    and (s.expires_at > :now::timestamptz and s.created_at > :now::timestamptz - interval '90 days')
) x;
