-- Mails about accounts: a link to set a new password, a notice that it was set, a link that completes a sign-up; and a notice to owners that a webhook was turned off.

alter table mails
  drop constraint mails_kind_check,
  add constraint mails_kind_check check (kind in ('invitation', 'password_reset', 'password_changed', 'sign_up', 'webhook_disabled')) not valid;
comment on column mails.company_id is 'Of a mail that was requested for an address without an account, a number below zero: nobody sends it, and it is deleted after a day.';
comment on column mails.user_id is 'Who invites, null for the operator; otherwise whom the mail is about.';
alter table mail_links alter invitation_id drop not null, add column user_id bigint;
comment on column mail_links.invitation_id is 'The invitation that the link accepts. Null for another link.';
comment on column mail_links.user_id is 'Whose password the link resets. Null for another link.';
