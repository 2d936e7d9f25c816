-- An Idempotency-Key belongs to the connection or user that sent it, which is stored before it.

comment on column idempotency_keys.key is 'The Idempotency-Key header after the connection or user that it belongs to, such as connection 1: A-1007; of a long one the hash.';
comment on column idempotency_keys.status is 'HTTP status of the response. Only successful responses are stored.';
