-- Second factors of users: an authenticator app (TOTP) and recovery codes. Sign-ins that wait for the second factor.

create table authenticators (
  company_id bigint not null,
  user_id bigint not null,
  secret bytea not null check (octet_length(secret) between 21 and 200),
  created_at timestamptz not null,
  confirmed_at timestamptz,
  last_step bigint not null default 0 check (last_step >= 0),
  primary key (company_id, user_id),
  foreign key (company_id, user_id) references users
);
comment on table authenticators is 'The authenticator app of a user, which shows codes by TOTP (RFC 6238).';
comment on column authenticators.secret is 'The secret that the codes follow from. The first byte says how it is stored: 0 plainly, 1 encrypted with SECRETS_KEY.';
comment on column authenticators.confirmed_at is 'Null: the user has not entered a code of it yet, so it does not count.';
comment on column authenticators.last_step is 'The period of 30 seconds of the last accepted code. A code of this or an earlier period is not accepted again.';

create table recovery_codes (
  company_id bigint not null,
  user_id bigint not null,
  code_hash bytea not null check (octet_length(code_hash) = 32),
  created_at timestamptz not null,
  primary key (company_id, user_id, code_hash),
  foreign key (company_id, user_id) references users
);
comment on table recovery_codes is 'Codes that replace a second factor, each once: a code that was used is deleted.';
comment on column recovery_codes.code_hash is 'SHA-256 of the code, which has 120 random bits.';

create table pending_sign_ins (
  company_id bigint not null,
  token_hash bytea not null check (octet_length(token_hash) = 32),
  user_id bigint not null,
  password_digest bytea not null check (octet_length(password_digest) = 32),
  created_at timestamptz not null,
  expires_at timestamptz not null,
  primary key (company_id, token_hash),
  foreign key (company_id, user_id) references users
);
create index pending_sign_ins_of_user on pending_sign_ins (company_id, user_id, created_at);
comment on table pending_sign_ins is 'Sign-ins whose password was right and whose second factor is missing. They authorize nothing else, and last five minutes.';
comment on column pending_sign_ins.token_hash is 'SHA-256 of the token that the page got.';
comment on column pending_sign_ins.password_digest is 'SHA-256 of the password hash that was checked: a change of the password ends the sign-in.';
comment on index pending_sign_ins_of_user is 'Finds the older sign-ins of a user, which new ones replace.';

alter table authenticators alter company_id set (n_distinct = -0.05);
alter table recovery_codes alter company_id set (n_distinct = -0.005);
alter table pending_sign_ins alter company_id set (n_distinct = -0.1);

alter table authenticators enable row level security, force row level security;
alter table recovery_codes enable row level security, force row level security;
alter table pending_sign_ins enable row level security, force row level security;
create policy own_company on authenticators using (company_id = nullif(current_setting('app.company_id', true), '')::bigint);
create policy own_company on recovery_codes using (company_id = nullif(current_setting('app.company_id', true), '')::bigint);
create policy own_company on pending_sign_ins using (company_id = nullif(current_setting('app.company_id', true), '')::bigint);
grant select, insert, update, delete on authenticators, recovery_codes, pending_sign_ins to kontor_server;
