-- identity_providers.delete
-- parameters: company_id
-- sent by: identity_provider/delete
delete from identity_providers
where company_id = :company_id;

-- identity_providers.find
-- parameters: company_id
-- sent by: identity_provider/delete, identity_provider/set, session/begin_single_sign_on, session/single_sign_on
select p.link_key, p.name, p.issuer, p.client_id, p.client_secret
from company_clock k
left join identity_providers p on p.company_id = :company_id
where k.company_id = :company_id;

-- identity_providers.show
-- parameters: company_id
-- sent by: identity_provider/get
select name, issuer, client_id, company_id || '.' || link_key as link
from identity_providers
where company_id = :company_id;

-- identity_providers.upsert
-- parameters: company_id, link_key, name, issuer, client_id, client_secret, at
-- sent by: identity_provider/set
insert into identity_providers (company_id, link_key, name, issuer, client_id, client_secret, created_at)
values (:company_id, :link_key, :name, :issuer, :client_id, :client_secret, :at)
on conflict (company_id) do update
set name = excluded.name,
  issuer = excluded.issuer,
  client_id = excluded.client_id,
  client_secret = excluded.client_secret;
