-- The logins of an installation. Run once by a superuser, before the first migration, with psql's variables owner_password and web_password.
-- kontor_owner owns the tables: it migrates, maintains and audits. kontor_web owns nothing: it serves. Both act as kontor_server.

create role kontor_server nologin nosuperuser nobypassrls nocreatedb nocreaterole;
create role kontor_owner login createrole password :'owner_password';
create role kontor_web login password :'web_password';
grant kontor_server to kontor_owner, kontor_web;
create database kontor owner kontor_owner;
