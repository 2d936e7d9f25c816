-- mails.cancel_resets
-- parameters: company_id, at, user_id
-- sent by: kontor user password, session/change_password, session/reset_password
update mails
set status = 'canceled', ended_at = :at, lease = null, leased_until = null, next_at = null
where company_id = :company_id and user_id = :user_id and kind = 'password_reset' and status = 'queued';

-- mails.clear_company
-- parameters: company_id
-- sent by: the sender of mails
update mail_companies
set has_queued = false
where company_id = :company_id;

-- mails.clear_shortages
-- parameters: company_id
-- sent by: the sender of mails
update mail_companies
set has_shortage_mails = false
where company_id = :company_id;

-- mails.companies
-- parameters: after, limit
-- sent by: the sender of mails
select company_id
from mail_companies
where has_queued and company_id > :after
order by company_id
limit :limit;

-- mails.company_name
-- parameters: company_id
-- sent by: the sender of mails
select name as company
from companies
where company_id = :company_id;

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

-- mails.facts_of_order_confirmation
-- parameters: company_id, document_id
-- sent by: documents/send
select exists (select from sales d where d.company_id = :company_id and d.id = :document_id) as exists,
  (
    select count(*)
    from mails m
    where m.company_id = :company_id
      and m.created_at > now() - interval '24 hours'
      and m.kind in ('invitation', 'quote', 'document')
  ) as mails,
  k.document_language,
  k.country
from companies k
where k.company_id = :company_id;

-- mails.facts_of_purchase_order
-- parameters: company_id, document_id
-- sent by: documents/send
select exists (select from purchases d where d.company_id = :company_id and d.id = :document_id) as exists,
  (
    select count(*)
    from mails m
    where m.company_id = :company_id
      and m.created_at > now() - interval '24 hours'
      and m.kind in ('invitation', 'quote', 'document')
  ) as mails,
  k.document_language,
  k.country
from companies k
where k.company_id = :company_id;

-- mails.find_companies
-- parameters: email_hash
-- sent by: the sender of mails
select s.company_id, s.user_id
from sign_ins s
where s.email_hash = :email_hash
union all
select f.company_id, f.user_id
from further_sign_ins f
where f.email_hash = :email_hash
order by company_id
limit 40;

-- mails.find_user
-- parameters: company_id, email_hash
-- sent by: the sender of mails
select (
  exists (select from sign_ins s where s.company_id = :company_id and s.email_hash = :email_hash)
    or exists (select from further_sign_ins f where f.company_id = :company_id and f.email_hash = :email_hash)
) as is_user
from companies c
where c.company_id = :company_id;

-- mails.insert
-- parameters: company_id, mail_id, kind, recipient, language, user_id, at
-- sent by: session/request_reset, session/reset_password, users/invite
insert into mails (company_id, id, kind, recipient, language, user_id, created_at)
values (:company_id, :mail_id, :kind, :recipient, :language, :user_id, :at);

-- mails.insert_document
-- parameters: company_id, mail_id, recipient, language, user_id, paper, document_id, at
-- sent by: documents/send
insert into mails (company_id, id, kind, recipient, language, user_id, paper, document_id, created_at)
values (:company_id, :mail_id, 'document', :recipient, :language, :user_id, :paper, :document_id, :at);

-- mails.insert_further_reset
-- parameters: company_id, mail_id, recipient, language, user_id, age_ms
-- sent by: the sender of mails
insert into mails (company_id, id, kind, recipient, language, user_id, created_at)
values (
  :company_id,
    :mail_id,
    'password_reset',
    :recipient,
    :language,
    :user_id,
    now() - :age_ms::float8 * interval '1 millisecond'
)
on conflict (company_id, id) do nothing;

-- mails.insert_invitation
-- parameters: company_id, mail_id, kind, recipient, language, user_id, invitation_id, at
-- sent by: users/invite
insert into mails (company_id, id, kind, recipient, language, user_id, invitation_id, created_at)
values (:company_id, :mail_id, :kind, :recipient, :language, :user_id, :invitation_id, :at);

-- mails.insert_invitation_link
-- parameters: company_id, token_hash, mail_id, lease
-- sent by: the sender of mails
insert into mail_links as added (company_id, token_hash, mail_id, invitation_id, created_at, expires_at)
select m.company_id, :token_hash, m.id, i.id, now(), i.expires_at
from mails m
join invitations i on i.company_id = :company_id and i.id = m.invitation_id and i.expires_at > now()
where m.company_id = :company_id and m.id = :mail_id and m.lease = :lease
returning token_hash;

-- mails.insert_quote
-- parameters: company_id, mail_id, recipient, language, user_id, quote_id, at
-- sent by: quotes/send
insert into mails (company_id, id, kind, recipient, language, user_id, quote_id, created_at)
values (:company_id, :mail_id, 'quote', :recipient, :language, :user_id, :quote_id, :at);

-- mails.insert_reset_link
-- parameters: company_id, token_hash, mail_id, lease
-- sent by: the sender of mails
insert into mail_links as added (company_id, token_hash, mail_id, user_id, created_at, expires_at)
select m.company_id, :token_hash, m.id, u.id, now(), m.created_at + interval '30 minutes'
from mails m
join users u on u.company_id = :company_id and u.id = m.user_id and u.deleted_at is null
where m.company_id = :company_id
  and m.id = :mail_id
  and m.lease = :lease
  and m.status = 'queued'
  and m.created_at > now() - interval '30 minutes'
returning token_hash;

-- mails.insert_sign_up
-- parameters: company_id, mail_id, language, at
-- sent by: session/sign_up
insert into mails as added (company_id, id, kind, recipient, language, created_at)
select p.company_id, :mail_id::text, 'sign_up', p.email, :language::text, p.created_at
from pending_sign_ups p
where p.company_id = :company_id
  and p.created_at = :at::timestamptz
  and not exists (select from companies c where c.company_id = :company_id)
returning id;

-- mails.insert_sign_up_link
-- parameters: company_id, token_hash, mail_id, lease
-- sent by: the sender of mails
insert into mail_links as added (company_id, token_hash, mail_id, created_at, expires_at)
select m.company_id, :token_hash, m.id, now(), p.expires_at
from mails m
join pending_sign_ups p on p.company_id = :company_id and p.expires_at > now()
where m.company_id = :company_id and m.id = :mail_id and m.lease = :lease and m.status = 'queued'
returning token_hash;

-- mails.insert_webhook_disabled
-- parameters: company_id, mail_id, recipient, language, user_id, webhook_id, at
-- sent by: the sender of webhooks, after 410 or five days of failures
insert into mails (company_id, id, kind, recipient, language, user_id, webhook_id, created_at)
values (:company_id, :mail_id, 'webhook_disabled', :recipient, :language, :user_id, :webhook_id, :at);

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
returning m.id,
  m.kind,
  m.recipient,
  m.language,
  m.user_id,
  m.invitation_id,
  m.webhook_id,
  m.quote_id,
  m.paper,
  m.document_id,
  m.attempts,
  oldest.age_ms;

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
-- sent by: documents/send, quotes/send, session/request_reset, session/reset_password, session/sign_up, users/invite
insert into mail_companies (company_id, has_queued)
values (:company_id, true)
on conflict (company_id) do update
set has_queued = true;

-- mails.note_further
-- parameters: company_id
-- sent by: the sender of mails
insert into mail_companies (company_id, has_queued)
values (:company_id, true)
on conflict (company_id) do update
set has_queued = true;

-- mails.note_shortages
-- parameters: company_id
-- sent by: session/edit_mails
insert into mail_companies (company_id, has_queued, has_shortage_mails)
values (:company_id, false, true)
on conflict (company_id) do update
set has_shortage_mails = true;

-- mails.order_confirmation
-- parameters: company_id, document_id
-- sent by: the sender of mails
select coalesce(nullif(k.legal_name, ''), k.name) as company, k.email, d.num
from sales d
join companies k on k.company_id = :company_id
where d.company_id = :company_id and d.id = :document_id;

-- mails.owners
-- parameters: company_id
-- sent by: the sender of webhooks, after 410 or five days of failures
select coalesce(
  json_agg(json_build_object('id', o.id, 'email', o.email, 'language', o.language) order by o.id), '[]'
) as owners
from (
  select u.id, u.email, u.language
  from users u
  where u.company_id = :company_id and u.role = 'owner' and u.deleted_at is null
  order by u.id
  limit 20
) o;

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

-- mails.purchase_order
-- parameters: company_id, document_id
-- sent by: the sender of mails
select coalesce(nullif(k.legal_name, ''), k.name) as company, k.email, d.num
from purchases d
join companies k on k.company_id = :company_id
where d.company_id = :company_id and d.id = :document_id;

-- mails.quote
-- parameters: company_id, quote_id, mail_id
-- sent by: the sender of mails
select coalesce(nullif(k.legal_name, ''), k.name) as company,
  k.email,
  d.num,
  to_char(d.valid_until, 'YYYY-MM-DD') as valid_until
from quote_links l
join quotes d on d.company_id = :company_id and d.id = l.quote_id
join companies k on k.company_id = :company_id
where l.company_id = :company_id
  and l.quote_id = :quote_id
  and l.mail_id = :mail_id
  and l.revoked_at is null
  and d.status = 1
  and not (d.status = 1 and d.valid_until < (now() at time zone k.timezone)::date);

-- mails.quote_facts
-- parameters: company_id
-- sent by: quotes/send
select (
  select count(*)
  from mails m
  where m.company_id = :company_id
    and m.created_at > now() - interval '24 hours'
    and m.kind in ('invitation', 'quote', 'document')
) as mails,
  k.document_language,
  k.country
from companies k
where k.company_id = :company_id;

-- mails.recipient_of_order_confirmation
-- parameters: company_id, document_id
-- sent by: documents/get_recipient
select u.email
from sales d
join customers u on u.company_id = :company_id and u.id = d.customer_id
where d.company_id = :company_id and d.id = :document_id;

-- mails.recipient_of_purchase_order
-- parameters: company_id, document_id
-- sent by: documents/get_recipient
select u.email
from purchases d
join suppliers u on u.company_id = :company_id and u.id = d.supplier_id
where d.company_id = :company_id and d.id = :document_id;

-- mails.renew
-- parameters: company_id, lease_ms, mail_id, lease
-- sent by: the sender of mails
update mails
set leased_until = now() + :lease_ms::integer * interval '1 millisecond'
where company_id = :company_id and id = :mail_id and lease = :lease
returning id;

-- mails.shortage_companies
-- parameters: after, limit
-- sent by: the sender of mails
select company_id
from mail_companies
where has_shortage_mails and company_id > :after
order by company_id
limit :limit;

-- mails.shortages_due
-- parameters: company_id
-- sent by: the sender of mails
select to_char(d.at, 'YYYY-MM-DD') as today,
  (
    select count(*)
    from users w
    where w.company_id = :company_id and w.shortages_daily and w.deleted_at is null
  ) as wanted,
  (
    select coalesce(json_agg(u.id), '[]')
    from users u
    where u.company_id = :company_id
      and u.shortages_daily
      and u.deleted_at is null
      and extract(hour from d.at) >= 6
      and (u.shortages_on is null or u.shortages_on < d.at::date)
  ) as ids
from companies c
cross join lateral (select now() at time zone c.timezone as at) d
where c.company_id = :company_id;

-- mails.sign_up
-- parameters: company_id
-- sent by: the sender of mails
select company_id
from pending_sign_ups
where company_id = :company_id and expires_at > now();

-- mails.take_shortage_day
-- parameters: company_id, today, user_ids
-- sent by: the sender of mails
update users
set shortages_on = :today::date
where company_id = :company_id
  and id = any(:user_ids::bigint[])
  and shortages_daily
  and (shortages_on is null or shortages_on < :today::date)
returning id, email, language;

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

-- mails.webhook
-- parameters: company_id, webhook_id
-- sent by: the sender of mails
select c.name as company, w.url, w.disabled_reason as reason
from webhook_endpoints w
join companies c on c.company_id = :company_id
where w.company_id = :company_id
  and w.id = :webhook_id
  and not w.enabled
  and w.disabled_reason in ('gone', 'failing');
