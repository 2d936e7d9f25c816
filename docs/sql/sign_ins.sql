-- sign_ins.delete
-- parameters: company_id, user_id
-- sent by: kontor user end, users/delete
delete from sign_ins
where company_id = :company_id and user_id = :user_id;

-- sign_ins.find
-- parameters: email_hash
-- sent by: kontor user end, kontor user password, kontor user reset-second-factors, session/request_reset, session/sign_in
select company_id, user_id
from sign_ins
where email_hash = :email_hash;

-- sign_ins.insert
-- parameters: company_id, email_hash, user_id
-- sent by: invitations/accept, session/confirm_sign_up, session/sign_up
insert into sign_ins (company_id, email_hash, user_id)
values (:company_id, :email_hash, :user_id);
