-- events.find_later
-- parameters: company_id, record, record_id, seq
-- sent by: every write with a precondition
select seq
from events
where company_id = :company_id and record = :record and record_id = :record_id and seq > :seq
limit 1;

-- events.insert
-- parameters: company_id, seq, at, method, source, connection_id, user_id, request_id, record, record_id, change
-- sent by: every write
insert into events (
  company_id, seq, at, method, source, connection_id, user_id, request_id, record, record_id, change
)
values (
  :company_id,
    :seq,
    :at,
    :method,
    :source,
    :connection_id,
    :user_id,
    :request_id,
    :record,
    :record_id,
    :change
);

-- events.of_record
-- parameters: company_id, record, record_id, limit, offset
-- sent by: history/get_list
select (
  select count(*)
  from events e
  where e.company_id = :company_id and e.record = :record and e.record_id = :record_id
) as total,
  (
    select coalesce(string_agg(x.json, ',' order by x.seq desc), '')
    from (
      select concat(
        '{"seq":',
          e.seq,
          ',"at":',
          to_char(e.at at time zone 'UTC', '"\""YYYY-MM-DD"T"HH24:MI:SS.US"Z\""'),
          ',"method":',
          to_json(e.method),
          ',"source":',
          to_json(e.source),
          ',"user_name":',
          coalesce(
            to_json((select u.name from users u where u.company_id = :company_id and u.id = e.user_id))::text,
              'null'
          ),
          ',"connection_name":',
          coalesce(
            to_json(
              (
                select n.name
                from api_connections n
                where n.company_id = :company_id and n.id = e.connection_id
              )
            )::text,
              'null'
          ),
          ',"request_id":',
          to_json(e.request_id),
          ',"change":',
          e.change,
          '}'
      ) as json,
        e.seq
      from events e
      where e.company_id = :company_id and e.record = :record and e.record_id = :record_id
      order by e.seq desc
      limit :limit
      offset :offset
    ) x
  ) as rows;

-- events.since
-- parameters: company_id, after_seq
-- sent by: changes/get_list
select k.seq,
  (
    select coalesce(string_agg(x.json, ',' order by x.seq desc), '')
    from (
      select concat(
        '{"seq":',
          e.seq,
          ',"record":',
          to_json(e.record),
          ',"record_id":',
          e.record_id,
          ',"method":',
          to_json(e.method),
          ',"user_name":',
          coalesce(
            to_json((select u.name from users u where u.company_id = :company_id and u.id = e.user_id))::text,
              'null'
          ),
          ',"connection_name":',
          coalesce(
            to_json(
              (
                select n.name
                from api_connections n
                where n.company_id = :company_id and n.id = e.connection_id
              )
            )::text,
              'null'
          ),
          '}'
      ) as json,
        e.seq
      from events e
      where e.company_id = :company_id and e.seq > :after_seq
      order by e.seq desc
      limit 200
    ) x
  ) as rows
from company_clock k
where k.company_id = :company_id;
