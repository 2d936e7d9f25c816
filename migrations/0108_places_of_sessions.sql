-- Where a session was started, so that users recognize their own sessions.

alter table sessions add column address text, add column browser text, add column system text;
comment on column sessions.address is 'IP address of the sign-in.';
comment on column sessions.browser is 'Name of the browser, such as Firefox; null if it is not known.';
comment on column sessions.system is 'Name of the operating system, such as Windows; null if it is not known.';
