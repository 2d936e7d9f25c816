-- An API connection may be kept from seeing costs.

alter table api_connections add column hides_costs boolean not null default false;
comment on column api_connections.hides_costs is 'Whether costs are left out of the responses to its keys.';
