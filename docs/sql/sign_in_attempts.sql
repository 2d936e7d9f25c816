-- sign_in_attempts.count
-- parameters: company_id, counted, until, now
-- sent by: second_factors/confirm_authenticator, session/begin_single_sign_on, session/change_password, session/confirm, session/confirm_sign_up, session/passkey_challenge, session/passkey_confirm, session/passkey_sign_in, session/request_reset, session/reset_password, session/second_factor, session/sign_in, session/sign_up, session/single_sign_on
insert into sign_in_attempts (company_id, counted, failures, until)
values (:company_id, :counted, 1, :until)
on conflict (company_id, counted) do update
set failures = case
  when sign_in_attempts.until < :now then 1
  else least(sign_in_attempts.failures + 1, 1000000)
  end,
  until = case when sign_in_attempts.until < :now then excluded.until else sign_in_attempts.until end
returning failures, until;

-- sign_in_attempts.take_back
-- parameters: company_id, counted
-- sent by: second_factors/confirm_authenticator, session/confirm, session/passkey_confirm, session/passkey_sign_in, session/second_factor, session/sign_in
update sign_in_attempts
set failures = greatest(failures - 1, 0)
where company_id = :company_id and counted = :counted;
