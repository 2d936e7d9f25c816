-- The language in which a user gets mails, as far as it is known, and the webhook that a mail is about.

alter table users add column language text constraint users_language_known check (language in ('en', 'de', 'ru'));
comment on column users.language is 'Language of mails to the user: that of the screens when they signed up, joined or last set a password by mail. Null: not known.';
alter table mails add column webhook_id bigint;
comment on column mails.webhook_id is 'The webhook that was turned off.';
