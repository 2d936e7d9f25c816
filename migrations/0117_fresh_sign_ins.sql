-- When the user of a session last proved who they are: some methods require that it was a short time ago.
alter table sessions add column authenticated_at timestamptz;
comment on column sessions.authenticated_at is 'When the user last signed in or confirmed the sign-in in this session. Null in sessions of older servers: when it was created.';
