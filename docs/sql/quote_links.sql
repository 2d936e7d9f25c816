-- quote_links.decide
-- parameters: company_id, decision, at, name, address, token_hash
-- sent by: quotes/accept_shared, quotes/decline_shared
update quote_links l
set decision = :decision, decided_at = :at, decided_by = :name, decided_from = :address
from quote_tokens t
where t.company_id = :company_id
  and t.token_hash = :token_hash
  and l.company_id = :company_id
  and l.quote_id = t.quote_id
  and l.number = t.number;

-- quote_links.drop_old
-- parameters: company_id, quote_id
-- sent by: quotes/send
delete from quote_links l
where l.company_id = :company_id
  and l.quote_id = :quote_id
  and l.number <= (
    select max(n.number) - 20
    from quote_links n
    where n.company_id = :company_id and n.quote_id = :quote_id
  );

-- quote_links.find_quote
-- parameters: company_id, token_hash
-- sent by: quotes/accept_shared, quotes/decline_shared
select t.quote_id
from quote_tokens t
where t.company_id = :company_id and t.token_hash = :token_hash;

-- quote_links.find_shared
-- parameters: company_id, token_hash
-- sent by: quotes/get_shared
select (c.revoked_at is not null or d.status = 0) as is_revoked,
  (d.status = 1 and d.valid_until < (now() at time zone k.timezone)::date) as is_expired,
  k.document_language,
  k.country,
  concat(
    '{"name":',
      to_json(coalesce(nullif(k.legal_name, ''), k.name)),
      ',"address":',
      to_json(k.address),
      ',"country":',
      to_json(k.country),
      ',"email":',
      to_json(k.email),
      ',"phone":',
      to_json(k.phone),
      ',"vat_number":',
      to_json(k.vat_number),
      ',"registration":',
      to_json(k.registration),
      ',"currency":',
      to_json(k.currency),
      '}'
  ) as company,
  concat(
    '{"num":',
      to_json(d.num),
      ',"status":',
      d.status,
      ',"date_placed":',
      concat('"', d.date_placed, '"'),
      ',"valid_until":',
      concat('"', d.valid_until, '"'),
      ',"customer_name":',
      to_json(u.name),
      ',"subtotal":',
      trim_scale(d.subtotal),
      ',"delivery_price":',
      trim_scale(d.delivery_price),
      ',"discount":',
      trim_scale(d.discount),
      ',"total":',
      trim_scale(d.total),
      ',"notes":',
      to_json(d.notes),
      '}'
  ) as quote,
  d.tax,
  coalesce(
    (
      select concat(
        '{"at":',
          to_char(c.decided_at at time zone 'UTC', '"\""YYYY-MM-DD"T"HH24:MI:SS.US"Z\""'),
          ',"by":',
          to_json(coalesce(c.decided_by, '')),
          '}'
      )
      where c.decision is not null
    ),
      'null'
  ) as decided,
  coalesce(
    (
      select '[' || string_agg(
        concat(
          '{"name":',
            to_json(i.name),
            ',"sku":',
            to_json(i.sku),
            ',"amount":',
            trim_scale(l.amount),
            ',"unit":',
            to_json(n.name),
            ',"price":',
            trim_scale(round(l.total / l.amount, 2)),
            ',"total":',
            trim_scale(l.total),
            '}'
        ),
          ',' order by l.position
      )
        || ']'
      from quote_lines l
      join items i on i.company_id = :company_id and i.id = l.item_id
      join units n on n.company_id = :company_id and n.id = i.unit_id
      where l.company_id = :company_id and l.quote_id = d.id
    ),
      '[]'
  ) as lines
from quote_tokens t
join quote_links c on c.company_id = :company_id and c.quote_id = t.quote_id and c.number = t.number
join quotes d on d.company_id = :company_id and d.id = c.quote_id
join companies k on k.company_id = :company_id
join customers u on u.company_id = :company_id and u.id = d.customer_id
where t.company_id = :company_id and t.token_hash = :token_hash;

-- quote_links.insert
-- parameters: company_id, mail_id, at, quote_id
-- sent by: quotes/send
insert into quote_links (company_id, quote_id, number, mail_id, sent_at)
select q.company_id,
  q.id,
  coalesce(
    (select max(l.number) from quote_links l where l.company_id = :company_id and l.quote_id = q.id), 0
  ) + 1,
  :mail_id::text,
  :at::timestamptz
from quotes q
where q.company_id = :company_id and q.id = :quote_id;

-- quote_links.insert_mailed_token
-- parameters: company_id, token_hash, mail_id, lease
-- sent by: the sender of mails
insert into quote_tokens as added (company_id, token_hash, quote_id, number)
select m.company_id, :token_hash::bytea, l.quote_id, l.number
from mails m
join quote_links l on l.company_id = :company_id
  and l.quote_id = m.quote_id
  and l.mail_id = m.id
  and l.revoked_at is null
join quotes d on d.company_id = :company_id and d.id = l.quote_id
join companies k on k.company_id = :company_id
where m.company_id = :company_id
  and m.id = :mail_id
  and m.lease = :lease
  and m.status = 'queued'
  and d.status = 1
  and not (d.status = 1 and d.valid_until < (now() at time zone k.timezone)::date)
returning token_hash;

-- quote_links.insert_token
-- parameters: company_id, token_hash, quote_id
-- sent by: quotes/send
insert into quote_tokens (company_id, token_hash, quote_id, number)
select l.company_id, decode(:token_hash, 'base64'), l.quote_id, l.number
from quote_links l
where l.company_id = :company_id and l.quote_id = :quote_id
order by l.number desc
limit 1;

-- quote_links.open
-- parameters: company_id, at, address, token_hash
-- sent by: quotes/get_shared
update quote_links l
set opened = least(l.opened, 2147483646) + 1,
  first_opened_at = coalesce(l.first_opened_at, :at::timestamptz),
  first_opened_from = coalesce(l.first_opened_from, :address::text),
  last_opened_at = :at::timestamptz,
  last_opened_from = :address::text
from quote_tokens t, quotes d, companies k
where t.company_id = :company_id
  and t.token_hash = :token_hash
  and l.company_id = :company_id
  and l.quote_id = t.quote_id
  and l.number = t.number
  and l.revoked_at is null
  and d.company_id = :company_id
  and d.id = l.quote_id
  and k.company_id = :company_id
  and not (d.status = 1 and d.valid_until < (now() at time zone k.timezone)::date);

-- quote_links.revoke
-- parameters: company_id, at, quote_id
-- sent by: quotes/reopen, quotes/revoke, quotes/send
update quote_links
set revoked_at = :at
where company_id = :company_id and quote_id = :quote_id and revoked_at is null;

-- quote_links.state
-- parameters: company_id, token_hash
-- sent by: quotes/accept_shared, quotes/decline_shared
select (
  select json_build_object(
    'is_revoked',
      l.revoked_at is not null or d.status = 0,
      'is_expired',
      (d.status = 1 and d.valid_until < (now() at time zone k.timezone)::date)
  )
  from quote_tokens t
  join quote_links l on l.company_id = :company_id and l.quote_id = t.quote_id and l.number = t.number
  join quotes d on d.company_id = :company_id and d.id = l.quote_id
  join companies k on k.company_id = :company_id
  where t.company_id = :company_id and t.token_hash = :token_hash
) as link;
