-- invitations.accept_facts
-- parameters: company_id, email_hash, token_hash
-- sent by: invitations/accept
select (
  exists (select from sign_ins s where s.company_id = :company_id and s.email_hash = :email_hash)
    or exists (select from further_sign_ins f where f.company_id = :company_id and f.email_hash = :email_hash)
) as taken,
  (
    select json_build_object('id', i.id, 'email', i.email, 'role', i.role)
    from invitations i
    where i.company_id = :company_id
      and (
        i.token_hash = :token_hash
          or exists (
            select
            from mail_links l
            where l.company_id = :company_id and l.token_hash = :token_hash and l.invitation_id = i.id
          )
      )
      and i.expires_at > now()
  ) as invitation;

-- invitations.accepted
-- parameters: company_id, invitation_id
-- sent by: invitations/accept
delete from invitations
where company_id = :company_id and id = :invitation_id;

-- invitations.delete
-- parameters: company_id, invitation_id
-- sent by: invitations/delete
delete from invitations
where company_id = :company_id and id = :invitation_id;

-- invitations.facts
-- parameters: company_id, email_hash, email, is_mailed
-- sent by: kontor user invite, users/invite
select (
  exists (select from sign_ins s where s.company_id = :company_id and s.email_hash = :email_hash)
    or exists (select from further_sign_ins f where f.company_id = :company_id and f.email_hash = :email_hash)
) as taken,
  (
    select count(*)
    from invitations i
    where i.company_id = :company_id and i.expires_at > now() and lower(i.email) <> lower(:email)
  ) as open,
  case
    when :is_mailed then (
      select count(*)
      from mails m
      where m.company_id = :company_id
        and m.created_at > now() - interval '24 hours'
        and m.kind in ('invitation', 'quote', 'document')
    )
    else 0
    end as mails
from company_clock k
where k.company_id = :company_id;

-- invitations.find
-- parameters: company_id, token_hash
-- sent by: invitations/accept, invitations/get
select c.name as company, i.email, i.role
from invitations i
join companies c on c.company_id = :company_id
where i.company_id = :company_id
  and (
    i.token_hash = :token_hash
      or exists (
        select
        from mail_links l
        where l.company_id = :company_id and l.token_hash = :token_hash and l.invitation_id = i.id
      )
  )
  and i.expires_at > now();

-- invitations.find_email
-- parameters: company_id, invitation_id
-- sent by: invitations/delete
select (select i.email from invitations i where i.company_id = :company_id and i.id = :invitation_id) as email;

-- invitations.insert
-- parameters: company_id, invitation_id, token_hash, email, role, created_at, expires_at
-- sent by: kontor user invite, users/invite
insert into invitations (company_id, id, token_hash, email, role, created_at, expires_at)
values (:company_id, :invitation_id, :token_hash, :email, :role, :created_at, :expires_at);

-- invitations.replace
-- parameters: company_id, email, now
-- sent by: kontor user invite, users/invite
delete from invitations
where company_id = :company_id and (lower(email) = lower(:email) or expires_at < :now);
