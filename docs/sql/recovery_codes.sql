-- recovery_codes.delete
-- parameters: company_id, user_id
-- sent by: kontor user reset-second-factors, passkeys/add, second_factors/confirm_authenticator, second_factors/renew_recovery_codes, users/reset_second_factors
delete from recovery_codes
where company_id = :company_id and user_id = :user_id;

-- recovery_codes.delete_unused
-- parameters: company_id, user_id
-- sent by: passkeys/delete, second_factors/delete_authenticator
delete from recovery_codes
where company_id = :company_id
  and user_id = :user_id
  and not (
    exists (
      select
      from authenticators f
      where f.company_id = :company_id and f.user_id = :user_id::bigint and f.confirmed_at is not null
    )
      or exists (select from passkeys f where f.company_id = :company_id and f.user_id = :user_id::bigint)
  );

-- recovery_codes.insert
-- parameters: company_id, user_id, at, code_hashes
-- sent by: passkeys/add, second_factors/confirm_authenticator, second_factors/renew_recovery_codes
insert into recovery_codes (company_id, user_id, code_hash, created_at)
select k.company_id, :user_id::bigint, h.code_hash, :at::timestamptz
from company_clock k
cross join unnest(:code_hashes::bytea[]) h (code_hash)
where k.company_id = :company_id;

-- recovery_codes.use
-- parameters: company_id, user_id, code_hash
-- sent by: session/confirm, session/second_factor
delete from recovery_codes
where company_id = :company_id and user_id = :user_id and code_hash = :code_hash
returning user_id;
