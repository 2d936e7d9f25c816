-- The logins of an installation: run by a superuser with psql, whose variables owner_password and web_password are the passwords. Can be repeated.
-- kontor_owner owns the tables: it migrates, maintains and audits. kontor_web owns nothing: it serves. Both act as kontor_server.
-- kontor_backup reads everything, of all companies; it is created if there is a variable backup_password.

select format('create role %I', name) from unnest(array['kontor_server', 'kontor_owner', 'kontor_web']) name
where not exists (select from pg_roles where rolname = name) \gexec
alter role kontor_server nologin nosuperuser nobypassrls nocreatedb nocreaterole;
alter role kontor_owner login createrole password :'owner_password';
alter role kontor_web login password :'web_password';
grant kontor_server to kontor_owner, kontor_web;
select 'create database kontor owner kontor_owner' where not exists (select from pg_database where datname = 'kontor') \gexec

\if :{?backup_password}
select 'create role kontor_backup' where not exists (select from pg_roles where rolname = 'kontor_backup') \gexec
alter role kontor_backup login bypassrls password :'backup_password';
grant pg_read_all_data to kontor_backup;
\endif
