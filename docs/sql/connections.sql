-- connections.company
-- parameters: company_id
-- sent by: connections/add
select test_of is not null as is_test
from companies
where company_id = :company_id;

-- connections.facts
-- parameters: company_id, connection_id
-- sent by: kontor key create
select exists (select from api_connections where company_id = :company_id and id = :connection_id) as exists,
  (select c.test_of is not null from companies c where c.company_id = :company_id) as is_test;

-- connections.find
-- parameters: company_id, connection_id
-- sent by: connections/edit, keys/roll
select (
  select json_build_object(
    'name',
      n.name,
      'number_prefix',
      n.number_prefix,
      'read_only',
      n.read_only,
      'sections',
      n.sections,
      'expires_on',
      n.expires_on,
      'networks',
      n.networks,
      'hides_costs',
      n.hides_costs,
      'daily_limit',
      n.daily_limit
  )
  from api_connections n
  where n.company_id = :company_id and n.id = :connection_id
) as connection,
  (select c.test_of is not null from companies c where c.company_id = :company_id) as is_test;

-- connections.insert
-- parameters: company_id, connection_id, name, number_prefix, read_only, sections, expires_on, networks, hides_costs, daily_limit
-- sent by: connections/add, kontor company create, kontor key create, session/confirm_sign_up, session/sign_up
insert into api_connections (
  company_id, id, name, number_prefix, read_only, sections, expires_on, networks, hides_costs, daily_limit
)
values (
  :company_id,
    :connection_id,
    :name,
    :number_prefix,
    :read_only,
    :sections,
    :expires_on,
    :networks,
    :hides_costs,
    :daily_limit
);

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
          ',"read_only":',
          (n.read_only)::text,
          ',"sections":',
          coalesce(to_json(n.sections)::text, 'null'),
          ',"expires_on":',
          coalesce(to_json(n.expires_on)::text, 'null'),
          ',"networks":',
          coalesce(to_json(n.networks)::text, 'null'),
          ',"hides_costs":',
          (n.hides_costs)::text,
          ',"daily_limit":',
          coalesce(n.daily_limit::text, 'null'),
          ',"last_used_on":',
          coalesce(to_json(n.last_used_on)::text, 'null'),
          ',"last_used_from":',
          coalesce(to_json(n.last_used_from)::text, 'null'),
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

-- connections.replace_facts
-- parameters: company_id, connection_id, by_connection_id
-- sent by: connections/replace
select exists (select from api_connections n where n.company_id = :company_id and n.id = :connection_id)
  and exists (
    select
    from api_connections n
    where n.company_id = :company_id and n.id = :by_connection_id
  ) as both_exist,
  (
    (
      select count(*)
      from external_ids x
      join external_ids y on y.company_id = :company_id
        and y.connection_id = :by_connection_id
        and y.record = x.record
        and y.external_id = x.external_id
      where x.company_id = :company_id and x.connection_id = :connection_id and y.record_id <> x.record_id
    ) + (
      select count(*)
      from external_ids x
      join external_ids y on y.company_id = :company_id
        and y.connection_id = :by_connection_id
        and y.record = x.record
        and y.record_id = x.record_id
      where x.company_id = :company_id and x.connection_id = :connection_id and y.external_id <> x.external_id
    )
  )::int as collisions;

-- connections.set_used
-- parameters: company_id, day, address, connection_id
-- sent by: a timer of the server
update api_connections
set last_used_on = greatest(last_used_on, :day::date), last_used_from = :address
where company_id = :company_id and id = :connection_id;

-- connections.update
-- parameters: company_id, name, number_prefix, read_only, sections, expires_on, networks, hides_costs, daily_limit, connection_id
-- sent by: connections/edit
update api_connections
set name = :name,
  number_prefix = :number_prefix,
  read_only = :read_only,
  sections = :sections,
  expires_on = :expires_on,
  networks = :networks,
  hides_costs = :hides_costs,
  daily_limit = :daily_limit
where company_id = :company_id and id = :connection_id;

-- connections.update_prefix
-- parameters: company_id, number_prefix, connection_id
-- sent by: kontor company set
update api_connections
set number_prefix = :number_prefix
where company_id = :company_id and id = :connection_id;
