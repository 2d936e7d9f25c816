-- Mails that are sent over SMTP. A mail is written in the transaction of what causes it and sent afterwards. Its text is composed when it is sent, and a secret
-- link is made then, too: no row ever contains a secret, not even while the mail waits.

create table mails (
  company_id bigint not null,
  id text not null check (id ~ '^[A-Za-z0-9_-]{16}$'),
  kind text not null check (kind = 'invitation'),
  recipient text not null check (char_length(recipient) <= 255),
  language text not null check (language in ('en', 'de', 'ru')),
  user_id bigint,
  invitation_id bigint,
  status text not null default 'queued' check (status in ('queued', 'sent', 'failed', 'canceled')),
  created_at timestamptz not null,
  attempts smallint not null default 0 check (attempts between 0 and 1000),
  next_at timestamptz,
  ended_at timestamptz,
  response text check (char_length(response) <= 1000),
  lease text,
  leased_until timestamptz,
  primary key (company_id, id)
);
create index mails_by_time on mails (company_id, created_at, id);
create index mails_queued on mails (company_id, created_at, id) where status = 'queued';
comment on table mails is 'Mails to be sent over SMTP, and what became of them. Kept for 30 days.';
comment on column mails.kind is 'What the mail is about; decides its text.';
comment on column mails.user_id is 'Who invites; null for the operator.';
comment on column mails.invitation_id is 'The invitation whose link the mail contains.';
comment on column mails.status is 'queued: to be sent, perhaps again. sent: the SMTP server has accepted it. failed: it was refused for good, or could not be sent in time. canceled: what it is about was gone before it was sent.';
comment on column mails.attempts is 'Attempts that were begun.';
comment on column mails.next_at is 'When it is tried again. Null: at once.';
comment on column mails.response is 'The last response of the SMTP server, or why there is none.';
comment on column mails.lease is 'Of the process that is sending the mail. It is valid until leased_until.';

create table mail_links (
  company_id bigint not null,
  token_hash bytea not null,
  mail_id text not null,
  invitation_id bigint not null,
  created_at timestamptz not null,
  expires_at timestamptz not null,
  primary key (company_id, token_hash)
);
comment on table mail_links is 'The links in mails, as hashes of their tokens. Each attempt to send a mail makes a link of its own, so that no token is stored.';
comment on column mail_links.token_hash is 'SHA-256 of the token.';
comment on column mail_links.invitation_id is 'The invitation that the link accepts.';

-- Read before the company is known, like webhook_companies, and a reference table on a cluster like it.
create table mail_companies (
  company_id bigint primary key,
  has_queued boolean not null
);
comment on table mail_companies is 'Companies with mails: where a process looks for those to be sent, and maintenance for old ones.';
comment on column mail_companies.has_queued is 'Whether mails may be queued. Updated with each new mail, so that nobody clears it meanwhile.';

alter table mails alter company_id set (n_distinct = -0.0005), alter id set (n_distinct = 2000);
alter table mail_links alter company_id set (n_distinct = -0.0005);
alter table mail_companies alter company_id set (n_distinct = -1);

alter table mails enable row level security, force row level security;
alter table mail_links enable row level security, force row level security;
alter table mail_companies enable row level security, force row level security;
create policy own_company on mails using (company_id = nullif(current_setting('app.company_id', true), '')::bigint);
create policy own_company on mail_links using (company_id = nullif(current_setting('app.company_id', true), '')::bigint);
create policy anyone_looks_up on mail_companies for select using (true);
create policy own_company_inserts on mail_companies for insert with check (company_id = nullif(current_setting('app.company_id', true), '')::bigint);
create policy own_company_updates on mail_companies for update using (company_id = nullif(current_setting('app.company_id', true), '')::bigint);
create policy own_company_deletes on mail_companies for delete using (company_id = nullif(current_setting('app.company_id', true), '')::bigint);
grant select, insert, update, delete on mails, mail_links, mail_companies to kontor_server;
