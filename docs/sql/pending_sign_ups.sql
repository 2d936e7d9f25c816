-- pending_sign_ups.delete
-- parameters: company_id
-- sent by: session/confirm_sign_up
delete from pending_sign_ups
where company_id = :company_id;

-- pending_sign_ups.find
-- parameters: company_id, token_hash
-- sent by: session/confirm_sign_up
select p.company, p.name, p.email, p.timezone, p.language, p.password_hash
from mail_links l
join pending_sign_ups p on p.company_id = :company_id and p.expires_at > now()
where l.company_id = :company_id and l.token_hash = :token_hash and l.expires_at > now();

-- pending_sign_ups.insert
-- parameters: company_id, company, name, email, timezone, language, password_hash, at, expires_at
-- sent by: session/sign_up
insert into pending_sign_ups (
  company_id, company, name, email, timezone, language, password_hash, created_at, expires_at
)
values (:company_id, :company, :name, :email, :timezone, :language, :password_hash, :at, :expires_at)
on conflict do nothing;
