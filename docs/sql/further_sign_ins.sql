-- further_sign_ins.delete
-- parameters: company_id, user_id
-- sent by: kontor user end, users/delete
delete from further_sign_ins
where company_id = :company_id and user_id = :user_id;

-- further_sign_ins.insert
-- parameters: company_id, email_hash, user_id
-- sent by: invitations/accept, session/confirm_sign_up, session/sign_up
insert into further_sign_ins (company_id, email_hash, user_id)
select :company_id::bigint, :email_hash::bytea, :user_id::bigint
where not exists (
  select
  from sign_ins s
  where s.company_id = :company_id and s.email_hash = :email_hash and s.user_id = :user_id
);
