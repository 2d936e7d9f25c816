-- session.overview
-- parameters: company_id, user_id
-- sent by: session/get
select json_build_object(
  'user',
    (
      select json_build_object('id', u.id, 'name', u.name, 'email', u.email, 'role', u.role)
      from users u
      where u.company_id = :company_id and u.id = :user_id
    ),
    'company',
    json_build_object(
      'id',
        c.company_id,
        'name',
        c.name,
        'timezone',
        c.timezone,
        'currency',
        c.currency,
        'test_of',
        c.test_of,
        'delete_at',
        to_char(c.delete_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"')
    ),
    'settings',
    json_build_object(
      'name',
        c.name,
        'currency',
        c.currency,
        'first_sale_number',
        c.first_sale_number,
        'timezone',
        c.timezone,
        'default_sale_status',
        c.default_sale_status,
        'materials_in_sales',
        c.materials_in_sales,
        'products_storage_id',
        c.products_storage_id,
        'materials_storage_id',
        c.materials_storage_id,
        'default_fulfillment',
        c.default_fulfillment,
        'show_payment_status',
        c.show_payment_status,
        'daily_limit',
        c.daily_limit,
        'requires_second_factor',
        c.requires_second_factor,
        'prices_include_tax',
        c.prices_include_tax,
        'default_tax_rate_id',
        c.default_tax_rate_id
    ),
    'requests',
    (
      select json_build_object(
        'used',
          case when d.today > q.day then 0 else q.used end,
          'daily_limit',
          c.daily_limit,
          'reset_seconds',
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
                              greatest(q.day, d.today) + 1
                            )::timestamp at time zone c.timezone at time zone 'UTC'
                          ) - interval '3 hours'
                        ) at time zone 'UTC' at time zone c.timezone
                      ) + interval '3 hours' - (greatest(q.day, d.today) + 1)::timestamp
                    ) > interval '0'
                    and (
                      (
                        ((greatest(q.day, d.today) + 1)::timestamp at time zone c.timezone at time zone 'UTC') - (
                          (
                            (
                              (
                                (
                                  greatest(q.day, d.today) + 1
                                )::timestamp at time zone c.timezone at time zone 'UTC'
                              ) - interval '3 hours'
                            ) at time zone 'UTC' at time zone c.timezone
                          ) + interval '3 hours' - (greatest(q.day, d.today) + 1)::timestamp
                        )
                      ) at time zone 'UTC' at time zone c.timezone
                    ) >= (greatest(q.day, d.today) + 1)::timestamp then ((greatest(q.day, d.today) + 1)::timestamp at time zone c.timezone at time zone 'UTC') - (
                      (
                        (
                          (
                            (
                              greatest(q.day, d.today) + 1
                            )::timestamp at time zone c.timezone at time zone 'UTC'
                          ) - interval '3 hours'
                        ) at time zone 'UTC' at time zone c.timezone
                      ) + interval '3 hours' - (greatest(q.day, d.today) + 1)::timestamp
                    )
                      else (
                        (greatest(q.day, d.today) + 1)::timestamp at time zone c.timezone at time zone 'UTC'
                      )
                      end
                ) at time zone 'UTC'
              ) - now()
            )
          )::bigint
      )
      from quotas q
      where q.company_id = :company_id
    ),
    'has_second_factor',
    (
      exists (
        select
        from authenticators f
        where f.company_id = :company_id and f.user_id = :user_id::bigint and f.confirmed_at is not null
      )
        or exists (select from passkeys f where f.company_id = :company_id and f.user_id = :user_id::bigint)
    ),
    'must_set_up_second_factor',
    c.requires_second_factor
      and not (
        exists (
          select
          from authenticators f
          where f.company_id = :company_id and f.user_id = :user_id::bigint and f.confirmed_at is not null
        )
          or exists (select from passkeys f where f.company_id = :company_id and f.user_id = :user_id::bigint)
      ),
    'shows_first_steps',
    c.shows_first_steps or c.example_from_seq is not null,
    'today',
    to_char(d.today, 'YYYY-MM-DD'),
    'seq',
    (select k.seq from company_clock k where k.company_id = :company_id)
) as overview
from companies c
cross join lateral (select (now() at time zone c.timezone)::date as today) d
where c.company_id = :company_id;
