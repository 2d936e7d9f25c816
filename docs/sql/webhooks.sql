-- webhooks.companies
-- parameters: after, limit
-- sent by: the sender of webhooks
select company_id
from webhook_companies
where company_id > :after
order by company_id
limit :limit;

-- webhooks.delete
-- parameters: company_id, webhook_id
-- sent by: kontor webhook delete, webhooks/delete
delete from webhook_endpoints
where company_id = :company_id and id = :webhook_id;

-- webhooks.delete_company
-- parameters: company_id
-- sent by: kontor webhook delete, webhooks/delete
delete from webhook_companies
where company_id = :company_id;

-- webhooks.delete_deliveries
-- parameters: company_id, webhook_id
-- sent by: kontor webhook delete, webhooks/delete
delete from webhook_deliveries
where company_id = :company_id and webhook_id = :webhook_id;

-- webhooks.delete_parked
-- parameters: company_id, webhook_id
-- sent by: kontor webhook delete, webhooks/delete
delete from webhook_parked
where company_id = :company_id and webhook_id = :webhook_id;

-- webhooks.delete_parked_from
-- parameters: company_id, webhook_id, from_seq
-- sent by: kontor webhook replay, webhooks/replay
delete from webhook_parked
where company_id = :company_id and webhook_id = :webhook_id and seq >= :from_seq;

-- webhooks.deliveries
-- parameters: company_id, webhook_id, is_ok, limit, offset
-- sent by: webhooks/get_deliveries
select exists (
  select
  from webhook_endpoints w
  where w.company_id = :company_id and w.id = :webhook_id
) as exists,
  (
    select count(*)
    from webhook_deliveries d
    where d.company_id = :company_id
      and d.webhook_id = :webhook_id
      and (:is_ok::boolean is null or (d.error is null and d.status between 200 and 299) = :is_ok)
  ) as total,
  (
    select coalesce(string_agg(x.json, ',' order by x.number desc), '')
    from (
      select concat(
        '{"number":',
          d.number,
          ',"seq":',
          coalesce(nullif(d.seq, 0)::text, 'null'),
          ',"type":',
          to_json(d.type),
          ',"attempt":',
          d.attempt,
          ',"at":',
          to_char(d.at at time zone 'UTC', '"\""YYYY-MM-DD"T"HH24:MI:SS.US"Z\""'),
          ',"status":',
          coalesce(d.status::text, 'null'),
          ',"error":',
          coalesce(to_json(d.error)::text, 'null'),
          ',"duration_ms":',
          d.duration_ms,
          ',"response":',
          to_json(d.response),
          '}'
      ) as json,
        d.number
      from webhook_deliveries d
      where d.company_id = :company_id
        and d.webhook_id = :webhook_id
        and (:is_ok::boolean is null or (d.error is null and d.status between 200 and 299) = :is_ok)
      order by d.number desc
      limit :limit::bigint
      offset :offset::bigint
    ) x
  ) as rows;

-- webhooks.disable
-- parameters: company_id, at, reason, webhook_id
-- sent by: the sender of webhooks, after 410 or five days of failures
update webhook_endpoints
set enabled = false, disabled_at = :at, disabled_reason = :reason
where company_id = :company_id and id = :webhook_id;

-- webhooks.due
-- parameters: company_id, may_be_slow
-- sent by: the sender of webhooks
select extract(
  epoch from min(
    greatest(
      d.at,
        case
          when not (
            w.leased_until <= now() or w.leased_until > now() + interval '1 minute'
          ) then w.leased_until
          end
    )
  ) - now()
)::float8 * 1000 as due_ms
from webhook_endpoints w
cross join lateral (
  select coalesce(w.next_at, now()) as at
  where w.position < (select k.seq from company_clock k where k.company_id = :company_id)
  union all
  select min(x.next_at)
  from webhook_parked x
  where x.company_id = :company_id and x.webhook_id = w.id
) d
where w.company_id = :company_id
  and w.enabled
  and d.at is not null
  and (
    :may_be_slow
      or not (w.failing_since is not null or w.last_delivered_at is null or w.last_duration_ms > 2000)
  );

-- webhooks.facts
-- parameters: company_id, webhook_id
-- sent by: kontor webhook add, kontor webhook delete, kontor webhook replay, the sender of webhooks, webhooks/add, webhooks/delete, webhooks/edit, webhooks/replay, webhooks/roll, webhooks/test
select (
  select json_build_object(
    'url', w.url, 'types', w.types, 'description', w.description, 'enabled', w.enabled, 'position', w.position
  )
  from webhook_endpoints w
  where w.company_id = :company_id and w.id = :webhook_id
) as webhook,
  (select count(*) from webhook_endpoints w where w.company_id = :company_id) as webhooks,
  (
    select count(*)
    from webhook_endpoints w
    where w.company_id = :company_id and w.id <> :webhook_id and w.enabled
  ) as others_enabled;

-- webhooks.find_event
-- parameters: company_id, seq
-- sent by: webhooks/replay
select (
  select e.seq
  from events e
  where e.company_id = :company_id
    and e.seq = :seq
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
) as event;

-- webhooks.insert
-- parameters: company_id, webhook_id, url, types, description, enabled, secret, at, position
-- sent by: kontor webhook add, webhooks/add
insert into webhook_endpoints (
  company_id, id, url, types, description, enabled, secret, created_at, position, disabled_at, disabled_reason
)
values (
  :company_id,
    :webhook_id,
    :url,
    :types,
    :description,
    :enabled,
    :secret,
    :at,
    :position,
    case when not :enabled then :at::timestamptz end,
    case when not :enabled then 'user' end
);

-- webhooks.insert_company
-- parameters: company_id
-- sent by: kontor webhook add, the sender of webhooks, webhooks/add, webhooks/edit
insert into webhook_companies (company_id)
values (:company_id)
on conflict do nothing;

-- webhooks.insert_deliveries
-- parameters: company_id, webhook_id, lease, seq, type, attempt, at, status, error, duration_ms, response
-- sent by: the sender of webhooks
insert into webhook_deliveries (
  company_id, webhook_id, number, seq, type, attempt, at, status, error, duration_ms, response
)
select c.company_id,
  w.id,
  w.deliveries + x.place,
  x.seq,
  x.type,
  x.attempt,
  x.at,
  x.status,
  x.error,
  x.duration_ms,
  x.response
from company_clock c
join webhook_endpoints w on w.company_id = :company_id and w.id = :webhook_id and w.lease = :lease
cross join unnest(
  :seq::bigint[],
    :type::text[],
    :attempt::smallint[],
    :at::timestamptz[],
    :status::smallint[],
    :error::text[],
    :duration_ms::integer[],
    :response::text[]
) with ordinality as x (seq, type, attempt, at, status, error, duration_ms, response, place)
where c.company_id = :company_id;

-- webhooks.insert_parked
-- parameters: company_id, webhook_id, seq, at
-- sent by: webhooks/replay, webhooks/test
insert into webhook_parked (company_id, webhook_id, seq, next_at, created_at)
values (:company_id, :webhook_id, :seq, :at, :at)
on conflict (company_id, webhook_id, seq) do update
set attempts = 0, next_at = excluded.next_at, created_at = excluded.created_at;

-- webhooks.lease
-- parameters: company_id, lease, lease_ms, may_be_slow, limit
-- sent by: the sender of webhooks
update webhook_endpoints w
set lease = :lease, leased_until = now() + :lease_ms::integer * interval '1 millisecond'
where w.company_id = :company_id
  and (w.leased_until is null or (w.leased_until <= now() or w.leased_until > now() + interval '1 minute'))
  and w.enabled
  and w.id in (
    select p.id
    from webhook_endpoints p
    where p.company_id = :company_id
      and p.enabled
      and (
        p.leased_until is null or (p.leased_until <= now() or p.leased_until > now() + interval '1 minute')
      )
      and (
        :may_be_slow
          or not (p.failing_since is not null or p.last_delivered_at is null or p.last_duration_ms > 2000)
      )
      and (
        (
          (p.next_at is null or p.next_at <= now())
            and p.position < (select k.seq from company_clock k where k.company_id = :company_id)
        )
          or exists (
            select
            from webhook_parked x
            where x.company_id = :company_id and x.webhook_id = p.id and x.next_at <= now()
          )
      )
    order by p.last_at nulls first, p.id
    limit :limit
  );

-- webhooks.leased
-- parameters: company_id, lease
-- sent by: the sender of webhooks
select w.id,
  w.url,
  w.position,
  w.attempts,
  extract(epoch from now() - w.failing_since)::float8 as failing_seconds,
  case
    when w.former_secret_until > now() then json_build_array(w.secret, w.former_secret)
    else json_build_array(w.secret)
    end as secrets,
  (w.failing_since is not null or w.last_delivered_at is null or w.last_duration_ms > 2000) as is_slow,
  (w.next_at is null or w.next_at <= now()) as is_head_due,
  coalesce(case when s.sent = 50 then s.sent_to else s.scanned_to end, w.position) as scanned_to,
  s.messages
from webhook_endpoints w
cross join lateral (
  select max(a.seq) as scanned_to,
    max(m.seq) as sent_to,
    count(m.seq) as sent,
    coalesce(json_agg(m.message order by m.seq) filter (where m.seq is not null), '[]') as messages
  from (
    select e.seq
    from events e
    where e.company_id = :company_id and e.seq > w.position and (w.next_at is null or w.next_at <= now())
    order by e.seq
    limit 1000
  ) a
  left join (
    select e.seq,
      json_build_object(
        'seq',
          e.seq,
          'type',
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
          ),
          'at',
          to_char(e.at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"'),
          'data',
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
          )
      ) as message
    from (
      select e.*
      from events e
      where e.company_id = :company_id and e.seq > w.position and (w.next_at is null or w.next_at <= now())
      order by e.seq
      limit 1000
    ) e
    where case e.record
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
      and (
        w.types is null
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
          ) = any(w.types)
      )
    order by e.seq
    limit 50
  ) m on m.seq = a.seq
) s
where w.company_id = :company_id and w.lease = :lease;

-- webhooks.list
-- parameters: company_id
-- sent by: kontor webhook list, webhooks/get_list
select coalesce(
  (
    select '[' || string_agg(
      concat(
        '{"id":',
          w.id,
          ',"url":',
          to_json(w.url),
          ',"types":',
          coalesce(to_json(w.types)::text, 'null'),
          ',"description":',
          to_json(w.description),
          ',"enabled":',
          (w.enabled)::text,
          ',"created_at":',
          to_char(w.created_at at time zone 'UTC', '"\""YYYY-MM-DD"T"HH24:MI:SS.US"Z\""'),
          ',"position":',
          w.position,
          ',"waiting":',
          (select k.seq - w.position from company_clock k where k.company_id = :company_id)::text,
          ',"parked":',
          (
            select count(*)
            from webhook_parked p
            where p.company_id = :company_id and p.webhook_id = w.id and p.seq > 0
          )::text,
          ',"failed_attempts":',
          w.attempts,
          ',"next_attempt_at":',
          coalesce(to_char(w.next_at at time zone 'UTC', '"\""YYYY-MM-DD"T"HH24:MI:SS.US"Z\""'), 'null'),
          ',"failing_since":',
          coalesce(
            to_char(w.failing_since at time zone 'UTC', '"\""YYYY-MM-DD"T"HH24:MI:SS.US"Z\""'), 'null'
          ),
          ',"last_attempt_at":',
          coalesce(to_char(w.last_at at time zone 'UTC', '"\""YYYY-MM-DD"T"HH24:MI:SS.US"Z\""'), 'null'),
          ',"last_status":',
          coalesce(w.last_status::text, 'null'),
          ',"last_error":',
          coalesce(to_json(w.last_error)::text, 'null'),
          ',"last_delivered_at":',
          coalesce(
            to_char(w.last_delivered_at at time zone 'UTC', '"\""YYYY-MM-DD"T"HH24:MI:SS.US"Z\""'), 'null'
          ),
          ',"disabled_at":',
          coalesce(to_char(w.disabled_at at time zone 'UTC', '"\""YYYY-MM-DD"T"HH24:MI:SS.US"Z\""'), 'null'),
          ',"disabled_reason":',
          coalesce(to_json(w.disabled_reason)::text, 'null'),
          ',"former_secret_until":',
          coalesce(
            to_char(
              case when w.former_secret_until > now() then w.former_secret_until end at time zone 'UTC',
                '"\""YYYY-MM-DD"T"HH24:MI:SS.US"Z\""'
            ),
              'null'
          ),
          '}'
      ),
        ',' order by w.id
    )
      || ']'
    from webhook_endpoints w
    where w.company_id = :company_id
  ),
    '[]'
) as rows;

-- webhooks.park
-- parameters: company_id, seq, attempts, pause_ms, webhook_id, lease
-- sent by: the sender of webhooks
insert into webhook_parked (company_id, webhook_id, seq, attempts, next_at, created_at)
select w.company_id,
  w.id,
  :seq::bigint,
  :attempts::smallint,
  now() + :pause_ms::bigint * interval '1 millisecond',
  now()
from webhook_endpoints w
where w.company_id = :company_id and w.id = :webhook_id and w.lease = :lease
on conflict (company_id, webhook_id, seq) do update
set attempts = excluded.attempts, next_at = excluded.next_at;

-- webhooks.parked
-- parameters: company_id, lease
-- sent by: the sender of webhooks
select p.webhook_id,
  p.seq,
  p.attempts,
  to_char(p.created_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"') as created_at,
  (
    select json_build_object(
      'seq',
        e.seq,
        'type',
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
        ),
        'at',
        to_char(e.at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"'),
        'data',
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
        )
    )
    from events e
    where e.company_id = :company_id and e.seq = p.seq
  ) as message
from webhook_endpoints w
cross join lateral (
  select x.webhook_id, x.seq, x.attempts, x.created_at, x.next_at
  from webhook_parked x
  where x.company_id = :company_id and x.webhook_id = w.id and x.next_at <= now()
  order by x.next_at, x.seq
  limit 10
) p
where w.company_id = :company_id and w.lease = :lease
order by p.next_at, p.seq;

-- webhooks.record
-- parameters: company_id, from_position, attempts, keeps_pause, next_at, position, deliveries, last_at, is_failing, has_delivered, last_status, last_error, last_duration_ms, webhook_id, lease
-- sent by: the sender of webhooks
update webhook_endpoints
set attempts = case when position = :from_position then :attempts else attempts end,
  next_at = case when position <> :from_position or :keeps_pause then next_at else :next_at::timestamptz end,
  position = case when position = :from_position then :position else position end,
  deliveries = deliveries + :deliveries,
  failing_since = case
    when :last_at::timestamptz is null then failing_since
    when :is_failing then case
    when :has_delivered then :last_at::timestamptz
    else coalesce(failing_since, :last_at::timestamptz)
    end
    end,
  last_status = case when :last_at::timestamptz is null then last_status else :last_status end,
  last_error = case when :last_at::timestamptz is null then last_error else :last_error end,
  last_duration_ms = case when :last_at::timestamptz is null then last_duration_ms else :last_duration_ms end,
  last_delivered_at = case when :has_delivered then :last_at::timestamptz else last_delivered_at end,
  last_at = coalesce(:last_at::timestamptz, last_at),
  lease = null,
  leased_until = null
where company_id = :company_id and id = :webhook_id and lease = :lease
returning id;

-- webhooks.renew
-- parameters: company_id, lease_ms, webhook_id, lease
-- sent by: the sender of webhooks
update webhook_endpoints
set leased_until = now() + :lease_ms::integer * interval '1 millisecond'
where company_id = :company_id and id = :webhook_id and lease = :lease and enabled
returning id;

-- webhooks.set_has
-- parameters: company_id, has_webhooks
-- sent by: kontor webhook add, kontor webhook delete, the sender of webhooks, webhooks/add, webhooks/delete, webhooks/edit
update company_clock
set has_webhooks = :has_webhooks
where company_id = :company_id and has_webhooks <> :has_webhooks;

-- webhooks.set_position
-- parameters: company_id, position, webhook_id
-- sent by: kontor webhook replay, webhooks/replay
update webhook_endpoints
set position = :position, attempts = 0, next_at = null
where company_id = :company_id and id = :webhook_id;

-- webhooks.unpark
-- parameters: company_id, webhook_id, seqs, lease
-- sent by: the sender of webhooks
delete from webhook_parked p
where p.company_id = :company_id
  and p.webhook_id = :webhook_id
  and p.seq = any(:seqs::bigint[])
  and exists (
    select
    from webhook_endpoints w
    where w.company_id = :company_id and w.id = :webhook_id and w.lease = :lease
  );

-- webhooks.update
-- parameters: company_id, url, types, description, enabled, at, is_new_start, is_new_address, webhook_id
-- sent by: webhooks/edit
update webhook_endpoints
set url = :url,
  types = :types,
  description = :description,
  enabled = :enabled,
  disabled_at = case when not :enabled then coalesce(disabled_at, :at::timestamptz) end,
  disabled_reason = case when not :enabled then coalesce(disabled_reason, 'user') end,
  attempts = case when :is_new_start then 0 else attempts end,
  next_at = case when :is_new_start then null else next_at end,
  failing_since = case when :is_new_start then null else failing_since end,
  lease = case when :is_new_address then null else lease end,
  leased_until = case when :is_new_address then null else leased_until end
where company_id = :company_id and id = :webhook_id;

-- webhooks.update_secret
-- parameters: company_id, until, secret, webhook_id
-- sent by: webhooks/roll
update webhook_endpoints
set former_secret = secret, former_secret_until = :until, secret = :secret
where company_id = :company_id and id = :webhook_id;
