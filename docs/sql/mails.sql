-- mails.clear_company
-- parameters: company_id
-- sent by: the sender of mails
update mail_companies
set has_queued = false
where company_id = :company_id
  and not exists (select from mails m where m.company_id = :company_id and m.status = 'queued');

-- mails.companies
-- parameters: after, limit
-- sent by: the sender of mails
select company_id
from mail_companies
where has_queued and company_id > :after
order by company_id
limit :limit;

-- mails.end
-- parameters: company_id, status, response, mail_id, lease
-- sent by: the sender of mails
update mails
set status = :status,
  response = :response,
  ended_at = now(),
  lease = null,
  leased_until = null,
  next_at = null
where company_id = :company_id and id = :mail_id and lease = :lease and status = 'queued'
returning id;

-- mails.find_account
-- parameters: email_hash
-- sent by: the sender of mails
select company_id
from sign_ins
where email_hash = :email_hash;

-- mails.insert_invitation
-- parameters: company_id, mail_id, kind, recipient, language, user_id, invitation_id, at
-- sent by: users/invite
insert into mails (company_id, id, kind, recipient, language, user_id, invitation_id, created_at)
values (:company_id, :mail_id, :kind, :recipient, :language, :user_id, :invitation_id, :at);

-- mails.insert_invitation_link
-- parameters: company_id, token_hash, mail_id, lease
-- sent by: the sender of mails
insert into mail_links (company_id, token_hash, mail_id, invitation_id, created_at, expires_at)
select m.company_id, :token_hash, m.id, i.id, now(), i.expires_at
from mails m
join invitations i on i.company_id = :company_id and i.id = m.invitation_id and i.expires_at > now()
where m.company_id = :company_id and m.id = :mail_id and m.lease = :lease
returning token_hash;

-- mails.invitation
-- parameters: company_id, user_id, invitation_id
-- sent by: the sender of mails
select c.name as company,
  i.role,
  (select u.name from users u where u.company_id = :company_id and u.id = :user_id) as inviter
from invitations i
join companies c on c.company_id = :company_id
where i.company_id = :company_id and i.id = :invitation_id and i.expires_at > now();

-- mails.lease
-- parameters: company_id, lease, lease_ms
-- sent by: the sender of mails
update mails m
set lease = :lease,
  leased_until = now() + :lease_ms::integer * interval '1 millisecond',
  attempts = least(m.attempts + 1, 1000)
from (
  select p.id, extract(epoch from now() - p.created_at)::float8 * 1000 as age_ms
  from mails p
  where p.company_id = :company_id
    and p.status = 'queued'
    and (p.next_at is null or p.next_at <= now())
    and (p.leased_until is null or p.leased_until <= now() or p.leased_until > now() + interval '1 minute')
  order by p.created_at, p.id
  limit 1
) oldest
where m.company_id = :company_id
  and m.status = 'queued'
  and (m.next_at is null or m.next_at <= now())
  and (m.leased_until is null or m.leased_until <= now() or m.leased_until > now() + interval '1 minute')
  and m.id = oldest.id
returning m.id, m.kind, m.recipient, m.language, m.user_id, m.invitation_id, m.attempts, oldest.age_ms;

-- mails.list
-- parameters: company_id, limit, offset
-- sent by: mails/get_list
select (select count(*) from mails m where m.company_id = :company_id) as total,
  (
    select coalesce(string_agg(x.json, ',' order by x.created_at desc, x.id desc), '')
    from (
      select concat(
        '{"id":',
          to_json(m.id),
          ',"kind":',
          to_json(m.kind),
          ',"recipient":',
          to_json(m.recipient),
          ',"status":',
          to_json(m.status),
          ',"attempts":',
          m.attempts,
          ',"created_at":',
          to_char(m.created_at at time zone 'UTC', '"\""YYYY-MM-DD"T"HH24:MI:SS.US"Z\""'),
          ',"ended_at":',
          coalesce(to_char(m.ended_at at time zone 'UTC', '"\""YYYY-MM-DD"T"HH24:MI:SS.US"Z\""'), 'null'),
          ',"next_at":',
          coalesce(to_char(m.next_at at time zone 'UTC', '"\""YYYY-MM-DD"T"HH24:MI:SS.US"Z\""'), 'null'),
          ',"response":',
          coalesce(to_json(m.response)::text, 'null'),
          '}'
      ) as json,
        m.created_at,
        m.id
      from mails m
      where m.company_id = :company_id
      order by m.created_at desc, m.id desc
      limit :limit::bigint
      offset :offset::bigint
    ) x
  ) as rows;

-- mails.lock_company
-- parameters: company_id
-- sent by: the sender of mails
select company_id
from mail_companies
where company_id = :company_id for update;

-- mails.note_company
-- parameters: company_id
-- sent by: users/invite
insert into mail_companies (company_id, has_queued)
values (:company_id, true)
on conflict (company_id) do update
set has_queued = true;

-- mails.postpone
-- parameters: company_id, response, pause_ms, mail_id, lease
-- sent by: the sender of mails
update mails
set response = :response,
  next_at = now() + :pause_ms::integer * interval '1 millisecond',
  lease = null,
  leased_until = null
where company_id = :company_id and id = :mail_id and lease = :lease and status = 'queued'
returning id;

-- mails.renew
-- parameters: company_id, lease_ms, mail_id, lease
-- sent by: the sender of mails
update mails
set leased_until = now() + :lease_ms::integer * interval '1 millisecond'
where company_id = :company_id and id = :mail_id and lease = :lease
returning id;

-- mails.waiting
-- parameters: company_id
-- sent by: the sender of mails
select count(*) as queued,
  count(*) filter (
    where (m.next_at is null or m.next_at <= now())
      and (m.leased_until is null or m.leased_until <= now() or m.leased_until > now() + interval '1 minute')
  ) as due,
  extract(epoch from now() - min(m.created_at))::float8 * 1000 as oldest_ms
from mails m
where m.company_id = :company_id and m.status = 'queued';
