-- pending_single_sign_ons.delete_old
-- parameters: company_id, now
-- sent by: session/begin_single_sign_on
delete from pending_single_sign_ons
where company_id = :company_id
  and (
    expires_at < :now
      or token_hash not in (
        select p.token_hash
        from pending_single_sign_ons p
        where p.company_id = :company_id
        order by p.expires_at desc
        limit 1000
      )
  );

-- pending_single_sign_ons.insert
-- parameters: company_id, token_hash, nonce, verifier, expires_at
-- sent by: session/begin_single_sign_on
insert into pending_single_sign_ons (company_id, token_hash, nonce, verifier, expires_at)
values (:company_id, :token_hash, :nonce, :verifier, :expires_at);

-- pending_single_sign_ons.take
-- parameters: company_id, token_hash, now
-- sent by: session/single_sign_on
delete from pending_single_sign_ons
where company_id = :company_id and token_hash = :token_hash and expires_at > :now::timestamptz
returning nonce, verifier;
