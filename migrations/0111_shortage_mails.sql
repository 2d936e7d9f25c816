-- A daily mail about items below their minimum, for users who want it.

alter table mails
  drop constraint mails_kind_check,
  add constraint mails_kind_check check (kind in ('invitation', 'password_reset', 'password_changed', 'sign_up', 'webhook_disabled', 'shortages')) not valid;
alter table users add column shortages_daily boolean not null default false, add column shortages_on date;
comment on column users.shortages_daily is 'Whether the user gets the daily mail about items below their minimum.';
comment on column users.shortages_on is 'The last day of the company on which it was decided whether the user gets that mail.';
alter table mail_companies add column has_shortage_mails boolean not null default false;
comment on column mail_companies.has_shortage_mails is 'Whether users of the company may want the daily mail about items below their minimum.';
