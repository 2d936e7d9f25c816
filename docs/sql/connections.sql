-- connections.facts
-- parameters: company_id, connection_id
-- sent by: kontor key create
select exists (select from api_connections where company_id = :company_id and id = :connection_id) as exists;

-- connections.find
-- parameters: company_id, connection_id
-- sent by: connections/edit, keys/roll
select (
  select json_build_object('name', n.name, 'number_prefix', n.number_prefix)
  from api_connections n
  where n.company_id = :company_id and n.id = :connection_id
) as connection;

-- connections.insert
-- parameters: company_id, connection_id, name, number_prefix
-- sent by: connections/add, kontor company create, kontor key create, session/sign_up
insert into api_connections (company_id, id, name, number_prefix)
values (:company_id, :connection_id, :name, :number_prefix);

-- connections.list
-- parameters: company_id
-- sent by: connections/get_list
select coalesce(
  (
    select '[' || string_agg(
      concat(
        '{"id":',
          n.id,
          ',"name":',
          to_json(n.name),
          ',"number_prefix":',
          to_json(n.number_prefix),
          ',"created_at":',
          to_char(n.created_at at time zone 'UTC', '"\""YYYY-MM-DD"T"HH24:MI:SS.US"Z\""'),
          ',"keys":',
          coalesce(
            (
              select '[' || string_agg(
                concat(
                  '{"key_id":',
                    to_json(left(encode(k.key_hash, 'hex'), 8)),
                    ',"hint":',
                    to_json(k.hint),
                    ',"created_at":',
                    to_char(k.created_at at time zone 'UTC', '"\""YYYY-MM-DD"T"HH24:MI:SS.US"Z\""'),
                    ',"expires_at":',
                    coalesce(
                      to_char(k.expires_at at time zone 'UTC', '"\""YYYY-MM-DD"T"HH24:MI:SS.US"Z\""'), 'null'
                    ),
                    ',"revoked_at":',
                    coalesce(
                      to_char(k.revoked_at at time zone 'UTC', '"\""YYYY-MM-DD"T"HH24:MI:SS.US"Z\""'), 'null'
                    ),
                    '}'
                ),
                  ',' order by k.created_at,
                  k.key_hash
              )
                || ']'
              from api_keys k
              where k.company_id = :company_id and k.connection_id = n.id
            ),
              '[]'
          ),
          '}'
      ),
        ',' order by n.id
    )
      || ']'
    from api_connections n
    where n.company_id = :company_id
  ),
    '[]'
) as rows;

-- connections.no_facts
-- parameters: company_id
-- sent by: connections/add
select seq
from company_clock
where company_id = :company_id;

-- connections.update
-- parameters: company_id, name, number_prefix, connection_id
-- sent by: connections/edit
update api_connections
set name = :name, number_prefix = :number_prefix
where company_id = :company_id and id = :connection_id;

-- connections.update_prefix
-- parameters: company_id, number_prefix, connection_id
-- sent by: kontor company set
update api_connections
set number_prefix = :number_prefix
where company_id = :company_id and id = :connection_id;
