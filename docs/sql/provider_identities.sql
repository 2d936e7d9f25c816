-- provider_identities.find
-- parameters: company_id, subject
-- sent by: session/single_sign_on
select i.user_id
from provider_identities i
join users u on u.company_id = :company_id and u.id = i.user_id and u.deleted_at is null
where i.company_id = :company_id and i.subject = :subject;

-- provider_identities.forget
-- parameters: company_id, user_id
-- sent by: kontor user end, users/delete
delete from provider_identities
where company_id = :company_id and user_id = :user_id;

-- provider_identities.forget_all
-- parameters: company_id
-- sent by: identity_provider/delete, identity_provider/set
delete from provider_identities
where company_id = :company_id;

-- provider_identities.link
-- parameters: company_id, subject, now, email
-- sent by: session/single_sign_on
insert into provider_identities (company_id, subject, user_id, created_at)
select company_id, :subject::text, id, :now::timestamptz
from users
where company_id = :company_id and lower(email) = lower(:email::text) and deleted_at is null
on conflict do nothing
returning user_id;
