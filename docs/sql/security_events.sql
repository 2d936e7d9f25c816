-- security_events.insert
-- parameters: company_id, id, at, kind, user_id, about_user_id, detail, address, browser, system
-- sent by: company/delete, company/keep, connections/add, connections/replace, identity_provider/delete, identity_provider/set, invitations/accept, invitations/delete, keys/revoke, keys/roll, kontor key create, kontor key revoke, kontor user end, kontor user invite, kontor user password, kontor user reset-second-factors, passkeys/add, passkeys/delete, second_factors/confirm_authenticator, second_factors/delete_authenticator, second_factors/renew_recovery_codes, session/change_password, session/reset_password, session/sign_out, sessions/end, sessions/end_others, test_company/make, the archive of the company, users/delete, users/edit, users/end_sessions, users/invite, users/reset_second_factors
insert into security_events (
  company_id, id, at, kind, user_id, about_user_id, detail, address, browser, system
)
values (:company_id, :id, :at, :kind, :user_id, :about_user_id, :detail, :address, :browser, :system);

-- security_events.insert_failure
-- parameters: company_id, id, at, kind, user_id, about_user_id, detail, address, browser, system
-- sent by: session/sign_in, after the response to a wrong password
insert into security_events (
  company_id, id, at, kind, user_id, about_user_id, detail, address, browser, system
)
select k.company_id,
  :id::text,
  :at::timestamptz,
  :kind::text,
  :user_id::bigint,
  :about_user_id::bigint,
  :detail::text,
  :address::text,
  :browser::text,
  :system::text
from company_clock k
where k.company_id = :company_id
  and (
    select count(*)
    from security_events e
    where e.company_id = :company_id and e.kind = :kind and e.at > :at::timestamptz - interval '1 hour'
  ) < 100;

-- security_events.insert_sign_in
-- parameters: company_id, id, secret_hash
-- sent by: invitations/accept, session/confirm_sign_up, session/open_test_company, session/passkey_sign_in, session/second_factor, session/sign_in, session/sign_up, session/single_sign_on
insert into security_events (
  company_id, id, at, kind, user_id, about_user_id, detail, address, browser, system
)
select s.company_id,
  :id::text,
  s.created_at,
  'signed_in',
  s.user_id,
  null,
  null,
  s.address,
  s.browser,
  s.system
from sessions s
where s.company_id = :company_id and s.secret_hash = :secret_hash;

-- security_events.list
-- parameters: company_id, kinds, user_id, search, date_from, date_to, limit, offset
-- sent by: security_events/get_list
select (
  select count(*)
  from security_events e
  where e.company_id = :company_id
    and (:kinds::text[] is null or e.kind = any(:kinds::text[]))
    and (:user_id::bigint is null or e.user_id = :user_id or e.about_user_id = :user_id)
    and (
      :search::text is null
        or replace(
          replace(
            replace(
              lower(
                concat_ws(
                  ' ',
                    (select u.name from users u where u.company_id = :company_id and u.id = e.user_id),
                    (select u.name from users u where u.company_id = :company_id and u.id = e.about_user_id),
                    e.detail,
                    e.address,
                    e.browser,
                    e.system
                )
              ),
                'ß',
                'ss'
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
        or e.at >= (
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
        or e.at < (
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
) as total,
  (
    select coalesce(string_agg(x.json, ',' order by x.at desc, x.id desc), '')
    from (
      select concat(
        '{"id":',
          to_json(e.id),
          ',"at":',
          to_char(e.at at time zone 'UTC', '"\""YYYY-MM-DD"T"HH24:MI:SS.US"Z\""'),
          ',"kind":',
          to_json(e.kind),
          ',"user_id":',
          coalesce(e.user_id::text, 'null'),
          ',"user_name":',
          coalesce(
            to_json((select u.name from users u where u.company_id = :company_id and u.id = e.user_id))::text,
              'null'
          ),
          ',"about_name":',
          coalesce(
            to_json(
              (select u.name from users u where u.company_id = :company_id and u.id = e.about_user_id)
            )::text,
              'null'
          ),
          ',"detail":',
          coalesce(to_json(e.detail)::text, 'null'),
          ',"address":',
          coalesce(to_json(e.address)::text, 'null'),
          ',"browser":',
          coalesce(to_json(e.browser)::text, 'null'),
          ',"system":',
          coalesce(to_json(e.system)::text, 'null'),
          '}'
      ) as json,
        e.at,
        e.id
      from security_events e
      where e.company_id = :company_id
        and (:kinds::text[] is null or e.kind = any(:kinds::text[]))
        and (:user_id::bigint is null or e.user_id = :user_id or e.about_user_id = :user_id)
        and (
          :search::text is null
            or replace(
              replace(
                replace(
                  lower(
                    concat_ws(
                      ' ',
                        (select u.name from users u where u.company_id = :company_id and u.id = e.user_id),
                        (
                          select u.name
                          from users u
                          where u.company_id = :company_id and u.id = e.about_user_id
                        ),
                        e.detail,
                        e.address,
                        e.browser,
                        e.system
                    )
                  ),
                    'ß',
                    'ss'
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
            or e.at >= (
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
            or e.at < (
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
      order by e.at desc, e.id desc
      limit :limit::bigint
      offset :offset::bigint
    ) x
  ) as rows;
