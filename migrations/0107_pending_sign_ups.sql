-- Companies that were signed up and wait until the address of their owner is confirmed. They do not exist yet: confirming creates the company and deletes the row.

alter table mails validate constraint mails_kind_check;

create table pending_sign_ups (
  company_id bigint primary key check (company_id > 0),
  company text not null check (char_length(company) <= 255),
  name text not null check (char_length(name) <= 255),
  email text not null check (char_length(email) <= 255),
  timezone text not null check (char_length(timezone) <= 255),
  language text check (language in ('en', 'de', 'ru')),
  password_hash text not null check (char_length(password_hash) <= 255),
  created_at timestamptz not null,
  expires_at timestamptz not null
);
comment on table pending_sign_ups is 'Sign-ups whose address is not confirmed yet. Each has the id that its company will have, so that it is stored where the company will be. Deleted when the company is created, or after a day.';
comment on column pending_sign_ups.company_id is 'The id that the company will have.';
comment on column pending_sign_ups.company is 'Name of the company.';
comment on column pending_sign_ups.name is 'Name of the owner.';
comment on column pending_sign_ups.password_hash is 'argon2id hash in PHC string format, which includes its parameters.';
comment on column mail_links.user_id is 'Whose password the link resets. Without it and an invitation the link confirms a sign-up.';
comment on column mails.company_id is 'Of a mail that was requested for an address without an account, a number below zero: nobody sends it, and it is deleted after a day. Of a sign-up, the id that its company will have.';

alter table pending_sign_ups alter company_id set (n_distinct = -1);
alter table pending_sign_ups enable row level security, force row level security;
create policy own_company on pending_sign_ups using (company_id = nullif(current_setting('app.company_id', true), '')::bigint);
grant select, insert, update, delete on pending_sign_ups to kontor_server;
