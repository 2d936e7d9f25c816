-- keys.expire_others
-- parameters: company_id, expires_at, connection_id
-- sent by: keys/roll
update api_keys
set expires_at = least(expires_at, :expires_at::timestamptz)
where company_id = :company_id and connection_id = :connection_id and revoked_at is null;

-- keys.insert
-- parameters: company_id, key_hash, connection_id, hint
-- sent by: connections/add, keys/roll, kontor company create, kontor key create
insert into api_keys (company_id, key_hash, connection_id, hint)
values (:company_id, :key_hash, :connection_id, :hint);

-- keys.list
-- parameters: company_id
-- sent by: kontor key list
select k.connection_id,
  n.name,
  n.number_prefix,
  left(encode(k.key_hash, 'hex'), 8) as key_id,
  k.hint,
  k.created_at,
  k.expires_at,
  k.revoked_at,
  n.read_only,
  to_json(n.sections) as sections,
  n.expires_on::text,
  to_json(n.networks) as networks,
  n.hides_costs,
  n.daily_limit,
  n.last_used_on::text,
  n.last_used_from
from api_keys k
join api_connections n on n.company_id = :company_id and n.id = k.connection_id
where k.company_id = :company_id
order by k.connection_id, k.created_at;

-- keys.revoke
-- parameters: company_id, key_id
-- sent by: keys/revoke, kontor key revoke
update api_keys k
set revoked_at = now()
where k.company_id = :company_id and left(encode(k.key_hash, 'hex'), 8) = :key_id and k.revoked_at is null;

-- keys.revoke_facts
-- parameters: company_id, key_id
-- sent by: keys/revoke, kontor key revoke
select (
  select k.connection_id
  from api_keys k
  where k.company_id = :company_id and left(encode(k.key_hash, 'hex'), 8) = :key_id and k.revoked_at is null
) as connection_id;

-- keys.revoke_of_connection
-- parameters: company_id, connection_id
-- sent by: connections/replace
update api_keys k
set revoked_at = now()
where k.company_id = :company_id and k.connection_id = :connection_id and k.revoked_at is null;
