-- pending_sign_ins.delete_old
-- parameters: company_id, now, user_id
-- sent by: session/sign_in
delete from pending_sign_ins
where company_id = :company_id
  and (
    expires_at < :now
      or user_id = :user_id
      and token_hash not in (
        select p.token_hash
        from pending_sign_ins p
        where p.company_id = :company_id and p.user_id = :user_id
        order by p.created_at desc
        limit 20
      )
  );

-- pending_sign_ins.find
-- parameters: company_id, device_hash, token_hash, now
-- sent by: session/second_factor
select p.user_id,
  u.password_hash,
  exists (
    select
    from devices d
    where d.company_id = :company_id and d.user_id = p.user_id and d.secret_hash = :device_hash
  ) as is_known
from pending_sign_ins p
join users u on u.company_id = :company_id
  and u.id = p.user_id
  and u.deleted_at is null
  and sha256(convert_to(u.password_hash, 'UTF8')) = p.password_digest
where p.company_id = :company_id and p.token_hash = :token_hash and p.expires_at > :now::timestamptz;

-- pending_sign_ins.forget
-- parameters: company_id, user_id
-- sent by: kontor user end, kontor user reset-second-factors, users/end_sessions, users/reset_second_factors
delete from pending_sign_ins
where company_id = :company_id and user_id = :user_id;

-- pending_sign_ins.insert
-- parameters: company_id, token_hash, now, expires_at, user_id, password_hash
-- sent by: session/sign_in
insert into pending_sign_ins as added (
  company_id, token_hash, user_id, password_digest, created_at, expires_at
)
select company_id,
  :token_hash::bytea,
  id,
  sha256(convert_to(password_hash, 'UTF8')),
  :now::timestamptz,
  :expires_at::timestamptz
from users
where company_id = :company_id
  and id = :user_id
  and deleted_at is null
  and password_hash = :password_hash::text
returning user_id;

-- pending_sign_ins.take
-- parameters: company_id, token_hash
-- sent by: session/second_factor
delete from pending_sign_ins
where company_id = :company_id and token_hash = :token_hash
returning user_id;
