-- The fields of a request that its method does not have, so that a misspelled filter is noticed in the request log.
alter table request_log add column ignored_fields text[];
comment on column request_log.ignored_fields is 'Names of the fields of the request that the method does not have, at most 20. Null when there are none.';
