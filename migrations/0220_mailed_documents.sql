-- Documents sent by mail as PDF. They are printed when the mail is sent, and not stored.

alter table mails
  drop constraint mails_kind_check,
  add constraint mails_kind_check check (kind in ('invitation', 'password_reset', 'password_changed', 'sign_up', 'webhook_disabled', 'shortages', 'quote', 'document')) not valid,
  add column paper text,
  add column document_id bigint;
comment on column mails.paper is 'The kind of document that is attached as PDF. Null for another mail.';
comment on column mails.document_id is 'The sale or purchase that is printed. Null for another mail.';
