-- devices.find
-- parameters: company_id, user_id, secret_hash
-- sent by: invitations/accept, kontor user password, session/change_password, session/passkey_sign_in, session/reset_password, session/sign_in, session/sign_up, session/single_sign_on
select secret_hash
from devices
where company_id = :company_id and user_id = :user_id and secret_hash = :secret_hash;

-- devices.forget
-- parameters: company_id, user_id
-- sent by: kontor user end, kontor user password, session/change_password, session/reset_password, users/delete, users/end_sessions
delete from devices
where company_id = :company_id and user_id = :user_id;

-- devices.forget_old
-- parameters: company_id, user_id
-- sent by: invitations/accept, session/change_password, session/confirm_sign_up, session/passkey_sign_in, session/second_factor, session/sign_in, session/sign_up, session/single_sign_on
delete from devices
where company_id = :company_id
  and user_id = :user_id
  and secret_hash not in (
    select d.secret_hash
    from devices d
    where d.company_id = :company_id and d.user_id = :user_id
    order by d.seen_at desc
    limit 20
  );

-- devices.insert
-- parameters: company_id, secret_hash, user_id, seen_at
-- sent by: invitations/accept, session/change_password, session/confirm_sign_up, session/passkey_sign_in, session/second_factor, session/sign_in, session/sign_up, session/single_sign_on
insert into devices (company_id, secret_hash, user_id, seen_at)
values (:company_id, :secret_hash, :user_id, :seen_at);

-- devices.seen
-- parameters: company_id, seen_at, secret_hash
-- sent by: session/sign_in
update devices
set seen_at = :seen_at
where company_id = :company_id and secret_hash = :secret_hash;
