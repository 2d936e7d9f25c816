-- Passkeys (WebAuthn): users sign in with them instead of the password. A passkey verifies the user, so it counts as two factors.

create table passkeys (
  company_id bigint not null,
  credential_id bytea not null check (octet_length(credential_id) between 16 and 1023),
  user_id bigint not null,
  public_key bytea not null check (octet_length(public_key) between 1 and 4096),
  counter bigint not null check (counter between 0 and 4294967295),
  rp_id text not null check (char_length(rp_id) between 1 and 253),
  name text not null check (char_length(name) between 1 and 255),
  created_at timestamptz not null,
  last_used_at timestamptz,
  primary key (company_id, credential_id),
  foreign key (company_id, user_id) references users
);
create index passkeys_of_user on passkeys (company_id, user_id, created_at);
comment on table passkeys is 'Passkeys of users: credentials of WebAuthn, which sign a challenge.';
comment on column passkeys.public_key is 'In COSE form.';
comment on column passkeys.counter is 'Of the last signature, for authenticators that count: a lower or equal one is refused. 0: it does not count.';
comment on column passkeys.rp_id is 'The name of the server that the passkey was made for: browsers offer it there only.';
comment on column passkeys.name is 'Given by the user.';
comment on index passkeys_of_user is 'Lists the passkeys of a user, and finds whether there is one.';

-- Those for signing in belong to no company yet: their company_id is a number below zero, derived from the challenge, as in sign_in_attempts.
create table passkey_challenges (
  company_id bigint not null,
  challenge_hash bytea not null check (octet_length(challenge_hash) = 32),
  user_id bigint,
  expires_at timestamptz not null,
  primary key (company_id, challenge_hash),
  constraint passkey_challenges_user check ((company_id < 0) = (user_id is null))
);
comment on table passkey_challenges is 'Challenges that a passkey may sign, each once, within five minutes.';
comment on column passkey_challenges.challenge_hash is 'SHA-256 of the challenge.';
comment on column passkey_challenges.user_id is 'The user who adds a passkey; null: it is for signing in.';

alter table passkeys alter company_id set (n_distinct = -0.05);
alter table passkey_challenges alter company_id set (n_distinct = -1);

alter table passkeys enable row level security, force row level security;
alter table passkey_challenges enable row level security, force row level security;
create policy own_company on passkeys using (company_id = nullif(current_setting('app.company_id', true), '')::bigint);
create policy own_company on passkey_challenges using (company_id = nullif(current_setting('app.company_id', true), '')::bigint);
grant select, insert, update, delete on passkeys, passkey_challenges to kontor_server;
do $$
begin
  execute format('create policy owner_keeps on passkey_challenges to %I using (true)', current_user);
end $$;
