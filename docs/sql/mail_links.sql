-- mail_links.end_resets
-- parameters: company_id, user_id
-- sent by: kontor user password, session/change_password, session/reset_password
delete from mail_links
where company_id = :company_id and user_id = :user_id;

-- mail_links.end_sign_up
-- parameters: company_id
-- sent by: session/confirm_sign_up
delete from mail_links
where company_id = :company_id;

-- mail_links.find_reset
-- parameters: company_id, token_hash
-- sent by: session/reset_password
select u.id as user_id,
  u.name,
  u.email,
  (select c.name from companies c where c.company_id = :company_id) as company
from mail_links l
join users u on u.company_id = :company_id and u.id = l.user_id and u.deleted_at is null
where l.company_id = :company_id and l.token_hash = :token_hash and l.expires_at > now();

-- mail_links.reset_facts
-- parameters: company_id, token_hash
-- sent by: session/reset_password
select (
  select json_build_object('id', u.id, 'email', u.email)
  from mail_links l
  join users u on u.company_id = :company_id and u.id = l.user_id and u.deleted_at is null
  where l.company_id = :company_id and l.token_hash = :token_hash and l.expires_at > now()
) as user
from company_clock k
where k.company_id = :company_id;
