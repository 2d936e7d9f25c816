-- request_log.find
-- parameters: company_id, request_id
-- sent by: requests/get_entry
select concat(
  '{"request_id":',
    to_json(r.request_id),
    ',"at":',
    to_char(r.at at time zone 'UTC', '"\""YYYY-MM-DD"T"HH24:MI:SS.US"Z\""'),
    ',"method":',
    to_json(r.method),
    ',"status":',
    r.status,
    ',"duration_ms":',
    round(r.duration_ms)::text,
    ',"error":',
    coalesce(to_json(r.error)::text, 'null'),
    ',"connection_id":',
    coalesce(r.connection_id::text, 'null'),
    ',"connection_name":',
    coalesce(
      to_json(
        (select n.name from api_connections n where n.company_id = :company_id and n.id = r.connection_id)
      )::text,
        'null'
    ),
    ',"connection_kind":',
    coalesce(
      to_json(
        (
          select case when n.read_only then 'read_only' when n.sections is not null
            or n.networks is not null
            or n.hides_costs then 'limited' else 'full' end
          from api_connections n
          where n.company_id = :company_id and n.id = r.connection_id
        )
      )::text,
        'null'
    ),
    ',"bodies_left_out":',
    (r.bodies_left_out)::text,
    ',"ignored_fields":',
    coalesce(to_json(r.ignored_fields)::text, '[]'),
    ',"request":',
    to_json(r.request),
    ',"answer":',
    to_json(r.answer),
    '}'
) as request
from request_log r
where r.company_id = :company_id and r.request_id = :request_id
order by r.at
limit 1;

-- request_log.list
-- parameters: company_id, method, is_ok, connection_id, search, date_from, date_to, record, record_id, limit, offset
-- sent by: requests/get_list
select (
  select count(*)
  from request_log r
  where r.company_id = :company_id
    and (:method::text is null or r.method = :method)
    and (:is_ok::boolean is null or (r.status < 400) = :is_ok)
    and (:connection_id::bigint is null or r.connection_id = :connection_id)
    and (
      :search::text is null
        or replace(
          replace(
            replace(lower(concat_ws(' ', r.request_id, r.method, r.error, r.request)), 'ß', 'ss'), 'ς', 'σ'
          ),
            'i̇',
            'i'
        ) like :search
    )
    and (
      :date_from::date is null
        or r.at >= (
          select (
            (
              case
                when (
                  (
                    (
                      (
                        (:date_from::date + 0)::timestamp at time zone c.timezone at time zone 'UTC'
                      ) - interval '3 hours'
                    ) at time zone 'UTC' at time zone c.timezone
                  ) + interval '3 hours' - (:date_from::date + 0)::timestamp
                ) > interval '0'
                and (
                  (
                    ((:date_from::date + 0)::timestamp at time zone c.timezone at time zone 'UTC') - (
                      (
                        (
                          (
                            (:date_from::date + 0)::timestamp at time zone c.timezone at time zone 'UTC'
                          ) - interval '3 hours'
                        ) at time zone 'UTC' at time zone c.timezone
                      ) + interval '3 hours' - (:date_from::date + 0)::timestamp
                    )
                  ) at time zone 'UTC' at time zone c.timezone
                ) >= (:date_from::date + 0)::timestamp then ((:date_from::date + 0)::timestamp at time zone c.timezone at time zone 'UTC') - (
                  (
                    (
                      (
                        (:date_from::date + 0)::timestamp at time zone c.timezone at time zone 'UTC'
                      ) - interval '3 hours'
                    ) at time zone 'UTC' at time zone c.timezone
                  ) + interval '3 hours' - (:date_from::date + 0)::timestamp
                )
                  else ((:date_from::date + 0)::timestamp at time zone c.timezone at time zone 'UTC')
                  end
            ) at time zone 'UTC'
          )
          from companies c
          where c.company_id = :company_id
        )
    )
    and (
      :date_to::date is null
        or r.at < (
          select (
            (
              case
                when (
                  (
                    (
                      (
                        (:date_to::date + 1)::timestamp at time zone c.timezone at time zone 'UTC'
                      ) - interval '3 hours'
                    ) at time zone 'UTC' at time zone c.timezone
                  ) + interval '3 hours' - (:date_to::date + 1)::timestamp
                ) > interval '0'
                and (
                  (
                    ((:date_to::date + 1)::timestamp at time zone c.timezone at time zone 'UTC') - (
                      (
                        (
                          (
                            (:date_to::date + 1)::timestamp at time zone c.timezone at time zone 'UTC'
                          ) - interval '3 hours'
                        ) at time zone 'UTC' at time zone c.timezone
                      ) + interval '3 hours' - (:date_to::date + 1)::timestamp
                    )
                  ) at time zone 'UTC' at time zone c.timezone
                ) >= (:date_to::date + 1)::timestamp then ((:date_to::date + 1)::timestamp at time zone c.timezone at time zone 'UTC') - (
                  (
                    (
                      (
                        (:date_to::date + 1)::timestamp at time zone c.timezone at time zone 'UTC'
                      ) - interval '3 hours'
                    ) at time zone 'UTC' at time zone c.timezone
                  ) + interval '3 hours' - (:date_to::date + 1)::timestamp
                )
                  else ((:date_to::date + 1)::timestamp at time zone c.timezone at time zone 'UTC')
                  end
            ) at time zone 'UTC'
          )
          from companies c
          where c.company_id = :company_id
        )
    )
    and (
      :record::text is null
        or r.request_id in (
          select e.request_id
          from events e
          where e.company_id = :company_id and e.record = :record and e.record_id = :record_id::bigint
        )
    )
) as total,
  (
    select coalesce(string_agg(x.json, ',' order by x.at desc, x.request_id), '')
    from (
      select concat(
        '{"request_id":',
          to_json(r.request_id),
          ',"at":',
          to_char(r.at at time zone 'UTC', '"\""YYYY-MM-DD"T"HH24:MI:SS.US"Z\""'),
          ',"method":',
          to_json(r.method),
          ',"status":',
          r.status,
          ',"duration_ms":',
          round(r.duration_ms)::text,
          ',"error":',
          coalesce(to_json(r.error)::text, 'null'),
          ',"connection_id":',
          coalesce(r.connection_id::text, 'null'),
          ',"connection_name":',
          coalesce(
            to_json(
              (
                select n.name
                from api_connections n
                where n.company_id = :company_id and n.id = r.connection_id
              )
            )::text,
              'null'
          ),
          ',"connection_kind":',
          coalesce(
            to_json(
              (
                select case when n.read_only then 'read_only' when n.sections is not null
                  or n.networks is not null
                  or n.hides_costs then 'limited' else 'full' end
                from api_connections n
                where n.company_id = :company_id and n.id = r.connection_id
              )
            )::text,
              'null'
          ),
          ',"bodies_left_out":',
          (r.bodies_left_out)::text,
          ',"ignored_fields":',
          coalesce(to_json(r.ignored_fields)::text, '[]'),
          '}'
      ) as json,
        r.at,
        r.request_id
      from request_log r
      where r.company_id = :company_id
        and (:method::text is null or r.method = :method)
        and (:is_ok::boolean is null or (r.status < 400) = :is_ok)
        and (:connection_id::bigint is null or r.connection_id = :connection_id)
        and (
          :search::text is null
            or replace(
              replace(
                replace(lower(concat_ws(' ', r.request_id, r.method, r.error, r.request)), 'ß', 'ss'),
                  'ς',
                  'σ'
              ),
                'i̇',
                'i'
            ) like :search
        )
        and (
          :date_from::date is null
            or r.at >= (
              select (
                (
                  case
                    when (
                      (
                        (
                          (
                            (:date_from::date + 0)::timestamp at time zone c.timezone at time zone 'UTC'
                          ) - interval '3 hours'
                        ) at time zone 'UTC' at time zone c.timezone
                      ) + interval '3 hours' - (:date_from::date + 0)::timestamp
                    ) > interval '0'
                    and (
                      (
                        ((:date_from::date + 0)::timestamp at time zone c.timezone at time zone 'UTC') - (
                          (
                            (
                              (
                                (:date_from::date + 0)::timestamp at time zone c.timezone at time zone 'UTC'
                              ) - interval '3 hours'
                            ) at time zone 'UTC' at time zone c.timezone
                          ) + interval '3 hours' - (:date_from::date + 0)::timestamp
                        )
                      ) at time zone 'UTC' at time zone c.timezone
                    ) >= (:date_from::date + 0)::timestamp then ((:date_from::date + 0)::timestamp at time zone c.timezone at time zone 'UTC') - (
                      (
                        (
                          (
                            (:date_from::date + 0)::timestamp at time zone c.timezone at time zone 'UTC'
                          ) - interval '3 hours'
                        ) at time zone 'UTC' at time zone c.timezone
                      ) + interval '3 hours' - (:date_from::date + 0)::timestamp
                    )
                      else ((:date_from::date + 0)::timestamp at time zone c.timezone at time zone 'UTC')
                      end
                ) at time zone 'UTC'
              )
              from companies c
              where c.company_id = :company_id
            )
        )
        and (
          :date_to::date is null
            or r.at < (
              select (
                (
                  case
                    when (
                      (
                        (
                          (
                            (:date_to::date + 1)::timestamp at time zone c.timezone at time zone 'UTC'
                          ) - interval '3 hours'
                        ) at time zone 'UTC' at time zone c.timezone
                      ) + interval '3 hours' - (:date_to::date + 1)::timestamp
                    ) > interval '0'
                    and (
                      (
                        ((:date_to::date + 1)::timestamp at time zone c.timezone at time zone 'UTC') - (
                          (
                            (
                              (
                                (:date_to::date + 1)::timestamp at time zone c.timezone at time zone 'UTC'
                              ) - interval '3 hours'
                            ) at time zone 'UTC' at time zone c.timezone
                          ) + interval '3 hours' - (:date_to::date + 1)::timestamp
                        )
                      ) at time zone 'UTC' at time zone c.timezone
                    ) >= (:date_to::date + 1)::timestamp then ((:date_to::date + 1)::timestamp at time zone c.timezone at time zone 'UTC') - (
                      (
                        (
                          (
                            (:date_to::date + 1)::timestamp at time zone c.timezone at time zone 'UTC'
                          ) - interval '3 hours'
                        ) at time zone 'UTC' at time zone c.timezone
                      ) + interval '3 hours' - (:date_to::date + 1)::timestamp
                    )
                      else ((:date_to::date + 1)::timestamp at time zone c.timezone at time zone 'UTC')
                      end
                ) at time zone 'UTC'
              )
              from companies c
              where c.company_id = :company_id
            )
        )
        and (
          :record::text is null
            or r.request_id in (
              select e.request_id
              from events e
              where e.company_id = :company_id and e.record = :record and e.record_id = :record_id::bigint
            )
        )
      order by r.at desc, r.request_id
      limit :limit::bigint
      offset :offset::bigint
    ) x
  ) as rows,
  (
    select coalesce(string_agg(x.json, ',' order by x.last_at desc), '')
    from (
      select concat(
        '{"first_at":',
          to_char(min(p.first_at) at time zone 'UTC', '"\""YYYY-MM-DD"T"HH24:MI:SS.US"Z\""'),
          ',"last_at":',
          to_char(max(p.last_at) at time zone 'UTC', '"\""YYYY-MM-DD"T"HH24:MI:SS.US"Z\""'),
          ',"requests":',
          sum(p.requests)::text,
          ',"reason":',
          to_json(p.reason),
          '}'
      ) as json,
        max(p.last_at) as last_at
      from (
        select g.first_at,
          g.last_at,
          g.requests,
          g.reason,
          row_number() over (order by g.last_at desc, g.first_at) as position
        from request_log_gaps g
        where g.company_id = :company_id
          and (
            :date_from::date is null
              or g.last_at >= (
                select (
                  (
                    case
                      when (
                        (
                          (
                            (
                              (:date_from::date + 0)::timestamp at time zone c.timezone at time zone 'UTC'
                            ) - interval '3 hours'
                          ) at time zone 'UTC' at time zone c.timezone
                        ) + interval '3 hours' - (:date_from::date + 0)::timestamp
                      ) > interval '0'
                      and (
                        (
                          ((:date_from::date + 0)::timestamp at time zone c.timezone at time zone 'UTC') - (
                            (
                              (
                                (
                                  (:date_from::date + 0)::timestamp at time zone c.timezone at time zone 'UTC'
                                ) - interval '3 hours'
                              ) at time zone 'UTC' at time zone c.timezone
                            ) + interval '3 hours' - (:date_from::date + 0)::timestamp
                          )
                        ) at time zone 'UTC' at time zone c.timezone
                      ) >= (:date_from::date + 0)::timestamp then ((:date_from::date + 0)::timestamp at time zone c.timezone at time zone 'UTC') - (
                        (
                          (
                            (
                              (:date_from::date + 0)::timestamp at time zone c.timezone at time zone 'UTC'
                            ) - interval '3 hours'
                          ) at time zone 'UTC' at time zone c.timezone
                        ) + interval '3 hours' - (:date_from::date + 0)::timestamp
                      )
                        else ((:date_from::date + 0)::timestamp at time zone c.timezone at time zone 'UTC')
                        end
                  ) at time zone 'UTC'
                )
                from companies c
                where c.company_id = :company_id
              )
          )
          and (
            :date_to::date is null
              or g.first_at < (
                select (
                  (
                    case
                      when (
                        (
                          (
                            (
                              (:date_to::date + 1)::timestamp at time zone c.timezone at time zone 'UTC'
                            ) - interval '3 hours'
                          ) at time zone 'UTC' at time zone c.timezone
                        ) + interval '3 hours' - (:date_to::date + 1)::timestamp
                      ) > interval '0'
                      and (
                        (
                          ((:date_to::date + 1)::timestamp at time zone c.timezone at time zone 'UTC') - (
                            (
                              (
                                (
                                  (:date_to::date + 1)::timestamp at time zone c.timezone at time zone 'UTC'
                                ) - interval '3 hours'
                              ) at time zone 'UTC' at time zone c.timezone
                            ) + interval '3 hours' - (:date_to::date + 1)::timestamp
                          )
                        ) at time zone 'UTC' at time zone c.timezone
                      ) >= (:date_to::date + 1)::timestamp then ((:date_to::date + 1)::timestamp at time zone c.timezone at time zone 'UTC') - (
                        (
                          (
                            (
                              (:date_to::date + 1)::timestamp at time zone c.timezone at time zone 'UTC'
                            ) - interval '3 hours'
                          ) at time zone 'UTC' at time zone c.timezone
                        ) + interval '3 hours' - (:date_to::date + 1)::timestamp
                      )
                        else ((:date_to::date + 1)::timestamp at time zone c.timezone at time zone 'UTC')
                        end
                  ) at time zone 'UTC'
                )
                from companies c
                where c.company_id = :company_id
              )
          )
          and (
            :offset::bigint = 0
              or g.last_at < (
                select max(x.at)
                from (
                  select r.at
                  from request_log r
                  where r.company_id = :company_id
                    and (:method::text is null or r.method = :method)
                    and (:is_ok::boolean is null or (r.status < 400) = :is_ok)
                    and (:connection_id::bigint is null or r.connection_id = :connection_id)
                    and (
                      :search::text is null
                        or replace(
                          replace(
                            replace(
                              lower(concat_ws(' ', r.request_id, r.method, r.error, r.request)), 'ß', 'ss'
                            ),
                              'ς',
                              'σ'
                          ),
                            'i̇',
                            'i'
                        ) like :search
                    )
                    and (
                      :date_from::date is null
                        or r.at >= (
                          select (
                            (
                              case
                                when (
                                  (
                                    (
                                      (
                                        (
                                          :date_from::date + 0
                                        )::timestamp at time zone c.timezone at time zone 'UTC'
                                      ) - interval '3 hours'
                                    ) at time zone 'UTC' at time zone c.timezone
                                  ) + interval '3 hours' - (:date_from::date + 0)::timestamp
                                ) > interval '0'
                                and (
                                  (
                                    ((:date_from::date + 0)::timestamp at time zone c.timezone at time zone 'UTC') - (
                                      (
                                        (
                                          (
                                            (
                                              :date_from::date + 0
                                            )::timestamp at time zone c.timezone at time zone 'UTC'
                                          ) - interval '3 hours'
                                        ) at time zone 'UTC' at time zone c.timezone
                                      ) + interval '3 hours' - (:date_from::date + 0)::timestamp
                                    )
                                  ) at time zone 'UTC' at time zone c.timezone
                                ) >= (:date_from::date + 0)::timestamp then ((:date_from::date + 0)::timestamp at time zone c.timezone at time zone 'UTC') - (
                                  (
                                    (
                                      (
                                        (
                                          :date_from::date + 0
                                        )::timestamp at time zone c.timezone at time zone 'UTC'
                                      ) - interval '3 hours'
                                    ) at time zone 'UTC' at time zone c.timezone
                                  ) + interval '3 hours' - (:date_from::date + 0)::timestamp
                                )
                                  else (
                                    (
                                      :date_from::date + 0
                                    )::timestamp at time zone c.timezone at time zone 'UTC'
                                  )
                                  end
                            ) at time zone 'UTC'
                          )
                          from companies c
                          where c.company_id = :company_id
                        )
                    )
                    and (
                      :date_to::date is null
                        or r.at < (
                          select (
                            (
                              case
                                when (
                                  (
                                    (
                                      (
                                        (
                                          :date_to::date + 1
                                        )::timestamp at time zone c.timezone at time zone 'UTC'
                                      ) - interval '3 hours'
                                    ) at time zone 'UTC' at time zone c.timezone
                                  ) + interval '3 hours' - (:date_to::date + 1)::timestamp
                                ) > interval '0'
                                and (
                                  (
                                    ((:date_to::date + 1)::timestamp at time zone c.timezone at time zone 'UTC') - (
                                      (
                                        (
                                          (
                                            (
                                              :date_to::date + 1
                                            )::timestamp at time zone c.timezone at time zone 'UTC'
                                          ) - interval '3 hours'
                                        ) at time zone 'UTC' at time zone c.timezone
                                      ) + interval '3 hours' - (:date_to::date + 1)::timestamp
                                    )
                                  ) at time zone 'UTC' at time zone c.timezone
                                ) >= (:date_to::date + 1)::timestamp then ((:date_to::date + 1)::timestamp at time zone c.timezone at time zone 'UTC') - (
                                  (
                                    (
                                      (
                                        (
                                          :date_to::date + 1
                                        )::timestamp at time zone c.timezone at time zone 'UTC'
                                      ) - interval '3 hours'
                                    ) at time zone 'UTC' at time zone c.timezone
                                  ) + interval '3 hours' - (:date_to::date + 1)::timestamp
                                )
                                  else (
                                    (:date_to::date + 1)::timestamp at time zone c.timezone at time zone 'UTC'
                                  )
                                  end
                            ) at time zone 'UTC'
                          )
                          from companies c
                          where c.company_id = :company_id
                        )
                    )
                    and (
                      :record::text is null
                        or r.request_id in (
                          select e.request_id
                          from events e
                          where e.company_id = :company_id
                            and e.record = :record
                            and e.record_id = :record_id::bigint
                        )
                    )
                  order by r.at desc, r.request_id
                  limit 2
                  offset greatest(:offset::bigint - 1, 0)
                ) x
                having count(*) = 2
              )
          )
          and g.last_at >= coalesce(
            (
              select max(x.at)
              from (
                select r.at
                from request_log r
                where r.company_id = :company_id
                  and (:method::text is null or r.method = :method)
                  and (:is_ok::boolean is null or (r.status < 400) = :is_ok)
                  and (:connection_id::bigint is null or r.connection_id = :connection_id)
                  and (
                    :search::text is null
                      or replace(
                        replace(
                          replace(
                            lower(concat_ws(' ', r.request_id, r.method, r.error, r.request)), 'ß', 'ss'
                          ),
                            'ς',
                            'σ'
                        ),
                          'i̇',
                          'i'
                      ) like :search
                  )
                  and (
                    :date_from::date is null
                      or r.at >= (
                        select (
                          (
                            case
                              when (
                                (
                                  (
                                    (
                                      (
                                        :date_from::date + 0
                                      )::timestamp at time zone c.timezone at time zone 'UTC'
                                    ) - interval '3 hours'
                                  ) at time zone 'UTC' at time zone c.timezone
                                ) + interval '3 hours' - (:date_from::date + 0)::timestamp
                              ) > interval '0'
                              and (
                                (
                                  ((:date_from::date + 0)::timestamp at time zone c.timezone at time zone 'UTC') - (
                                    (
                                      (
                                        (
                                          (
                                            :date_from::date + 0
                                          )::timestamp at time zone c.timezone at time zone 'UTC'
                                        ) - interval '3 hours'
                                      ) at time zone 'UTC' at time zone c.timezone
                                    ) + interval '3 hours' - (:date_from::date + 0)::timestamp
                                  )
                                ) at time zone 'UTC' at time zone c.timezone
                              ) >= (:date_from::date + 0)::timestamp then ((:date_from::date + 0)::timestamp at time zone c.timezone at time zone 'UTC') - (
                                (
                                  (
                                    (
                                      (
                                        :date_from::date + 0
                                      )::timestamp at time zone c.timezone at time zone 'UTC'
                                    ) - interval '3 hours'
                                  ) at time zone 'UTC' at time zone c.timezone
                                ) + interval '3 hours' - (:date_from::date + 0)::timestamp
                              )
                                else (
                                  (:date_from::date + 0)::timestamp at time zone c.timezone at time zone 'UTC'
                                )
                                end
                          ) at time zone 'UTC'
                        )
                        from companies c
                        where c.company_id = :company_id
                      )
                  )
                  and (
                    :date_to::date is null
                      or r.at < (
                        select (
                          (
                            case
                              when (
                                (
                                  (
                                    (
                                      (
                                        :date_to::date + 1
                                      )::timestamp at time zone c.timezone at time zone 'UTC'
                                    ) - interval '3 hours'
                                  ) at time zone 'UTC' at time zone c.timezone
                                ) + interval '3 hours' - (:date_to::date + 1)::timestamp
                              ) > interval '0'
                              and (
                                (
                                  ((:date_to::date + 1)::timestamp at time zone c.timezone at time zone 'UTC') - (
                                    (
                                      (
                                        (
                                          (
                                            :date_to::date + 1
                                          )::timestamp at time zone c.timezone at time zone 'UTC'
                                        ) - interval '3 hours'
                                      ) at time zone 'UTC' at time zone c.timezone
                                    ) + interval '3 hours' - (:date_to::date + 1)::timestamp
                                  )
                                ) at time zone 'UTC' at time zone c.timezone
                              ) >= (:date_to::date + 1)::timestamp then ((:date_to::date + 1)::timestamp at time zone c.timezone at time zone 'UTC') - (
                                (
                                  (
                                    (
                                      (
                                        :date_to::date + 1
                                      )::timestamp at time zone c.timezone at time zone 'UTC'
                                    ) - interval '3 hours'
                                  ) at time zone 'UTC' at time zone c.timezone
                                ) + interval '3 hours' - (:date_to::date + 1)::timestamp
                              )
                                else (
                                  (:date_to::date + 1)::timestamp at time zone c.timezone at time zone 'UTC'
                                )
                                end
                          ) at time zone 'UTC'
                        )
                        from companies c
                        where c.company_id = :company_id
                      )
                  )
                  and (
                    :record::text is null
                      or r.request_id in (
                        select e.request_id
                        from events e
                        where e.company_id = :company_id
                          and e.record = :record
                          and e.record_id = :record_id::bigint
                      )
                  )
                order by r.at desc, r.request_id
                limit 2
                offset greatest(:offset::bigint + :limit::bigint - 1, 0)
              ) x
              having count(*) = 2
            ),
              '-infinity'
          )
      ) p
      group by least(p.position, 100), p.reason
    ) x
  ) as gaps;
