-- events.feed
-- parameters: company_id, connection_id, after, types, limit
-- sent by: events/get_list
with clock as materialized (select k.seq, k.epoch from company_clock k where k.company_id = :company_id),
  scope as materialized (
    select n.sections
    from api_connections n
    where n.company_id = :company_id and n.id = :connection_id::bigint
  ),
  examined as materialized (
    select e.seq, e.at, e.method, e.source, e.request_id, e.record, e.record_id, e.action, e.change
    from events e
    where e.company_id = :company_id
      and e.seq > :after
      and case e.record
        when 'sale' then 'order'
        when 'purchase' then 'purchase'
        when 'production' then 'production'
        when 'writeoff' then 'writeoff'
        when 'transfer' then 'transfer'
        when 'audit' then 'audit'
        when 'product' then 'product'
        when 'material' then 'material'
        when 'resource' then 'resource'
        when 'customer' then 'customer'
        when 'supplier' then 'supplier'
        when 'unit' then 'unit'
        when 'category' then 'category'
        when 'storage' then 'storage'
        end is not null
    order by e.seq
    limit case when (select s.sections from scope s) is null
      and :types::text[] is null then :limit::bigint + 1 else 20000 end
  ),
  found as materialized (
    select e.*
    from examined e
    where (
      (select s.sections from scope s) is null
        or case e.record
          when 'sale' then 'orders'
          when 'purchase' then 'purchases'
          when 'production' then 'productions'
          when 'writeoff' then 'writeoffs'
          when 'transfer' then 'transfers'
          when 'audit' then 'audits'
          when 'product' then 'products'
          when 'material' then 'materials'
          when 'resource' then 'resources'
          when 'customer' then 'customers'
          when 'supplier' then 'suppliers'
          when 'unit' then 'units'
          when 'category' then 'categories'
          when 'storage' then 'storages'
          end = any((select s.sections from scope s)::text[])
    )
      and (
        :types::text[] is null
          or (
            case e.record
              when 'sale' then 'order'
              when 'purchase' then 'purchase'
              when 'production' then 'production'
              when 'writeoff' then 'writeoff'
              when 'transfer' then 'transfer'
              when 'audit' then 'audit'
              when 'product' then 'product'
              when 'material' then 'material'
              when 'resource' then 'resource'
              when 'customer' then 'customer'
              when 'supplier' then 'supplier'
              when 'unit' then 'unit'
              when 'category' then 'category'
              when 'storage' then 'storage'
              end || '.' || coalesce(
                e.action,
                  case split_part(e.method, '/', 2)
                    when 'add' then 'created'
                    when 'delete' then 'deleted'
                    else 'updated'
                    end
              )
          ) = any(:types::text[])
      )
    order by e.seq
    limit :limit + 1
  ),
  page as (select e.* from found e order by e.seq limit :limit)
select coalesce(
  string_agg(
    concat(
      '{"seq":',
        e.seq,
        ',"at":',
        to_char(e.at at time zone 'UTC', '"\""YYYY-MM-DD"T"HH24:MI:SS.US"Z\""'),
        ',"type":',
        to_json(
          (
            case e.record
              when 'sale' then 'order'
              when 'purchase' then 'purchase'
              when 'production' then 'production'
              when 'writeoff' then 'writeoff'
              when 'transfer' then 'transfer'
              when 'audit' then 'audit'
              when 'product' then 'product'
              when 'material' then 'material'
              when 'resource' then 'resource'
              when 'customer' then 'customer'
              when 'supplier' then 'supplier'
              when 'unit' then 'unit'
              when 'category' then 'category'
              when 'storage' then 'storage'
              end || '.' || coalesce(
                e.action,
                  case split_part(e.method, '/', 2)
                    when 'add' then 'created'
                    when 'delete' then 'deleted'
                    else 'updated'
                    end
              )
          )
        ),
        ',"record":',
        to_json(
          (
            case e.record
              when 'sale' then 'order'
              when 'purchase' then 'purchase'
              when 'production' then 'production'
              when 'writeoff' then 'writeoff'
              when 'transfer' then 'transfer'
              when 'audit' then 'audit'
              when 'product' then 'product'
              when 'material' then 'material'
              when 'resource' then 'resource'
              when 'customer' then 'customer'
              when 'supplier' then 'supplier'
              when 'unit' then 'unit'
              when 'category' then 'category'
              when 'storage' then 'storage'
              end
          )
        ),
        ',"id":',
        e.record_id,
        ',"changed":',
        case
          when coalesce(
            e.action,
              case split_part(e.method, '/', 2)
                when 'add' then 'created'
                when 'delete' then 'deleted'
                else 'updated'
                end
          ) <> 'updated' then '[]'
          else coalesce(
            (
              select '[' || string_agg(to_json(n.name)::text, ',' order by n.name) || ']'
              from jsonb_object_keys(e.change) f (name)
              cross join lateral unnest(
                case f.name when 'sale_id' then array['order_id'] when 'uses' then array['materials',
                  'resources'] else array[f.name] end
              ) n (name)
              where f.name not in (
                'date_deducted',
                  'date_effective',
                  'former_sale_id',
                  'components_by_kind',
                  'use_told',
                  'shipments',
                  'receipts',
                  'skipped',
                  'tax'
              )
            ),
              '[]'
          )
          end,
        ',"source":',
        to_json(e.source),
        ',"request_id":',
        to_json(e.request_id),
        '}'
    ),
      ',' order by e.seq
  ),
    ''
) as rows,
  (select count(*) > :limit from found) or (select count(*) = 20000 from examined) as more,
  case
    when (select count(*) > :limit from found) then max(e.seq)
    when (select count(*) = 20000 from examined) then (select max(x.seq) from examined x)
    else greatest(:after, (select k.seq from clock k))
    end as next,
  (select k.epoch::text from clock k) as epoch,
  (select k.seq from clock k) as last
from page e;

-- events.find_later
-- parameters: company_id, record, record_id, seq
-- sent by: every write with a precondition
select seq
from events
where company_id = :company_id and record = :record and record_id = :record_id and seq > :seq
limit 1;

-- events.insert
-- parameters: company_id, at, method, source, connection_id, user_id, request_id, seq, record, record_id, action, change
-- sent by: every write
insert into events (
  company_id, at, method, source, connection_id, user_id, request_id, seq, record, record_id, action, change
)
select c.company_id,
  :at,
  :method,
  :source,
  :connection_id,
  :user_id,
  :request_id,
  x.seq,
  x.record,
  x.record_id,
  x.action,
  x.change
from company_clock c
cross join unnest(
  :seq::bigint[], :record::text[], :record_id::bigint[], :action::text[], :change::jsonb[]
) as x (seq, record, record_id, action, change)
where c.company_id = :company_id;

-- events.insert.rows_8
-- a variant of events.insert; the others between the two: .rows_1, .rows_2, .rows_3, .rows_4, .rows_5, .rows_6, .rows_7
insert into events (
  company_id, at, method, source, connection_id, user_id, request_id, seq, record, record_id, action, change
)
values (
  :company_id,
    :at,
    :method,
    :source,
    :connection_id,
    :user_id,
    :request_id,
    :seq_1,
    :record_1,
    :record_id_1,
    :action_1,
    :change_1
),
  (
    :company_id,
      :at,
      :method,
      :source,
      :connection_id,
      :user_id,
      :request_id,
      :seq_2,
      :record_2,
      :record_id_2,
      :action_2,
      :change_2
  ),
  (
    :company_id,
      :at,
      :method,
      :source,
      :connection_id,
      :user_id,
      :request_id,
      :seq_3,
      :record_3,
      :record_id_3,
      :action_3,
      :change_3
  ),
  (
    :company_id,
      :at,
      :method,
      :source,
      :connection_id,
      :user_id,
      :request_id,
      :seq_4,
      :record_4,
      :record_id_4,
      :action_4,
      :change_4
  ),
  (
    :company_id,
      :at,
      :method,
      :source,
      :connection_id,
      :user_id,
      :request_id,
      :seq_5,
      :record_5,
      :record_id_5,
      :action_5,
      :change_5
  ),
  (
    :company_id,
      :at,
      :method,
      :source,
      :connection_id,
      :user_id,
      :request_id,
      :seq_6,
      :record_6,
      :record_id_6,
      :action_6,
      :change_6
  ),
  (
    :company_id,
      :at,
      :method,
      :source,
      :connection_id,
      :user_id,
      :request_id,
      :seq_7,
      :record_7,
      :record_id_7,
      :action_7,
      :change_7
  ),
  (
    :company_id,
      :at,
      :method,
      :source,
      :connection_id,
      :user_id,
      :request_id,
      :seq_8,
      :record_8,
      :record_id_8,
      :action_8,
      :change_8
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
    select case
      when coalesce(max(each_row.bytes), 0) <= 4194304 then coalesce(
        string_agg(each_row.json, ',') filter (where each_row.bytes <= 4194304), ''
      )
      end
    from (
      select each_row.json, sum(octet_length(each_row.json)) over (rows unbounded preceding) as bytes
      from (
        select concat(
          '{"seq":',
            e.seq,
            ',"at":',
            to_char(e.at at time zone 'UTC', '"\""YYYY-MM-DD"T"HH24:MI:SS.US"Z\""'),
            ',"method":',
            to_json(e.method),
            ',"action":',
            coalesce(to_json(e.action)::text, 'null'),
            ',"source":',
            to_json(e.source),
            ',"user_name":',
            coalesce(
              to_json(
                (select u.name from users u where u.company_id = :company_id and u.id = e.user_id)
              )::text,
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
        ) as json
        from events e
        where e.company_id = :company_id and e.record = :record and e.record_id = :record_id
        order by e.seq desc
        limit :limit
        offset :offset
      ) each_row
    ) each_row
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
