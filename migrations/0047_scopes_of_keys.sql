-- What the keys of an API connection may do, from where and until when, and when they were used last.

alter table api_connections
  add column read_only boolean not null default false,
  add column sections text[],
  add column expires_on date,
  add column networks text[],
  add column last_used_on date,
  add column last_used_from text;
comment on column api_connections.read_only is 'Whether its keys may call only methods that read.';
comment on column api_connections.sections is 'Sections of the API that its keys may call, such as orders. Null: all.';
comment on column api_connections.expires_on is 'The last day on which its keys work, in the time zone of the company. Null: they do not expire.';
comment on column api_connections.networks is 'Networks from which its keys may be used, such as 10.0.0.0/8. Null: any.';
comment on column api_connections.last_used_on is 'Day of the latest request with one of its keys, in UTC. Written late, at most once a minute by each process.';
comment on column api_connections.last_used_from is 'Address of that request.';
