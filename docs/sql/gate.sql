-- gate.count
-- parameters: company_id, counted_at, key_hash, now
-- sent by: every request to the public API
update quotas q
set day = case
  when q.day > (
    :counted_at::timestamptz at time zone c.timezone
  )::date + 2 then (:counted_at::timestamptz at time zone c.timezone)::date
  else greatest(q.day, (:counted_at::timestamptz at time zone c.timezone)::date)
  end,
  used = case
    when case
    when q.day > (
      :counted_at::timestamptz at time zone c.timezone
    )::date + 2 then (:counted_at::timestamptz at time zone c.timezone)::date
    else greatest(q.day, (:counted_at::timestamptz at time zone c.timezone)::date)
    end <> q.day then 0
    else q.used
    end + coalesce(
      coalesce(
        (
          case
            when q.counted_on = case
            when q.day > (
              :counted_at::timestamptz at time zone c.timezone
            )::date + 2 then (:counted_at::timestamptz at time zone c.timezone)::date
            else greatest(q.day, (:counted_at::timestamptz at time zone c.timezone)::date)
            end then q.used_by
            else '{}'
            end ->> k.connection_id::text
        )::int,
          0
      ) < nullif(least(c.daily_limit, n.daily_limit), c.daily_limit),
        true
    )::int,
  counted_on = case
    when q.day > (
      :counted_at::timestamptz at time zone c.timezone
    )::date + 2 then (:counted_at::timestamptz at time zone c.timezone)::date
    else greatest(q.day, (:counted_at::timestamptz at time zone c.timezone)::date)
    end,
  used_by = case
    when (octet_length((case when q.counted_on = case when q.day > (:counted_at::timestamptz at time zone c.timezone)::date + 2 then (:counted_at::timestamptz at time zone c.timezone)::date else greatest(q.day, (:counted_at::timestamptz at time zone c.timezone)::date) end then q.used_by else '{}' end)::text) < 16384 or q.used_by ? k.connection_id::text) then jsonb_set(
      case
        when q.counted_on = case
        when q.day > (
          :counted_at::timestamptz at time zone c.timezone
        )::date + 2 then (:counted_at::timestamptz at time zone c.timezone)::date
        else greatest(q.day, (:counted_at::timestamptz at time zone c.timezone)::date)
        end then q.used_by
        else '{}'
        end,
        array[k.connection_id::text],
        (
          coalesce(
            (
              case
                when q.counted_on = case
                when q.day > (
                  :counted_at::timestamptz at time zone c.timezone
                )::date + 2 then (:counted_at::timestamptz at time zone c.timezone)::date
                else greatest(q.day, (:counted_at::timestamptz at time zone c.timezone)::date)
                end then q.used_by
                else '{}'
                end ->> k.connection_id::text
            )::int,
              0
          ) + 1
        )::text::jsonb
    )
    else case
    when q.counted_on = case
    when q.day > (
      :counted_at::timestamptz at time zone c.timezone
    )::date + 2 then (:counted_at::timestamptz at time zone c.timezone)::date
    else greatest(q.day, (:counted_at::timestamptz at time zone c.timezone)::date)
    end then q.used_by
    else '{}'
    end
    end
from companies c, api_keys k, api_connections n
where q.company_id = :company_id
  and c.company_id = :company_id
  and k.key_hash = :key_hash
  and k.company_id = :company_id
  and k.revoked_at is null
  and (k.expires_at is null or k.expires_at > :now::timestamptz)
  and n.company_id = :company_id
  and n.id = k.connection_id
  and (n.expires_on is null or n.expires_on >= (:now::timestamptz at time zone c.timezone)::date)
returning q.used,
  coalesce((q.used_by ->> k.connection_id::text)::int, 0) as counted,
  c.daily_limit,
  nullif(least(c.daily_limit, n.daily_limit), c.daily_limit) as connection_limit,
  n.read_only,
  n.sections,
  n.networks,
  n.hides_costs,
  (
    extract(
      epoch from least(k.expires_at, (n.expires_on + 1)::timestamp at time zone c.timezone) at time zone 'UTC'
    ) * 1000
  )::float8 as expires_at_ms,
  ceil(
    extract(
      epoch from (
        (
          case
            when (
              (
                (
                  ((q.day + 1)::timestamp at time zone c.timezone at time zone 'UTC') - interval '3 hours'
                ) at time zone 'UTC' at time zone c.timezone
              ) + interval '3 hours' - (q.day + 1)::timestamp
            ) > interval '0'
            and (
              (
                ((q.day + 1)::timestamp at time zone c.timezone at time zone 'UTC') - (
                  (
                    (
                      ((q.day + 1)::timestamp at time zone c.timezone at time zone 'UTC') - interval '3 hours'
                    ) at time zone 'UTC' at time zone c.timezone
                  ) + interval '3 hours' - (q.day + 1)::timestamp
                )
              ) at time zone 'UTC' at time zone c.timezone
            ) >= (q.day + 1)::timestamp then ((q.day + 1)::timestamp at time zone c.timezone at time zone 'UTC') - (
              (
                (
                  ((q.day + 1)::timestamp at time zone c.timezone at time zone 'UTC') - interval '3 hours'
                ) at time zone 'UTC' at time zone c.timezone
              ) + interval '3 hours' - (q.day + 1)::timestamp
            )
              else ((q.day + 1)::timestamp at time zone c.timezone at time zone 'UTC')
              end
        ) at time zone 'UTC'
      ) - :counted_at::timestamptz
    )
  )::bigint as reset_seconds;

-- gate.find_key
-- parameters: key_hash
-- sent by: every request to the public API whose key is not cached
select k.company_id, k.connection_id
from api_keys k
where k.key_hash = :key_hash and k.revoked_at is null and (k.expires_at is null or k.expires_at > now());

-- gate.read_key
-- parameters: company_id, counted_at, key_hash, now
-- sent by: every request to the public API whose key is not cached, or may not make the request
select case
  when case
  when q.day > (
    :counted_at::timestamptz at time zone c.timezone
  )::date + 2 then (:counted_at::timestamptz at time zone c.timezone)::date
  else greatest(q.day, (:counted_at::timestamptz at time zone c.timezone)::date)
  end <> q.day then 0
  else q.used
  end as used,
  coalesce(
    (
      case
        when q.counted_on = case
        when q.day > (
          :counted_at::timestamptz at time zone c.timezone
        )::date + 2 then (:counted_at::timestamptz at time zone c.timezone)::date
        else greatest(q.day, (:counted_at::timestamptz at time zone c.timezone)::date)
        end then q.used_by
        else '{}'
        end ->> k.connection_id::text
    )::int,
      0
  ) as counted,
  c.daily_limit,
  nullif(least(c.daily_limit, n.daily_limit), c.daily_limit) as connection_limit,
  n.read_only,
  n.sections,
  n.networks,
  n.hides_costs,
  (
    extract(
      epoch from least(k.expires_at, (n.expires_on + 1)::timestamp at time zone c.timezone) at time zone 'UTC'
    ) * 1000
  )::float8 as expires_at_ms,
  ceil(
    extract(
      epoch from (
        (
          case
            when (
              (
                (
                  (
                    (
                      case
                        when q.day > (
                          :counted_at::timestamptz at time zone c.timezone
                        )::date + 2 then (:counted_at::timestamptz at time zone c.timezone)::date
                        else greatest(q.day, (:counted_at::timestamptz at time zone c.timezone)::date)
                        end + 1
                    )::timestamp at time zone c.timezone at time zone 'UTC'
                  ) - interval '3 hours'
                ) at time zone 'UTC' at time zone c.timezone
              ) + interval '3 hours' - (
                case
                  when q.day > (
                    :counted_at::timestamptz at time zone c.timezone
                  )::date + 2 then (:counted_at::timestamptz at time zone c.timezone)::date
                  else greatest(q.day, (:counted_at::timestamptz at time zone c.timezone)::date)
                  end + 1
              )::timestamp
            ) > interval '0'
            and (
              (
                ((case when q.day > (:counted_at::timestamptz at time zone c.timezone)::date + 2 then (:counted_at::timestamptz at time zone c.timezone)::date else greatest(q.day, (:counted_at::timestamptz at time zone c.timezone)::date) end + 1)::timestamp at time zone c.timezone at time zone 'UTC') - (
                  (
                    (
                      (
                        (
                          case
                            when q.day > (
                              :counted_at::timestamptz at time zone c.timezone
                            )::date + 2 then (:counted_at::timestamptz at time zone c.timezone)::date
                            else greatest(q.day, (:counted_at::timestamptz at time zone c.timezone)::date)
                            end + 1
                        )::timestamp at time zone c.timezone at time zone 'UTC'
                      ) - interval '3 hours'
                    ) at time zone 'UTC' at time zone c.timezone
                  ) + interval '3 hours' - (
                    case
                      when q.day > (
                        :counted_at::timestamptz at time zone c.timezone
                      )::date + 2 then (:counted_at::timestamptz at time zone c.timezone)::date
                      else greatest(q.day, (:counted_at::timestamptz at time zone c.timezone)::date)
                      end + 1
                  )::timestamp
                )
              ) at time zone 'UTC' at time zone c.timezone
            ) >= (case when q.day > (:counted_at::timestamptz at time zone c.timezone)::date + 2 then (:counted_at::timestamptz at time zone c.timezone)::date else greatest(q.day, (:counted_at::timestamptz at time zone c.timezone)::date) end + 1)::timestamp then ((case when q.day > (:counted_at::timestamptz at time zone c.timezone)::date + 2 then (:counted_at::timestamptz at time zone c.timezone)::date else greatest(q.day, (:counted_at::timestamptz at time zone c.timezone)::date) end + 1)::timestamp at time zone c.timezone at time zone 'UTC') - (
              (
                (
                  (
                    (
                      case
                        when q.day > (
                          :counted_at::timestamptz at time zone c.timezone
                        )::date + 2 then (:counted_at::timestamptz at time zone c.timezone)::date
                        else greatest(q.day, (:counted_at::timestamptz at time zone c.timezone)::date)
                        end + 1
                    )::timestamp at time zone c.timezone at time zone 'UTC'
                  ) - interval '3 hours'
                ) at time zone 'UTC' at time zone c.timezone
              ) + interval '3 hours' - (
                case
                  when q.day > (
                    :counted_at::timestamptz at time zone c.timezone
                  )::date + 2 then (:counted_at::timestamptz at time zone c.timezone)::date
                  else greatest(q.day, (:counted_at::timestamptz at time zone c.timezone)::date)
                  end + 1
              )::timestamp
            )
              else (
                (
                  case
                    when q.day > (
                      :counted_at::timestamptz at time zone c.timezone
                    )::date + 2 then (:counted_at::timestamptz at time zone c.timezone)::date
                    else greatest(q.day, (:counted_at::timestamptz at time zone c.timezone)::date)
                    end + 1
                )::timestamp at time zone c.timezone at time zone 'UTC'
              )
              end
        ) at time zone 'UTC'
      ) - :counted_at::timestamptz
    )
  )::bigint as reset_seconds
from quotas q, companies c, api_keys k, api_connections n
where q.company_id = :company_id
  and c.company_id = :company_id
  and k.key_hash = :key_hash
  and k.company_id = :company_id
  and k.revoked_at is null
  and (k.expires_at is null or k.expires_at > :now::timestamptz)
  and n.company_id = :company_id
  and n.id = k.connection_id
  and (n.expires_on is null or n.expires_on >= (:now::timestamptz at time zone c.timezone)::date);
