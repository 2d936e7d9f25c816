-- An address may sign in to several companies. sign_ins keeps one of them, which servers of the previous release find.

create table further_sign_ins (
  company_id bigint not null,
  email_hash bytea not null check (octet_length(email_hash) = 32),
  user_id bigint not null,
  primary key (company_id, email_hash)
);
create index further_sign_ins_by_email on further_sign_ins (email_hash, company_id);
create index further_sign_ins_of_user on further_sign_ins (company_id, user_id);
comment on table further_sign_ins is 'Further companies of addresses that are in sign_ins for another company. Read before the company is known, like sign_ins.';
comment on column further_sign_ins.email_hash is 'SHA-256 of the email, in lower case.';
comment on index further_sign_ins_by_email is 'Finds the companies of an address.';
comment on index further_sign_ins_of_user is 'Finds the address of a user, which is deleted with the user.';

alter table further_sign_ins alter company_id set (n_distinct = -0.05);
alter table further_sign_ins enable row level security, force row level security;
create policy anyone_looks_up on further_sign_ins for select using (true);
create policy own_company_inserts on further_sign_ins for insert
  with check (company_id = nullif(current_setting('app.company_id', true), '')::bigint);
create policy own_company_deletes on further_sign_ins for delete
  using (company_id = nullif(current_setting('app.company_id', true), '')::bigint);
grant select, insert, delete on further_sign_ins to kontor_server;
