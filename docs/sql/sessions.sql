-- sessions.delete
-- parameters: company_id, secret_hash
-- sent by: session/sign_out
delete from sessions
where company_id = :company_id and secret_hash = :secret_hash;

-- sessions.delete_old
-- parameters: company_id, now
-- sent by: invitations/accept, session/sign_in, session/sign_up
delete from sessions
where company_id = :company_id and expires_at < :now;

-- sessions.end_all
-- parameters: company_id, user_id
-- sent by: kontor user end, users/delete
delete from sessions
where company_id = :company_id and user_id = :user_id;

-- sessions.end_others
-- parameters: company_id, user_id, kept_secret_hash
-- sent by: kontor user password, session/change_password
delete from sessions
where company_id = :company_id and user_id = :user_id and secret_hash <> :kept_secret_hash;

-- sessions.find
-- parameters: company_id, stale_before, secret_hash, now
-- sent by: every request to the app API
select s.user_id,
  u.role,
  s.seen_at < :stale_before::timestamptz as is_stale,
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
where s.company_id = :company_id and s.secret_hash = :secret_hash and s.expires_at > :now::timestamptz;

-- sessions.insert
-- parameters: company_id, secret_hash, now, expires_at, user_id, password_hash
-- sent by: invitations/accept, session/sign_in, session/sign_up
insert into sessions (company_id, secret_hash, user_id, created_at, seen_at, expires_at)
select company_id, :secret_hash::bytea, id, :now::timestamptz, :now::timestamptz, :expires_at::timestamptz
from users
where company_id = :company_id
  and id = :user_id
  and deleted_at is null
  and (:password_hash::text is null or password_hash = :password_hash::text)
returning user_id;

-- sessions.keep
-- parameters: company_id, seen_at, expires_at, secret_hash
-- sent by: every request to the app API, at most once in ten minutes
update sessions
set seen_at = :seen_at, expires_at = :expires_at
where company_id = :company_id and secret_hash = :secret_hash;
