-- passkey_challenges.insert
-- parameters: company_id, challenge_hash, user_id, expires_at
-- sent by: passkeys/begin, session/passkey_challenge
insert into passkey_challenges (company_id, challenge_hash, user_id, expires_at)
values (:company_id, :challenge_hash, :user_id, :expires_at);

-- passkey_challenges.take
-- parameters: company_id, challenge_hash, user_id, now
-- sent by: passkeys/add, session/passkey_confirm, session/passkey_sign_in
delete from passkey_challenges
where company_id = :company_id
  and challenge_hash = :challenge_hash
  and user_id is not distinct from :user_id::bigint
  and expires_at > :now::timestamptz
returning company_id;
