-- sign_ins.delete
-- parameters: company_id, user_id
-- sent by: kontor user end, users/delete
delete from sign_ins
where company_id = :company_id and user_id = :user_id;

-- sign_ins.find
-- parameters: email_hash
-- sent by: invitations/accept, kontor user end, kontor user password, kontor user reset-second-factors, session/change_password, session/confirm_sign_up, session/request_reset, session/reset_password, session/sign_in, session/sign_up
select s.company_id, s.user_id
from sign_ins s
where s.email_hash = :email_hash
union all
select f.company_id, f.user_id
from further_sign_ins f
where f.email_hash = :email_hash
order by company_id
limit 40;

-- sign_ins.insert
-- parameters: company_id, email_hash, user_id
-- sent by: invitations/accept, session/confirm_sign_up, session/sign_up
insert into sign_ins (company_id, email_hash, user_id)
values (:company_id, :email_hash, :user_id)
on conflict (email_hash) do nothing;
