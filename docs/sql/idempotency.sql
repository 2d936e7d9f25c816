-- idempotency.find
-- parameters: company_id, key, sent_key, request_hash, day_before
-- sent by: every write with an Idempotency-Key
select request_hash, status, answer
from idempotency_keys
where company_id = :company_id
  and key in (:key, :sent_key)
  and (key = :key or request_hash = :request_hash and status = 200)
  and created_at > :day_before::timestamptz
order by key = :key desc
limit 1;

-- idempotency.forget
-- parameters: company_id, day_before
-- sent by: every write with an Idempotency-Key
delete from idempotency_keys
where company_id = :company_id
  and key in (
    select key
    from idempotency_keys
    where company_id = :company_id and created_at < :day_before::timestamptz
    order by created_at
    limit 4
  );

-- idempotency.insert
-- parameters: company_id, key, request_hash, status, answer, seq, created_at, day_before
-- sent by: every write with an Idempotency-Key
insert into idempotency_keys (company_id, key, request_hash, status, answer, seq, created_at)
values (:company_id, :key, :request_hash, :status, :answer, :seq, :created_at)
on conflict (company_id, key) do update
set request_hash = excluded.request_hash,
  status = excluded.status,
  answer = excluded.answer,
  seq = excluded.seq,
  created_at = excluded.created_at
where idempotency_keys.created_at <= :day_before;

-- idempotency.lock
-- parameters: company_id, key
-- sent by: every write with an Idempotency-Key
select pg_try_advisory_xact_lock(hashtextextended(:key, :company_id::bigint)) as free;

-- idempotency.move
-- parameters: company_id, new_owner, owner
-- sent by: connections/replace
update idempotency_keys k
set key = :new_owner::text || substr(k.key, char_length(:owner::text) + 1)
where k.company_id = :company_id
  and (starts_with(k.key, :owner || ': ') or starts_with(k.key, :owner || ' hashed: '))
  and char_length(k.key) - char_length(:owner) + char_length(:new_owner) <= 255
  and not exists (
    select
    from idempotency_keys o
    where o.company_id = :company_id and o.key = :new_owner || substr(k.key, char_length(:owner) + 1)
  );
