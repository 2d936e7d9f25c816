-- daily_usage.add
-- parameters: company_id, counted_at, session_requests, log_bytes
-- sent by: a timer of the server
update daily_usage u
set day = case
  when u.day > (
    :counted_at::timestamptz at time zone c.timezone
  )::date + 2 then (:counted_at::timestamptz at time zone c.timezone)::date
  else greatest(u.day, (:counted_at::timestamptz at time zone c.timezone)::date)
  end,
  session_requests = case
    when case
    when u.day > (
      :counted_at::timestamptz at time zone c.timezone
    )::date + 2 then (:counted_at::timestamptz at time zone c.timezone)::date
    else greatest(u.day, (:counted_at::timestamptz at time zone c.timezone)::date)
    end <> u.day then 0
    else u.session_requests
    end + :session_requests,
  log_bytes = case
    when case
    when u.day > (
      :counted_at::timestamptz at time zone c.timezone
    )::date + 2 then (:counted_at::timestamptz at time zone c.timezone)::date
    else greatest(u.day, (:counted_at::timestamptz at time zone c.timezone)::date)
    end <> u.day then 0
    else u.log_bytes
    end + :log_bytes
from companies c
where u.company_id = :company_id and c.company_id = :company_id
returning u.session_requests,
  u.log_bytes,
  ceil(
    extract(
      epoch from (
        (
          case
            when (
              (
                (
                  ((u.day + 1)::timestamp at time zone c.timezone at time zone 'UTC') - interval '3 hours'
                ) at time zone 'UTC' at time zone c.timezone
              ) + interval '3 hours' - (u.day + 1)::timestamp
            ) > interval '0'
            and (
              (
                ((u.day + 1)::timestamp at time zone c.timezone at time zone 'UTC') - (
                  (
                    (
                      ((u.day + 1)::timestamp at time zone c.timezone at time zone 'UTC') - interval '3 hours'
                    ) at time zone 'UTC' at time zone c.timezone
                  ) + interval '3 hours' - (u.day + 1)::timestamp
                )
              ) at time zone 'UTC' at time zone c.timezone
            ) >= (u.day + 1)::timestamp then ((u.day + 1)::timestamp at time zone c.timezone at time zone 'UTC') - (
              (
                (
                  ((u.day + 1)::timestamp at time zone c.timezone at time zone 'UTC') - interval '3 hours'
                ) at time zone 'UTC' at time zone c.timezone
              ) + interval '3 hours' - (u.day + 1)::timestamp
            )
              else ((u.day + 1)::timestamp at time zone c.timezone at time zone 'UTC')
              end
        ) at time zone 'UTC'
      ) - :counted_at::timestamptz
    )
  )::bigint as reset_seconds;

-- daily_usage.insert
-- parameters: company_id, timezone
-- sent by: kontor company create, session/confirm_sign_up, session/sign_up
insert into daily_usage (company_id, day)
values (:company_id, (now() at time zone :timezone)::date);
